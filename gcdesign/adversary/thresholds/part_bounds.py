"""Proved bounds on S*(η) that need no search, each with the evidence that a checker needs.

Conventions: N workers, K parts, load L, replication R; t = η parts; σ₂ is the second singular
value of the incidence matrix.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil

import numpy as np

from gcdesign.adversary.bounds import PlacementFacts
from gcdesign.adversary.results import Bound, Value
from gcdesign.adversary.thresholds.overlaps import Overlaps
from gcdesign.adversary.thresholds.shares import SharedCosts


def threshold_bounds(
    facts: PlacementFacts,
    eta: int,
    overlaps: Overlaps | None = None,
    shared: SharedCosts | None = None,
) -> tuple[Bound, ...]:
    """Return lower and upper bounds on S*(η) for 0 ≤ η ≤ K.

    Parameters
    ----------
    facts
        The placement's numbers.
    eta
        Number of parts to lose.
    overlaps
        The numbers of workers that parts share; without them the greatest one stands for all.
    shared
        Shares of the workers' costs, if there are any.

    Examples
    --------
    >>> from gcdesign.adversary.bounds import placement_facts
    >>> from gcdesign.codes import Placement
    >>> from gcdesign.designs import projective_geometry
    >>> facts = placement_facts(Placement(projective_geometry(5)))
    >>> [(bound.name, str(bound.value)) for bound in threshold_bounds(facts, 4)]
    [('pair counting', '18'), ('spectral', '16'), ('copies', '4'), ('all holders', '24')]
    """
    found = [
        _pair_counting(facts, eta, overlaps),
        _spectral_threshold(facts, eta),
        None if shared is None else _shares(shared, eta),
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


def most_pairs(facts: PlacementFacts, eta: int, overlaps: Overlaps | None) -> int | None:
    """Return an upper bound on the ordered pairs of η parts on common workers, if one is known.

    Examples
    --------
    >>> from gcdesign.adversary.bounds import placement_facts
    >>> from gcdesign.codes import Placement
    >>> from gcdesign.designs import projective_geometry
    >>> most_pairs(placement_facts(Placement(projective_geometry(5))), 4, None)
    12
    """
    if overlaps is not None:
        return overlaps.most(eta)
    return None if facts.shared is None else facts.shared[1] * eta * max(eta - 1, 0)


def _pair_counting(facts: PlacementFacts, eta: int, overlaps: Overlaps | None) -> Bound | None:
    """Bound |N(T)| through Σ_w (a_w − m)(a_w − m − 1) ≥ 0 over the workers hit, any m ≥ 1.

    Here a_w = |T ∩ w| has Σ a_w ≥ A, the least number of copies of t parts, and
    Σ a_w(a_w − 1) ≤ P, so |N(T)| ≥ (2mA − P)/(m(m + 1)).
    """
    pairs = most_pairs(facts, eta, overlaps)
    if pairs is None:
        return None
    total = int(facts.copies[eta])
    most = max(1, min(eta, int(facts.capacity[:2].max())))
    value, m = max((Fraction(2 * m * total - pairs, m * (m + 1)), m) for m in range(1, most + 1))
    return Bound(
        "pair counting",
        "lower",
        value,
        "S* ≥ max_m η(2mR - λ(η-1))/(m(m+1))",
        "double counting, after Corrádi; Ure's thesis for planes",
        {"by": "pairs", "m": m},
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
        {"by": "spectral", "second_squared": second},
    )


def _shares(shared: SharedCosts, eta: int) -> Bound:
    return Bound(
        "shares",
        "lower",
        shared.bound(eta),
        "S* ≥ ⌈sum of the η least part sums⌉",
        "linear programming, its dual; fair shares after Fujishige 1980",
        shared.evidence,
    )


def _copies(facts: PlacementFacts, eta: int) -> Bound:
    needed = int(facts.copies[eta])
    value: Value = int(np.searchsorted(facts.capacity, needed))
    if facts.load:
        value = Fraction(needed, facts.load)
    return Bound(
        "copies",
        "lower",
        value,
        "S* ≥ ηR/L",
        "S workers hold at most SL copies",
        {"by": "copies"},
    )


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
