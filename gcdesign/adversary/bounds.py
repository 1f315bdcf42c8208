"""The numbers that bounds are made of, and proved bounds on err_S that need no search.

Conventions: N workers, K parts, load L, replication R, NL = KR; t = η parts; λ is the
greatest number of workers that two parts share; σ₂ is the second singular value of the
incidence matrix E.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from gcdesign.adversary.results import Bound
from gcdesign.adversary.spectrum import second_squared
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

FLOAT_MARGIN = 1e-9
"""Relative margin added to a bound that is a sum of floats."""


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
    shared = _shared(placement, structure)
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


def _shared(placement: Placement, structure: Structure | None) -> tuple[int, int] | None:
    """Return the least and greatest number of workers that two parts share, None if too long."""
    if isinstance(structure, ConstantIntersection) and placement.workers == placement.parts:
        return structure.intersection, structure.intersection  # the dual is symmetric too
    pair_work = int((placement.loads**2).sum()) + placement.parts**2
    return pair_count_range(placement.design) if pair_work <= MAX_PAIR_WORK else None


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
    return second_squared(placement)


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
    weight = one_step_weight(code, stragglers)
    counts = np.bincount(code.placement.replications).tolist()
    alone = sum((n * max(1, (weight * r - 1) ** 2) for r, n in enumerate(counts)), Fraction(0))
    found = [
        _isolated_parts(facts, stragglers),
        Bound(
            "each part alone",
            "upper",
            alone,
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
