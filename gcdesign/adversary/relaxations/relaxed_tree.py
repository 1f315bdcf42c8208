"""Branch and bound on sets of silent workers: proof that none costs more than a target.

A case is a set of workers forced to be silent and a set of candidates, of whom as many more are
silent as S needs. It is closed by the semidefinite bound, by search if its sets are few, or by
branching: its candidates are ordered by their weight in the relaxation, and its first branch
forces the first, the second excludes the first and forces the second, and so on, until what is
left without the first m is closed by the bound, or by search, at a stroke. If automorphisms fix
the case, the orbits of its candidates take the place of single candidates: one of an orbit is
forced, or the whole orbit is excluded.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import comb
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gcdesign.adversary.evidence import Proof, search_proof
from gcdesign.adversary.relaxations.leaves import Found, enumerate_below
from gcdesign.adversary.relaxations.pair_orbits import Group
from gcdesign.adversary.relaxations.quadratic import SparseQuadratic
from gcdesign.adversary.relaxations.splitting import Relaxation, Relaxed, State, Workers
from gcdesign.adversary.running.settings import Watch

MAX_SETS = 60_000_000
"""Most sets for which a case is searched rather than bounded."""

ROUNDS = 400
LEAST = 75
HOPELESS = 1.02

RAISE = 1e-9
"""Relative amount that is added to the error of a set found, for the next bar: its rounding."""


@dataclass(frozen=True)
class Case:
    """Sets that hold all forced workers, and otherwise candidates only."""

    forced: tuple[int, ...]
    candidates: tuple[int, ...]


@dataclass(frozen=True)
class Outcome:
    """What became of a case.

    Attributes
    ----------
    case
        The case.
    closed_by
        ``"bound"`` or ``"search"``; ``"branches"`` if it was replaced by them; ``"limit"`` if it
        is still open.
    branches
        The cases that replace it.
    found
        A set of it that costs more than the bar.
    sets, bounds, rounds
        Sets searched, relaxations solved, and their rounds.
    """

    case: Case
    closed_by: Literal["bound", "search", "branches", "limit"]
    branches: tuple[Case, ...] = ()
    found: Found | None = None
    sets: int = 0
    bounds: int = 0
    rounds: int = 0


@dataclass(frozen=True)
class Verdict:
    """What a branch and bound has proved so far.

    Attributes
    ----------
    upper
        No set of a closed case costs more; if none is open, it is a bound of err_S.
    found
        The worst set that costs more than the target asked for, or None.
    open
        The cases that are not closed: hand them in again to go on.
    nodes, sets, bounds, rounds
        Cases closed or replaced, sets searched, relaxations solved, and their rounds.
    """

    upper: float
    found: Found | None
    open: tuple[Case, ...]
    nodes: int = 0
    sets: int = 0
    bounds: int = 0
    rounds: int = 0

    @property
    def complete(self) -> bool:
        """Whether all cases are closed."""
        return not self.open

    @property
    def evidence(self) -> Proof:
        """The mark of a proof that rests on this search."""
        return search_proof(
            "branch and bound", cases=self.nodes, relaxations=self.bounds, sets=self.sets
        )


def prove(
    quadratic: SparseQuadratic,
    stragglers: int,
    target: float,
    *,
    watch: Watch,
    group: Group | None = None,
    cases: Iterable[Case] | None = None,
    max_sets: int = MAX_SETS,
) -> Verdict:
    """Prove that no set of S silent workers costs more than the target, or find worse ones.

    Parameters
    ----------
    quadratic
        The code's quadratic problem.
    stragglers
        S ≥ 1.
    target
        An error; a little above the best attack proves that attack, a greater one proves less
        in less time.
    watch
        Threads and limits.
    group
        Automorphisms of the code.
    cases
        The open cases of an earlier run; by default all sets.
    max_sets
        Most sets for which a case is searched rather than bounded.

    Examples
    --------
    >>> from gcdesign.adversary.relaxations.quadratic import sparse_quadratic
    >>> from gcdesign.adversary.running.settings import Settings
    >>> from gcdesign.codes import GradientCode
    >>> from gcdesign.designs import projective_geometry
    >>> quadratic = sparse_quadratic(GradientCode.from_design(projective_geometry(3)))
    >>> prove(quadratic, 4, 1.001, watch=Watch(Settings(threads=1))).complete
    True
    """
    search = _Search(quadratic, stragglers, target, watch, group, max_sets)
    whole = Case((), tuple(range(quadratic.workers)))
    search.run([whole] if cases is None else list(cases))
    return search.proof


class _Search:
    """The open cases, and the threads that work on them."""

    def __init__(
        self,
        quadratic: SparseQuadratic,
        stragglers: int,
        target: float,
        watch: Watch,
        group: Group | None,
        max_sets: int,
    ) -> None:
        self._quadratic, self._stragglers, self._watch = quadratic, stragglers, watch
        self._relaxation = Relaxation(quadratic)
        self._group, self._max_sets = group, max_sets
        self._start = self._relaxation.start(stragglers)
        self._flag = np.zeros(1, dtype=np.uint8)
        self._changed = threading.Condition()
        self._waiting: list[tuple[Case, State]] = []
        self._busy: dict[int, Case] = {}
        self._failure: BaseException | None = None
        self.proof = Verdict(target, None, ())

    def run(self, cases: Sequence[Case]) -> None:
        """Work on the cases until none is open or the watch ends it."""
        self._waiting = [(case, self._start) for case in reversed(cases)]
        threads = [
            threading.Thread(target=self._work, daemon=True)
            for _ in range(self._watch.settings.thread_count)
        ]
        for thread in threads:
            thread.start()
        try:
            for thread in threads:
                while thread.is_alive():
                    thread.join(timeout=0.05)
                    if self._watch.stopped():
                        self._flag[0] = 1
        finally:
            self._flag[0] = 1
            for thread in threads:
                thread.join()
        if self._failure is not None:
            raise self._failure
        left = tuple(case for case, _ in reversed(self._waiting))
        self.proof = replace(self.proof, open=left)

    def _work(self) -> None:
        try:
            while (task := self._next()) is not None:
                outcome, state = self._examine(*task)
                self._record(outcome, state)
        except BaseException as failure:
            with self._changed:
                self._failure = failure
                self._flag[0] = 1
                self._changed.notify_all()

    def _next(self) -> tuple[Case, State] | None:
        with self._changed:
            while not self._waiting and self._busy and not self._flag[0]:
                self._changed.wait(timeout=0.05)
            if self._flag[0] or not self._waiting:
                return None
            task = self._waiting.pop()
            self._busy[threading.get_ident()] = task[0]
            return task

    def _record(self, outcome: Outcome, state: State) -> None:
        with self._changed:
            del self._busy[threading.get_ident()]
            proof, found = self.proof, outcome.found
            if outcome.closed_by == "limit":
                self._waiting.append((outcome.case, state))
            else:
                self._waiting += [(case, state) for case in reversed(outcome.branches)]
            if found is not None and (value := found.value * (1 + RAISE)) > proof.upper:
                proof = replace(proof, upper=value, found=found)
            self.proof = replace(
                proof,
                nodes=proof.nodes + (outcome.closed_by != "limit"),
                sets=proof.sets + outcome.sets,
                bounds=proof.bounds + outcome.bounds,
                rounds=proof.rounds + outcome.rounds,
            )
            self._watch.report(
                f"S={self._stragglers}: {self.proof.nodes} cases, {len(self._waiting)} open",
                0 if found is None else found.value,
                self.proof.upper,
            )
            self._changed.notify_all()

    def _examine(self, case: Case, state: State) -> tuple[Outcome, State]:
        """Close a case or replace it by branches."""
        visit = _Visit(self, case, state)
        outcome = visit.outcome()
        if self._flag[0]:
            outcome = replace(outcome, closed_by="limit", branches=())
        return outcome, visit.state

    # What a visit asks of the search.

    def size(self, case: Case) -> int:
        """Return how many more workers are silent."""
        return self._stragglers - len(case.forced)

    def is_small(self, candidates: int, size: int) -> bool:
        """Whether so few sets are left that they are searched."""
        return comb(candidates, size) <= self._max_sets or size <= 1

    def bound(self, forced: Workers, candidates: Workers, size: int, state: State) -> Relaxed:
        """Solve the relaxation until it is below the bar or will not be."""
        return self._relaxation.solve(
            forced,
            candidates,
            size,
            state,
            target=self.proof.upper,
            rounds=ROUNDS,
            least=LEAST,
            hopeless=HOPELESS,
            stopped=lambda: bool(self._flag[0]),
        )

    def enumerate(self, forced: Workers, candidates: Workers, size: int) -> Found | None:
        """Search all sets of a case."""
        constant = self._quadratic.constant
        found = enumerate_below(
            self._quadratic.matrix,
            self._quadratic.linear,
            forced,
            candidates,
            size,
            self.proof.upper - constant,
            stop=self._flag,
        )
        return None if found is None else replace(found, value=found.value + constant)

    def orbits(self, case: Case) -> list[Workers]:
        """Return the orbits of the candidates under what fixes the case."""
        if self._group is None:
            return [np.array([worker]) for worker in case.candidates]
        return self._group.fixing(case.forced, case.candidates).orbits(case.candidates)


class _Visit:
    """The work on one case."""

    def __init__(self, search: _Search, case: Case, state: State) -> None:
        self._search, self._case, self.state = search, case, state
        self._forced = np.array(case.forced, dtype=np.int64)
        self._size = search.size(case)
        self._outcome = Outcome(case, "search")

    def outcome(self) -> Outcome:
        """Close the case or branch."""
        every = np.array(self._case.candidates, dtype=np.int64)
        if self._search.is_small(len(every), self._size):
            self._enumerate(every)
            return self._outcome
        relaxed = self._bound(every, self.state)
        self.state = relaxed.state
        if relaxed.bound <= self._search.proof.upper:
            return replace(self._outcome, closed_by="bound")
        orbits = self._ordered(relaxed)
        cut = self._cut(orbits)
        return replace(
            self._outcome, closed_by="branches", branches=tuple(self._branches(orbits, cut))
        )

    def _ordered(self, relaxed: Relaxed) -> list[Workers]:
        """Return the orbits, those first whose exclusion lowers the bound most."""
        weights = relaxed.weights
        orbits = self._search.orbits(self._case)
        return sorted(orbits, key=lambda orbit: -sum(weights[w] for w in orbit.tolist()))

    def _cut(self, orbits: list[Workers]) -> int:
        """Return an m so that all sets without the first m orbits are dealt with."""
        lowest, state = 0, self.state
        cut = max(1, min(3, len(orbits)), len(orbits) // 6)
        while True:
            rest = _joined(orbits[cut:])
            if self._search.is_small(len(rest), self._size):
                self._enumerate(rest)
                return cut
            relaxed = self._bound(rest, state)
            if relaxed.bound <= self._search.proof.upper:
                break
            lowest, state = cut, relaxed.state
            cut = min(len(orbits), int(cut * 1.6) + 2)
        while cut - lowest > 3:
            middle = (lowest + cut) // 2
            relaxed = self._bound(_joined(orbits[middle:]), state)
            if relaxed.bound > self._search.proof.upper:
                break
            cut = middle
        return cut

    def _branches(self, orbits: list[Workers], cut: int) -> Iterator[Case]:
        for number, orbit in enumerate(orbits[:cut]):
            first = int(orbit[0])
            rest = (w for w in _joined(orbits[number:]).tolist() if w != first)
            yield Case((*self._case.forced, first), tuple(rest))

    def _bound(self, candidates: Workers, state: State) -> Relaxed:
        relaxed = self._search.bound(self._forced, candidates, self._size, state)
        self._outcome = replace(
            self._outcome,
            bounds=self._outcome.bounds + 1,
            rounds=self._outcome.rounds + relaxed.rounds,
        )
        return relaxed

    def _enumerate(self, candidates: Workers) -> None:
        found = self._search.enumerate(self._forced, candidates, self._size)
        better = self._outcome.found is None or (
            found is not None and found.value > self._outcome.found.value
        )
        self._outcome = replace(
            self._outcome,
            found=found if better else self._outcome.found,
            sets=self._outcome.sets + comb(len(candidates), self._size),
        )


def _joined(orbits: list[Workers]) -> NDArray[np.int64]:
    return np.concatenate(orbits) if orbits else np.zeros(0, dtype=np.int64)
