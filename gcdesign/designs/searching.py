"""Searching for a 2-(v, k, λ) design: attempts of several methods in turn, as long as time lasts.

Attempt number n with a seed is the same everywhere and on every run, unless the time ends within
it. So a search can be taken up again at the attempt where it stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import KW_ONLY, dataclass
from functools import cached_property, partial
from itertools import count
from time import monotonic

from gcdesign.designs.actions import Action
from gcdesign.designs.base_blocks import BaseBlocks
from gcdesign.designs.candidates import candidate_actions, candidate_decompositions
from gcdesign.designs.compositions import Plan, plans
from gcdesign.designs.joins.attempt import is_large, join_once
from gcdesign.designs.joins.equations import equations, excluded
from gcdesign.designs.joins.quotients import Quotient, quotients, whole
from gcdesign.designs.prescribed import Prescribed
from gcdesign.designs.randomness import Draws
from gcdesign.designs.tactical import Decomposition
from gcdesign.errors import InputError, LimitError

MAX_POINTS = 1000
"""Largest number of points of a design that is searched for."""

MOVES_PER_ORBIT = 30_000
"""Moves of the first annealing run with a group, times its orbits on pairs."""

MIN_MOVES = 300_000
"""Fewest moves of one annealing run."""

MAX_MOVES = 10_000_000
"""Most moves of one annealing run."""

QUICK = ("orbit matrices", "annealing", "annealing", "annealing", "annealing")
"""The methods take turns in this order at first: many groups are given up at once."""

THOROUGH = ("joining", "orbit matrices", "joining", "annealing", "annealing")
"""The order after `QUICK_ATTEMPTS` attempts; joining lists takes long."""

QUICK_ATTEMPTS = 200
"""Attempts before lists are joined; a multiple of the length of `QUICK`."""

JOINED = 28
"""Orbits on pairs for which lists of base blocks are joined best."""

MAX_LISTS = 4
"""Most base blocks of which there are too many to list all of them, in a join."""

MAX_JOINED = 9
"""Most base blocks in a join."""

FIRST_GROUPS = 40
"""Groups that the first round goes through."""

LEAST_FORECAST = -4.0
"""Least forecast of what is annealed in the first round; so much less in each further one."""


@dataclass(frozen=True)
class Attempt:
    """One attempt: a method with a group.

    Attributes
    ----------
    number
        Its place in the order of attempts.
    method
        ``"orbit matrices"``, ``"annealing"`` or ``"joining"``.
    action
        The prescribed group.
    """

    number: int
    method: str
    action: Action

    def __str__(self) -> str:
        action = self.action
        units = "".join(f", multiplier {m.unit}" for m in action.multipliers)
        moved = " moving copies" if any(m.slots for m in action.multipliers) else ""
        return (
            f"attempt {self.number}: {self.method}, {action.copies} × {action.ring}"
            f" + {action.fixed}{units}{moved}"
        )


@dataclass(frozen=True)
class SearchResult:
    """What a search found.

    Attributes
    ----------
    base_blocks
        Base blocks of the design, proved by their differences; None if none were found.
    attempt
        The attempt that found them, or the last one.
    next_attempt
        Where to take the search up again.
    seconds
        Time that the search took.
    """

    base_blocks: BaseBlocks | None
    attempt: Attempt | None
    next_attempt: int
    seconds: float


def search(
    v: int,
    k: int,
    lambda_: int,
    *,
    seconds: float,
    seed: int = 1,
    first: int = 0,
    report: Callable[[Attempt], None] | None = None,
    stopped: Callable[[], bool] = lambda: False,
) -> SearchResult:
    """Search for base blocks of a 2-(v, k, λ) design.

    Parameters
    ----------
    v, k, lambda_
        The parameters.
    seconds
        When to stop; an attempt under way is cut short.
    seed
        Decides all random choices.
    first
        The number of the attempt to begin with.
    report
        Is told of each attempt before it begins.
    stopped
        Asked before each attempt whether to stop.

    Raises
    ------
    InputError
        If r or b is not whole, or a number is out of range.
    LimitError
        If there are more than `MAX_POINTS` points.

    Examples
    --------
    >>> found = search(13, 4, 1, seconds=20)
    >>> found.base_blocks.coverage().lambda_
    1
    """
    check(v, k, lambda_, seconds=seconds, first=first)
    begin = monotonic()
    deadline = begin + seconds
    attempt, number = None, first
    for attempt, run in attempts(v, k, lambda_, seed=seed, first=first):
        if monotonic() >= deadline or stopped():
            break
        if report is not None:
            report(attempt)
        found = run(deadline)
        if found is not None and found.coverage().lambda_ == lambda_:
            return SearchResult(found, attempt, attempt.number + 1, monotonic() - begin)
        number = attempt.number + (monotonic() <= deadline)
    return SearchResult(None, attempt, number, monotonic() - begin)


def check(v: int, k: int, lambda_: int, *, seconds: float, first: int) -> None:
    """Refuse parameters for which a search makes no sense."""
    if not 2 <= k < v or lambda_ < 1:
        raise InputError(f"v={v}, k={k}, λ={lambda_}; expected 2 ≤ k < v and λ ≥ 1")
    if lambda_ * (v - 1) % (k - 1) or lambda_ * v * (v - 1) % (k * (k - 1)):
        raise InputError(f"v={v}, k={k}, λ={lambda_}; r = λ(v−1)/(k−1) or b = vr/k is not whole")
    if v > MAX_POINTS:
        raise LimitError(f"v={v}; a search takes on at most {MAX_POINTS} points")
    if not seconds >= 0:
        raise InputError(f"a time limit of {seconds} s; expected 0 or more")
    if first < 0:
        raise InputError(f"first attempt {first}; expected 0 or more")


def attempts(
    v: int, k: int, lambda_: int, *, seed: int, first: int = 0
) -> Iterator[tuple[Attempt, Callable[[float], BaseBlocks | None]]]:
    """Yield attempts without end, each with what runs it until a deadline.

    The methods take turns. Each goes through its groups again and again, those that suit it best
    first, each time with more effort and through more.
    """
    b = lambda_ * v * (v - 1) // (k * (k - 1))
    groups = [
        _Group(action, k, lambda_, seed=seed * 1_000_003 + place)
        for place, action in enumerate(candidate_actions(v, b, k, seed=seed))
    ]
    decompositions = candidate_decompositions(v, k, lambda_)
    joins = sorted(groups, key=lambda group: abs(group.orbits - JOINED))
    for number in count(first) if groups or decompositions else ():
        method, turn = method_of(number)
        draws = Draws(seed * 1_000_003 + number)
        if method == "orbit matrices" and decompositions:
            effort, place = turn_of(turn, len(decompositions))
            wanted = decompositions[place]
            attempt = Attempt(number, method, wanted.action)
            yield attempt, partial(_decompose, wanted, draws, effort + 1)
        elif method != "orbit matrices" and groups:
            effort, place = turn_of(turn, len(groups))
            group = (groups if method == "annealing" else joins)[place]
            run = group.anneal if method == "annealing" else group.join
            yield Attempt(number, method, group.action), partial(run, draws, effort)


def method_of(number: int) -> tuple[str, int]:
    """Return the method of an attempt, and how many attempts of this method came before.

    Examples
    --------
    >>> method_of(7), method_of(200), method_of(203)
    (('annealing', 5), ('joining', 0), ('annealing', 160))
    """
    before, order = 0, QUICK
    if number >= QUICK_ATTEMPTS:
        before, order = QUICK_ATTEMPTS // len(QUICK), THOROUGH
    rounds, place = divmod(number - before * len(QUICK), len(order))
    method = order[place]
    turn = rounds * order.count(method) + order[:place].count(method)
    return method, before * QUICK.count(method) + turn


def turn_of(turn: int, groups: int) -> tuple[int, int]:
    """Return the round and the group of a turn; round e goes through the first 40 (e + 1)².

    Examples
    --------
    >>> turn_of(39, 100), turn_of(40, 100), turn_of(16, 3)
    ((0, 39), (1, 0), (5, 1))
    """
    effort = 0
    while turn >= (length := min(groups, FIRST_GROUPS * (effort + 1) ** 2)):
        turn -= length
        effort += 1
    return effort, turn


@dataclass(frozen=True)
class _Group:
    """A group to anneal with, and what it may make of the design."""

    action: Action
    k: int
    lambda_: int
    _: KW_ONLY
    seed: int

    @cached_property
    def wanted(self) -> Prescribed:
        return Prescribed(self.action, self.k, self.lambda_)

    @property
    def orbits(self) -> float:
        """About how many orbits the group has on pairs of points."""
        order = len(self.action.multiplier_group) * self.action.ring.order
        return self.action.v * (self.action.v - 1) / 2 / order

    @cached_property
    def quotients(self) -> list[Quotient]:
        return quotients(self.wanted)

    @cached_property
    def plans(self) -> list[Plan]:
        return plans(self.wanted, Draws(self.seed))

    @cached_property
    def _excluded(self) -> dict[Plan, bool]:
        return {}

    def promising(self, effort: int) -> list[Plan]:
        """Return plans that promise enough and that no quotient excludes.

        Designs that are not like random ones escape the forecast, so less and less is asked.
        """
        found = [plan for plan in self.plans if plan.forecast > LEAST_FORECAST * (effort + 1)]
        for plan in found:
            if plan not in self._excluded:
                self._excluded[plan] = excluded(self.wanted, plan.kinds, self.quotients)
        return [plan for plan in found if not self._excluded[plan]]

    def join(self, draws: Draws, effort: int, deadline: float) -> BaseBlocks | None:
        """Join lists of base blocks for one of the plans, after a quotient is settled.

        If all base blocks can be listed this is the coarsest one, so that one join sees many
        solutions of it; else the finest, which brings the listed blocks nearest to their share.
        """
        fitting = [
            plan.kinds
            for plan in self.promising(effort)
            if len(plan.kinds) <= MAX_JOINED
            and sum(is_large(kind, self.k) for kind in plan.kinds) <= MAX_LISTS
        ]
        if not fitting or monotonic() > deadline:
            return None
        kinds = fitting[effort % len(fitting)]
        systems = [equations(self.wanted, q, kinds) for q in (whole(self.wanted), *self.quotients)]
        solvable = [system for system in systems if system is not None and system.solvable]
        if not solvable:
            return None
        solvable.sort(key=lambda system: system.quotient.classes)
        system = solvable[-1 if any(is_large(kind, self.k) for kind in kinds) else 0]
        return join_once(system, draws, effort=2 * effort + 2, deadline=deadline)

    def anneal(self, draws: Draws, effort: int, deadline: float) -> BaseBlocks | None:
        """Anneal with one of the plans, another one each time, if it is promising enough."""
        promising = self.promising(effort)
        if not promising or monotonic() > deadline:
            return None
        from gcdesign.designs.local_search import anneal_once

        moves = max(MIN_MOVES, (effort + 1) * MOVES_PER_ORBIT * len(self.wanted.pairs[1]))
        kinds = promising[effort % len(promising)].kinds
        return anneal_once(self.wanted, draws, moves=min(moves, MAX_MOVES), kinds=kinds)


def _decompose(
    wanted: Decomposition, draws: Draws, effort: int, deadline: float
) -> BaseBlocks | None:
    nodes = 5000 * effort
    for matrix in wanted.matrices(draws, starts=20 * effort, nodes=nodes, deadline=deadline):
        found = wanted.index(matrix, draws, nodes=nodes, deadline=deadline)
        if found is not None:
            return found
    return None
