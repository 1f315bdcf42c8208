"""Groups that are worth prescribing for a design on v points, those with few orbits first."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from gcdesign.designs.actions import Action, Multiplier
from gcdesign.designs.fields import prime_factors, prime_power
from gcdesign.designs.randomness import Draws
from gcdesign.designs.rings import Ring
from gcdesign.designs.tactical import Decomposition

MAX_FIXED = 8
"""Most fixed points."""

MAX_COPIES = 14
"""Most copies of a ring."""

MAX_GROUP = 6000
"""Largest order of a group."""

MAX_PRIME_POWER = 43
"""Largest group whose orbits make a tactical decomposition."""

MAX_FIXED_OF_DECOMPOSITION = 10
"""Most fixed points of a tactical decomposition."""

MAX_FIXED_BLOCKS = 12
"""Most fixed blocks of a tactical decomposition."""

MAX_BLOCK_ORBITS = 18
"""Most orbits of blocks of a tactical decomposition."""

MAX_WORK = 600_000
"""Most rows of an orbit matrix, about."""


@lru_cache(maxsize=256)
def rings_of(order: int) -> tuple[Ring, ...]:
    """Return rings of an order: the cyclic one, and those with a field as one factor.

    Examples
    --------
    >>> [str(ring) for ring in rings_of(36)]
    ['Z36', 'F4xZ9', 'F4xF9', 'F9xZ4', 'F9xF4']
    """
    names = [f"Z{order}"]
    for p in prime_factors(order):
        q = p * p
        while order % q == 0:
            rest = order // q
            names.append(f"F{q}xZ{rest}" if rest > 1 else f"F{q}")
            parts = prime_power(rest)
            if parts is not None and parts[1] > 1 and rest % p:
                names.append(f"F{q}xF{rest}")
            q *= p
    return tuple(Ring.parse(name) for name in names)


@lru_cache(maxsize=512)
def units_by_order(ring: Ring) -> dict[int, tuple[int, ...]]:
    """Return the units of a ring, by their multiplicative order.

    Examples
    --------
    >>> units_by_order(Ring.parse("Z7"))
    {1: (1,), 3: (2, 4), 6: (3, 5), 2: (6,)}
    """
    found: dict[int, tuple[int, ...]] = {}
    for x in filter(ring.is_unit, range(ring.order)):
        order = ring.multiplicative_order(x)
        found[order] = (*found.get(order, ()), x)
    return found


def candidate_actions(
    v: int, b: int, k: int, *, seed: int, max_orbits: float = 300
) -> Iterator[Action]:
    """Yield groups with few orbits on pairs, in a random order that prefers fewer.

    Parameters
    ----------
    v, b, k
        Points, blocks and block size: a group much larger than b is of no use.
    seed
        Decides units, permutations of copies, and the order.
    max_orbits
        Most orbits on pairs of points, about.
    """
    draws = Draws(seed)
    found: dict[Action, float] = {}
    for fixed in range(min(MAX_FIXED, v - 3) + 1):
        for copies in range(1, MAX_COPIES + 1):
            m, rest = divmod(v - fixed, copies)
            if rest or m < 3:
                continue
            for action, order in _actions(m, copies, fixed, draws):
                orbits = v * (v - 1) / 2 / order
                if order <= min(4 * b * k, MAX_GROUP) and 1.2 <= orbits <= max_orbits:
                    found[action] = orbits * (0.5 + 1.2 * float(draws.uniform(1)[0]))
    yield from sorted(found, key=lambda action: found[action])


def _actions(m: int, copies: int, fixed: int, draws: Draws) -> Iterator[tuple[Action, int]]:
    """Yield groups of one shape with their orders, with and without moving copies."""
    for ring in rings_of(m):
        for order, units in units_by_order(ring).items():
            unit = units[int(draws.below(len(units), 1)[0])]
            if order == 1:
                yield Action(ring, copies, fixed), m
            else:
                yield Action(ring, copies, fixed, (Multiplier(unit),)), m * order
            cycles = order if order > 1 else copies
            slots = _random_slots(copies, fixed, cycles, draws)
            if slots:
                yield Action(ring, copies, fixed, (Multiplier(unit, slots),)), m * cycles
            slots = _random_slots(copies, fixed, copies, draws) if order > 1 else ()
            if slots:
                turning = (Multiplier(unit), Multiplier(ring.one, slots))
                yield Action(ring, copies, fixed, turning), m * order * copies


def _random_slots(copies: int, fixed: int, order: int, draws: Draws) -> tuple[int, ...]:
    """Return a permutation of copies and of fixed points, its cycle lengths dividing an order."""
    slots = list(range(copies + fixed))
    for start, stop in ((0, copies), (copies, copies + fixed)):
        lengths = [d for d in range(2, stop - start + 1) if order % d == 0]
        if not lengths or (start == copies and draws.below(2, 1)[0]):
            continue
        length, at = lengths[int(draws.below(len(lengths), 1)[0])], start
        while at + length <= stop and (at == start or draws.below(6, 1)[0]):
            slots[at : at + length] = [*range(at + 1, at + length), at]
            at += length
    return tuple(slots) if slots != list(range(copies + fixed)) else ()


def candidate_decompositions(v: int, k: int, lambda_: int) -> list[Decomposition]:
    """Return tactical decompositions to try, those with few possible rows first.

    The groups are cyclic or elementary abelian, with multipliers that fix every orbit.

    Examples
    --------
    >>> sorted({str(wanted.action.ring) for wanted in candidate_decompositions(7, 3, 1)})
    ['F4', 'Z3', 'Z5', 'Z7']
    """
    b = lambda_ * v * (v - 1) // (k * (k - 1))
    found: list[tuple[float, Decomposition]] = []
    for m in (n for n in range(3, min(v, MAX_PRIME_POWER) + 1) if prime_power(n)):
        ring = rings_of(m)[-1]
        for fixed in range(v % m, min(v - m, MAX_FIXED_OF_DECOMPOSITION) + 1, m):
            copies = (v - fixed) // m
            fixed_blocks = [fixed] if b == v else range(b % m, min(b, MAX_FIXED_BLOCKS) + 1, m)
            for order, units in units_by_order(ring).items() if copies <= MAX_COPIES else ():
                action = Action(ring, copies, fixed, (Multiplier(units[0]),) if order > 1 else ())
                for number in fixed_blocks:
                    wanted = Decomposition.of(action, k, lambda_, fixed_blocks=number)
                    work = _work(wanted, order)
                    if wanted.block_orbits <= MAX_BLOCK_ORBITS and work <= MAX_WORK:
                        found.append((work, wanted))
    return [wanted for _, wanted in sorted(found, key=lambda pair: pair[0])]


def _work(wanted: Decomposition, order: int) -> float:
    """Return about how many rows an orbit matrix may have, for multipliers of an order."""
    m = wanted.action.ring.order
    entries = 2 * (m - 1) // order + 2 if order > 1 else m + 1
    return float(min(wanted.k + 1, entries) ** (wanted.block_orbits / 1.7))
