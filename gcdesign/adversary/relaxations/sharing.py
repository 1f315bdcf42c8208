"""Upper bounds of the worst error from how much S workers can share.

For a biregular 0/1 code the best constant decoding vector of the f = N − S survivors errs by
K − (Lf)²/(R²K − 2RLS + T), T = Σ_j a_j², a_j the number of silent workers that hold part j. So an
upper bound of T over all sets of S workers bounds err_S.

T = uᵀGu, G = EEᵀ, u ∈ {0, 1}^N with 1ᵀu = S. With σ² as in the spectral bound and
c = (RL − σ²)/N the matrix M = σ²I + cJ − G is positive semidefinite, which alone gives
T ≤ σ²S + cS² and the spectral bound. It is not sharp where S workers cannot lie as evenly as
the null space of M asks: let ℬ be sets of b workers such that every worker is in r of them, and
M − w(Σ_B 1_B 1_Bᵀ − (rb/N)J) positive semidefinite, w ≥ 0. The whole numbers |F ∩ B| add up to
rS, so their squares to μ at least, where they differ by at most one, and
T ≤ σ²S + cS² − w(μ − rbS²/N). Last, T ≡ Σ_j a_j = LS modulo 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import floor, lcm

import numpy as np
from numpy.typing import NDArray

from gcdesign.adversary.evidence import Proof
from gcdesign.adversary.relaxations.definite import is_semidefinite
from gcdesign.codes import Placement

MAX_SIDE = 130
"""Most workers for whom the matrix is proved positive semidefinite in whole numbers."""

MAX_STEPS = 200_000
"""Steps of one search for sets."""

MAX_DENOMINATOR = 1000
"""Of the weight w."""

Gram = NDArray[np.int64]


@dataclass(frozen=True)
class Family:
    """Sets ℬ of b workers, every worker in r of them, and their weight w."""

    sets: tuple[tuple[int, ...], ...]
    weight: Fraction


def sharing_bound(
    placement: Placement, stragglers: int, second: Fraction, family: Family | None
) -> tuple[Fraction, Proof] | None:
    """Return a bound of err_S of a biregular 0/1 code and its proof, of kind ``sharing``.

    Parameters
    ----------
    placement
        The placement; None is returned if it is not biregular.
    stragglers
        S.
    second
        A proved bound of σ₂².
    family
        What `uneven_family` found; without it the spectral bound is rounded, no more.

    Examples
    --------
    >>> from gcdesign.designs import projective_geometry
    >>> placement = Placement(projective_geometry(3))
    >>> sharing_bound(placement, 4, Fraction(3), None)[0]
    Fraction(1, 1)
    """
    load, replication = placement.load, placement.replication
    if not load or not replication:
        return None
    workers, parts = placement.workers, placement.parts
    slope = (load * replication - second) / workers
    shared = second * stragglers + slope * stragglers**2
    sets = family.sets if family else ()
    weight = family.weight if family else Fraction(0)
    if sets:
        total = len(sets[0]) * len(sets) // workers * stragglers
        each, more = divmod(total, len(sets))
        squares = more * (each + 1) ** 2 + (len(sets) - more) * each**2
        shared -= weight * (squares - Fraction(total * len(sets[0]) * stragglers, workers))
    most = floor((shared - load * stragglers) / 2) * 2 + load * stragglers
    survivors = replication**2 * parts - 2 * replication * load * stragglers + most
    aimed = (load * (workers - stragglers)) ** 2
    reached = Fraction(aimed, survivors) if survivors > 0 else Fraction(0)
    proof = {
        "by": "sharing",
        "second_squared": second,
        "weight": weight,
        "sets": [list(members) for members in sets],
    }
    return parts - reached, proof


def uneven_family(placement: Placement, second: Fraction) -> Family | None:
    """Look for sets of workers that sharpen the bound; None if there seem to be none.

    Tried are, for each number of parts that two workers share, the largest sets without such a
    pair: in a code with few eigenvalues they meet Hoffman's bound, and their indicators have no
    part in the eigenspace of σ₂².
    """
    load, replication = placement.load, placement.replication
    if not load or not replication or placement.workers > MAX_SIDE:
        return None
    incidence = placement.design.incidence.astype(np.int64).toarray()
    gram: Gram = incidence @ incidence.T
    values = np.unique(gram[~np.eye(len(gram), dtype=bool)])
    for value in values.tolist() if len(values) > 1 else []:
        sets = largest_cliques(gram != value)
        counts = np.bincount([w for members in sets for w in members], minlength=len(gram))
        if not sets or len(sets[0]) < 2 or len(np.unique(counts)) > 1:
            continue
        weight = _weight(gram, load * replication, second, sets)
        if weight:
            return Family(tuple(sets), weight)
    return None


def largest_cliques(joined: NDArray[np.bool_]) -> list[tuple[int, ...]]:
    """Return all largest cliques of a graph; none if the search takes too long.

    Examples
    --------
    >>> largest_cliques(np.array([[0, 1, 1, 0], [1, 0, 1, 0], [1, 1, 0, 1], [0, 0, 1, 0]]) > 0)
    [(0, 1, 2)]
    """
    later = [
        sum(1 << j for j in np.flatnonzero(row).tolist() if j > i) for i, row in enumerate(joined)
    ]
    found: list[tuple[int, ...]] = [()]
    steps = 0
    stack: list[tuple[tuple[int, ...], int]] = [((), (1 << len(later)) - 1)]
    while stack:
        members, candidates = stack.pop()
        steps += 1
        if steps > MAX_STEPS:
            return []
        if len(members) > len(found[0]):
            found = [members]
        elif len(members) == len(found[0]) and members:
            found.append(members)
        while candidates and len(members) + candidates.bit_count() >= len(found[0]):
            first = (candidates & -candidates).bit_length() - 1
            candidates ^= 1 << first
            stack.append(((*members, first), candidates & later[first]))
    return sorted(set(found))


def _weight(
    gram: Gram, greatest: int, second: Fraction, sets: list[tuple[int, ...]]
) -> Fraction | None:
    """Return the greatest proved w, nearly; None if that is 0."""
    n = len(gram)
    indicator = np.zeros((len(sets), n), dtype=np.int64)
    for row, members in zip(indicator, sets, strict=True):
        row[list(members)] = 1
    overlaps = indicator.T @ indicator
    even = Fraction(len(sets) * len(sets[0]) ** 2, n * n)
    slope = (greatest - second) / n
    margin = float(second) * np.eye(n) + float(slope) - gram
    sizes, vectors = np.linalg.eigh(margin)
    spread = overlaps - float(even)
    within = vectors[:, sizes > 1e-7 * greatest]
    kept = sizes[sizes > 1e-7 * greatest]
    if not len(kept):
        return None
    inner = within.T @ spread @ within / np.sqrt(kept[:, None] * kept[None, :])
    steepest = float(np.linalg.eigvalsh(inner)[-1])
    for guess in (Fraction(1 / steepest), Fraction(0.999 / steepest)) if steepest > 0 else ():
        weight = guess.limit_denominator(MAX_DENOMINATOR)
        if weight > 0 and proves_weight(gram, overlaps, second, slope, weight, even):
            return weight
    return None


def proves_weight(
    gram: Gram,
    overlaps: Gram,
    second: Fraction,
    slope: Fraction,
    weight: Fraction,
    even: Fraction,
) -> bool:
    """Whether σ²I + cJ − G − w(Σ 1_B 1_Bᵀ − (rb/N)J) is positive semidefinite, exactly."""
    constant = slope + weight * even
    scale = lcm(second.denominator, constant.denominator, weight.denominator)
    diagonal, everywhere, times = int(second * scale), int(constant * scale), int(weight * scale)
    whole = everywhere - scale * gram.astype(object) - times * overlaps.astype(object)
    rows = whole.tolist()
    for i, row in enumerate(rows):
        row[i] += diagonal
    return is_semidefinite(rows)
