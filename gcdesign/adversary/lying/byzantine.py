"""Workers that lie: the most parts whose majority vote q Byzantine workers can corrupt.

Every part is computed by its R holders, and the master takes what most of them answer. Workers
that collude corrupt a part when they are the majority of its holders, ⌊R/2⌋ + 1; a tie does not
count. The distortion of a placement is ε̂ = c_max(q)/K.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from gcdesign.adversary.asked import check_byzantine
from gcdesign.adversary.bounds import PlacementFacts, placement_facts
from gcdesign.adversary.results import AttackResult, Bound
from gcdesign.adversary.running.settings import Settings, Watch
from gcdesign.codes import Placement

NODES_AT_ONCE = 500_000
"""Nodes of the search between two looks at the clock."""

STARTS = 12
"""Greedy starts of the quick attack, with ties broken at random after the first."""

Ints = NDArray[np.int64]


def byzantine(
    placement: Placement, byzantines: int, settings: Settings | None = None
) -> AttackResult:
    """Return c_max(q), the most parts that q Byzantine workers corrupt under majority voting.

    Branch and bound over the sets of q workers, compiled; a limit makes a bracket.

    Parameters
    ----------
    placement
        Who holds what.
    byzantines
        Number of Byzantine workers q, 0 ≤ q ≤ N.
    settings
        Method, limits and seed; by default exact and unlimited.

    Raises
    ------
    InputError
        If q is out of its domain.

    Notes
    -----
    Source: Konstantinidis, Ramamoorthy 2021 (ByzShield): c_max(q), and ε̂ = c_max(q)/K.

    Examples
    --------
    >>> from gcdesign.designs import affine_geometry
    >>> result = byzantine(Placement(affine_geometry(3)), 3)
    >>> result.value, len(result.workers), len(result.parts)
    (1, 3, 1)
    """
    settings = settings or Settings()
    check_byzantine(placement, byzantines)
    watch = Watch(settings)
    need = placement.replications // 2 + 1
    bounds = byzantine_bounds(placement, placement_facts(placement), byzantines)
    proved = min(bounds, key=lambda bound: bound.value)
    ceiling = int(proved.value)
    attack = _quick_attack(placement, need, byzantines, watch)
    reached = len(corrupted_parts(placement, attack))
    watch.report(f"q={byzantines}: bounds and quick attack", reached, ceiling)
    proof, stopped = f"{proved.name}", None
    if reached < ceiling and settings.method == "exact":
        found = _search(placement, need, attack, ceiling, watch)
        attack, reached, stopped = found.workers, found.parts, found.stopped
        if found.stopped is None and reached < ceiling:
            ceiling, proof = reached, f"branch and bound, {found.nodes} sets and parts of sets"
    return AttackResult(
        question="byzantine",
        asked=byzantines,
        code=placement.label,
        decoder="majority",
        lower=reached,
        upper=ceiling,
        workers=attack,
        parts=corrupted_parts(placement, attack),
        bounds=bounds,
        proof=proof,
        stopped=stopped if reached < ceiling else None,
        seconds=watch.elapsed,
        settings=settings.record(),
    )


def corrupted_parts(placement: Placement, workers: tuple[int, ...]) -> tuple[int, ...]:
    """Return the parts most of whose holders are among these workers."""
    design = placement.design
    lying = placement.mask(workers)[design.block_of_incidence]
    liars = np.bincount(design.indices[lying], minlength=design.v)
    holders = placement.replications
    return tuple(np.flatnonzero(2 * liars > holders).tolist())


def byzantine_bounds(
    placement: Placement, facts: PlacementFacts, byzantines: int
) -> tuple[Bound, ...]:
    """Return upper bounds on c_max(q).

    Examples
    --------
    >>> from gcdesign.designs import affine_geometry
    >>> placement = Placement(affine_geometry(3))
    >>> bounds = byzantine_bounds(placement, placement_facts(placement), 4)
    >>> [(bound.name, str(bound.value)) for bound in bounds]
    [('all parts', '9'), ('copies', '4'), ('spectral', '3')]
    """
    need = np.sort((placement.replications // 2 + 1)[placement.replications > 0])
    capacity = int(facts.capacity[byzantines])
    within = int(np.searchsorted(np.cumsum(need), capacity, side="right"))
    found = [
        Bound("all parts", "upper", len(need), "c_max ≤ K", "parts that somebody holds"),
        Bound("copies", "upper", within, "c_max ≤ qL/(⌊R/2⌋+1)", "q workers hold qL copies"),
    ]
    spectral = _spectral(facts, byzantines)
    return (*found, *([] if spectral is None else [spectral]))


def _spectral(facts: PlacementFacts, byzantines: int) -> Bound | None:
    """Bound c through the β parts that q workers hold at least: c·m + (β − c) ≤ qL."""
    load, replication, second = facts.load, facts.replication, facts.second_squared
    if not load or not replication or second is None or replication < 2:
        return None
    below = second + (load * replication - second) * Fraction(byzantines, facts.workers)
    if not below:
        return None
    touched = load**2 * byzantines / below
    return Bound(
        "spectral",
        "upper",
        (byzantines * load - touched) / (replication // 2),
        "c_max ≤ (qL - β)/⌊R/2⌋, β = L²q/(σ₂² + (RL - σ₂²)q/N)",
        "Konstantinidis, Ramamoorthy 2021; Tanner 1984",
    )


@dataclass(frozen=True)
class _Found:
    workers: tuple[int, ...]
    parts: int
    nodes: int
    stopped: str | None


def _search(
    placement: Placement, need: Ints, attack: tuple[int, ...], ceiling: int, watch: Watch
) -> _Found:
    """Search all sets of as many workers, from an attack on; end at a proved ceiling."""
    from gcdesign.adversary.lying import byzantine_kernel as kernel

    design, q = placement.design, len(attack)
    state = np.zeros(5, dtype=np.int64)
    state[kernel.BEST] = len(corrupted_parts(placement, attack))
    chosen, best = np.zeros(q, dtype=np.int64), np.array(attack, dtype=np.int64)
    hits = np.zeros(design.v, dtype=np.int64)
    later, copies = _later_holders(placement), _most_copies(placement.loads, q)
    indptr, indices = design.indptr, design.indices.astype(np.int64)
    stopped = watch.stopped()
    while not (state[kernel.DONE] or stopped or state[kernel.BEST] >= ceiling):
        before = int(state[kernel.NODES])
        left = watch.nodes_left
        at_once = NODES_AT_ONCE if left is None else min(NODES_AT_ONCE, left)
        kernel.search(indptr, indices, need, later, copies, chosen, hits, best, state, at_once)
        watch.count(int(state[kernel.NODES]) - before)
        doing = f"q={q}: {state[kernel.NODES]} nodes searched"
        watch.report(doing, int(state[kernel.BEST]), ceiling)
        stopped = None if state[kernel.DONE] else watch.stopped()
    nodes = int(state[kernel.NODES])
    return _Found(tuple(best.tolist()), int(state[kernel.BEST]), nodes, stopped)


def _later_holders(placement: Placement) -> Ints:
    """Return, for each worker w and part, the number of the part's holders from w on."""
    holds = np.zeros((placement.workers + 1, placement.parts), dtype=np.int64)
    design = placement.design
    holds[design.block_of_incidence, design.indices] = 1
    return np.ascontiguousarray(np.cumsum(holds[::-1], axis=0)[::-1])


