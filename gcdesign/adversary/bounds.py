"""Proved bounds on S*(η) and on err_S that need no search.

Conventions: N workers, K parts, load L, replication R, NL = KR; t = η parts; λ is the
greatest number of workers that two parts share; σ₂ is the second singular value of the
incidence matrix E.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil

import numpy as np
from numpy.typing import NDArray

from gcdesign.adversary.results import Bound, Value
from gcdesign.codes import GradientCode, Placement
from gcdesign.codes.onestep import one_step_weight
from gcdesign.codes.structure import (
    MAX_PAIR_WORK,
    ConstantIntersection,
    ParallelClasses,
    Structure,
    structure_of,
)
from gcdesign.designs.counting import pair_count_range

MAX_DENSE_SIDE = 2000
"""Largest Gram matrix whose spectrum is computed."""

SPECTRAL_MARGIN = 1e-9
"""Relative margin added to a computed σ₂². The symmetric eigensolver's error is below
side · 2⁻⁵² · σ₁², which is under 10⁻¹² of σ₁² for the sides allowed, so the margin is safe."""


@dataclass(frozen=True, eq=False)
class PlacementFacts:
    """The numbers of a placement that its bounds are made of, computed once.

    Attributes
    ----------
    workers, parts, load, replication
        N, K, L, R; L and R are None where they are not constant.
    copies
        Shape (K + 1,): entry t is the least total number of copies of t parts.
    capacity
        Shape (N + 1,): entry s is the greatest number of copies that s workers hold.
    shared
        Least and greatest number of workers that two different parts share; None where
        counting them would take too long.
    second_squared
        An upper bound on σ₂², exact where the structure gives it; None where unknown.
    """

    workers: int
    parts: int
    load: int | None
    replication: int | None
    copies: NDArray[np.int64]
    capacity: NDArray[np.int64]
    shared: tuple[int, int] | None
    second_squared: Fraction | None


def placement_facts(placement: Placement, structure: Structure | None = None) -> PlacementFacts:
    """Return the facts that bounds need; ``structure`` is looked up if it is not given.

    Examples
    --------
    >>> from gcdesign.designs import affine_geometry
    >>> facts = placement_facts(Placement(affine_geometry(3)))
    >>> facts.shared, facts.second_squared
    ((1, 1), Fraction(3, 1))
    """
    structure = structure or structure_of(placement)
    pair_work = int((placement.loads**2).sum())
    shared = pair_count_range(placement.design) if pair_work <= MAX_PAIR_WORK else None
    return PlacementFacts(
        placement.workers,
        placement.parts,
        placement.load,
        placement.replication,
        np.concatenate([[0], np.cumsum(np.sort(placement.replications))]),
        np.concatenate([[0], np.cumsum(np.sort(placement.loads)[::-1])]),
        shared,
        _second_squared(placement, structure, shared),
    )


def _second_squared(
    placement: Placement, structure: Structure | None, shared: tuple[int, int] | None
) -> Fraction | None:
    """Return σ₂², or a little more; None if the placement is not biregular or too large."""
    load, replication = placement.load, placement.replication
    if load is None or replication is None or min(placement.workers, placement.parts) < 2:
        return None
    if isinstance(structure, ConstantIntersection):
        return Fraction(load - structure.intersection)
    if isinstance(structure, ParallelClasses):
        return Fraction(load)
    if shared is not None and shared[0] == shared[1]:
        return Fraction(replication - shared[0])
    if min(placement.workers, placement.parts) > MAX_DENSE_SIDE:
        return None
    incidence = placement.design.incidence.astype(np.float64)
    wide = placement.workers <= placement.parts
    gram = (incidence @ incidence.T if wide else incidence.T @ incidence).toarray()
    second = float(np.linalg.eigvalsh(gram)[-2])
    return Fraction(max(second, 0.0) + SPECTRAL_MARGIN * load * replication)


def threshold_bounds(facts: PlacementFacts, eta: int) -> tuple[Bound, ...]:
    """Return lower and upper bounds on S*(η) for 0 ≤ η ≤ K.

    Examples
    --------
    >>> from gcdesign.designs import projective_geometry
    >>> facts = placement_facts(Placement(projective_geometry(5)))
    >>> [(bound.name, str(bound.value)) for bound in threshold_bounds(facts, 4)]
    [('pair counting', '18'), ('spectral', '16'), ('copies', '4'), ('all holders', '24')]
    """
    found = [
        _pair_counting(facts, eta),
        _spectral_threshold(facts, eta),
        _copies(facts, eta),
        Bound(
            "all holders",
            "upper",
            min(int(facts.copies[eta]), facts.workers),
            "S* ≤ ηR",
            "silence every holder of η parts",
        ),
    ]
    return tuple(bound for bound in found if bound is not None)


def _pair_counting(facts: PlacementFacts, eta: int) -> Bound | None:
    """Bound |N(T)| through Σ_w (a_w − m)(a_w − m − 1) ≥ 0 over the workers hit, any m ≥ 1.

    Here a_w = |T ∩ w| has Σ a_w = A ≥ the least number of copies of t parts, and
    Σ a_w(a_w − 1) ≤ λ t(t − 1), so |N(T)| ≥ (2mA − λ t(t − 1))/(m(m + 1)).
    """
    if facts.shared is None:
        return None
    total, pairs = int(facts.copies[eta]), facts.shared[1] * eta * (eta - 1)
    candidates = range(1, max(eta, 1) + 1)
    value = max(Fraction(2 * m * total - pairs, m * (m + 1)) for m in candidates)
    return Bound(
        "pair counting",
        "lower",
        value,
        "S* ≥ max_m η(2mR - λ(η-1))/(m(m+1))",
        "double counting, after Corrádi; Ure's thesis for planes",
    )


def _spectral_threshold(facts: PlacementFacts, eta: int) -> Bound | None:
    if facts.second_squared is None or facts.load is None or facts.replication is None:
        return None
    second, largest = facts.second_squared, facts.load * facts.replication
    below = second + (largest - second) * Fraction(eta, facts.parts)
    if not below:
        return None
    return Bound(
        "spectral",
        "lower",
        facts.replication**2 * eta / below,
        "S* ≥ R²η/(σ₂² + (RL - σ₂²)η/K)",
        "Tanner 1984; Kadhe, Koyluoglu, Ramchandran 2019",
    )


def _copies(facts: PlacementFacts, eta: int) -> Bound:
    needed = int(facts.copies[eta])
    value: Value = int(np.searchsorted(facts.capacity, needed))
    if facts.load:
        value = Fraction(needed, facts.load)
    return Bound("copies", "lower", value, "S* ≥ ηR/L", "S workers hold at most SL copies")


def whole(bound: Bound) -> int:
    """Return a bound on a number of workers rounded to the whole number that it proves.

    Examples
    --------
    >>> whole(Bound("b", "lower", Fraction(27, 2), "", ""))
    14
    """
    return ceil(bound.value) if bound.side == "lower" else int(bound.value)


def best_lower(bounds: tuple[Bound, ...]) -> Bound:
    """Return the greatest of the lower bounds."""
    return max((b for b in bounds if b.side == "lower"), key=lambda bound: bound.value)


def error_bounds(code: GradientCode, facts: PlacementFacts, stragglers: int) -> tuple[Bound, ...]:
    """Return bounds on err_S under optimal decoding.

    Examples
    --------
    >>> from gcdesign.designs import projective_geometry
    >>> code = GradientCode.from_design(projective_geometry(5))
    >>> bounds = error_bounds(code, placement_facts(code.placement), 10)
    >>> [(bound.name, str(bound.value)) for bound in bounds]
    [('isolated parts', '1'), ('spectral', '25/13'), ('expander', '775/378'), ('no decoding', '31')]
    """
    found: list[Bound] = []
    if code.weights is None:
        found.append(_isolated_parts(facts, stragglers))
        found += _spectral_errors(facts, stragglers)
    found.append(
        Bound("no decoding", "upper", facts.parts, "err_S ≤ K", "the decoding vector v = 0")
    )
    return tuple(found)


def _spectral_errors(facts: PlacementFacts, stragglers: int) -> list[Bound]:
    """Bound err_S by what the best constant decoding vector does, and by Raviv's constant.

    For a biregular placement ‖ρEᵀ1_F − 1‖² ≤ K(1 − ρfR/N)² + ρ²σ₂²fS/N. The best ρ gives
    the first bound; ρ = N/(Rf), which gets the mean right, gives the second.
    """
    second, load, replication = facts.second_squared, facts.load, facts.replication
    survivors = facts.workers - stragglers
    if second is None or load is None or replication is None or survivors == 0:
        return []
    sharp = facts.parts * second * stragglers
    below = replication * load * survivors + second * stragglers
    bounds = (
        [
            Bound(
                "spectral",
                "upper",
                sharp / below,
                "err_S ≤ Kσ₂²S/(RL(N-S) + σ₂²S)",
                "best constant decoding vector",
            )
        ]
        if below
        else []
    )
    if replication:
        bounds.append(one_step_bound(second, facts.workers, replication, stragglers))
    return bounds


def one_step_bounds(
    code: GradientCode, facts: PlacementFacts, stragglers: int
) -> tuple[Bound, ...]:
    """Return bounds on err_S under one-step decoding of a 0/1 code."""
    weight = float(one_step_weight(code, stragglers))
    alone = np.maximum(1.0, (weight * code.placement.replications - 1) ** 2).sum()
    found = [
        _isolated_parts(facts, stragglers),
        Bound(
            "each part alone",
            "upper",
            float(alone) * (1 + SPECTRAL_MARGIN),
            "err_S ≤ Σ_j max(1, (ρR_j - 1)²)",
            "between 0 and all copies of a part survive",
        ),
    ]
    second, replication = facts.second_squared, facts.replication
    if second is not None and replication and stragglers < facts.workers:
        found.append(one_step_bound(second, facts.workers, replication, stragglers))
    return tuple(found)


def _isolated_parts(facts: PlacementFacts, stragglers: int) -> Bound:
    return Bound(
        "isolated parts",
        "lower",
        int(np.searchsorted(facts.copies, stragglers, side="right")) - 1,
        "err_S ≥ ⌊S/R⌋ (⌊S/L⌋ for N = K)",
        "Raviv, Tamo, Tandon, Dimakis, Lemma 21",
    )


def one_step_bound(second: Fraction, workers: int, replication: int, stragglers: int) -> Bound:
    """Return the expander bound of one-step decoding, which optimal decoding obeys too."""
    value = workers * second * stragglers / (replication**2 * (workers - stragglers))
    return Bound(
        "expander",
        "upper",
        value,
        "err_S ≤ (σ₂/R)² NS/(N-S)",
        "Raviv, Tamo, Tandon, Dimakis, for one-step decoding",
    )