def _most_copies(loads: Ints, picks: int) -> Ints:
    """Return the most copies that 0 … ``picks`` workers from w on hold, for each w."""
    most = np.zeros((len(loads) + 1, picks + 1), dtype=np.int64)
    for worker in range(len(loads)):
        greatest = np.cumsum(np.sort(loads[worker:])[::-1][:picks])
        most[worker, 1 : len(greatest) + 1] = greatest
        most[worker, len(greatest) + 1 :] = greatest[-1] if len(greatest) else 0
    return most


def _quick_attack(
    placement: Placement, need: Ints, byzantines: int, watch: Watch
) -> tuple[int, ...]:
    """Choose workers greedily by what they corrupt and how far they get, then swap them."""
    best: tuple[int, ...] = tuple(range(byzantines))
    if watch.settings.method == "bounds" or byzantines in (0, placement.workers):
        return best
    holds = placement.design.incidence.astype(np.float64).toarray()
    rng = np.random.default_rng(watch.settings.seed)
    reached = len(corrupted_parts(placement, best))
    for start in range(STARTS):
        if watch.stopped():
            break
        noise = 0.0 if start == 0 else 0.3
        workers = _climb(holds, need, byzantines, rng, noise)
        parts = len(corrupted_parts(placement, workers))
        if parts > reached:
            best, reached = workers, parts
    return best


def _climb(
    holds: NDArray[np.float64], need: Ints, picks: int, rng: np.random.Generator, noise: float
) -> tuple[int, ...]:
    """Add the best worker ``picks`` times, then exchange workers as long as that helps."""
    chosen: list[int] = []
    hits = np.zeros(holds.shape[1])

    def add() -> None:
        # A copy is worth more the nearer it brings its part to the majority.
        missing = need - hits
        value = np.where(missing > 0, 4.0 ** -np.minimum(missing, 30), 0.0)
        gain = holds @ value + noise * rng.random(len(holds)) * value.max(initial=0.0)
        gain[chosen] = -1.0
        chosen.append(int(np.argmax(gain)))
        hits[:] += holds[chosen[-1]]

    for _ in range(picks):
        add()
    best, reached = tuple(sorted(chosen)), int((hits >= need).sum())
    for _ in range(4 * picks):
        out = int(rng.integers(picks))
        hits -= holds[chosen.pop(out)]
        add()
        parts = int((hits >= need).sum())
        if parts > reached:
            best, reached = tuple(sorted(chosen)), parts
    return best
