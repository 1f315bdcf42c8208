"""Expected errors that are known exactly: from formulas, or from all sets where they are few."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache, partial
from math import comb, factorial, prod

import numpy as np

from gcdesign.codes.code import GradientCode
from gcdesign.codes.decoding import DecoderName, decode
from gcdesign.codes.exact import error_of_gram
from gcdesign.codes.onestep import one_step_error, one_step_weight
from gcdesign.codes.straggling import Independent, Racks, Uniform, Weighted
from gcdesign.codes.structure import ConstantIntersection, ParallelClasses, ReplicaGroups

MAX_STEPS = 4_000_000
"""Steps of elimination, over all sets, that finding a mean from all sets may take: seconds."""

MAX_PROFILES = 2_000
"""Numbers of stragglers in the parallel classes, up to their order, that are gone through."""

SUM_ROUNDING = 1e-12
"""Times K: more than what adding up to 10⁵ errors rounds."""

Mean = tuple[Fraction | float, str, float]
"""The mean, how it was found, and its tolerance: 0 for a fraction."""


def uniform(code: GradientCode, stragglers: int, decoder: DecoderName) -> Mean | None:
    """Return the mean over all sets of S workers in closed form, or None.

    Examples
    --------
    >>> from gcdesign.codes import load_code
    >>> uniform(load_code("frc:workers=8,stragglers=1"), 3, "one-step")
    (Fraction(72, 35), 'closed form: mean and variance of the copies', 0.0)
    """
    if decoder == "one-step":
        return _one_step(code, stragglers), "closed form: mean and variance of the copies", 0.0
    structure = code.structure
    mean: Fraction | None = None
    if isinstance(structure, ConstantIntersection):
        mean = structure.error_of(stragglers)
    elif isinstance(structure, ReplicaGroups):
        mean = _by_groups(structure, stragglers)
    elif isinstance(structure, ParallelClasses):
        mean = _by_classes(structure, stragglers)
    if structure is None or mean is None:
        return None
    return mean, f"closed form: {structure.name}", 0.0


def _one_step(code: GradientCode, stragglers: int) -> Fraction:
    """Return ρ² Σ E c_j² − 2ρ Σ E c_j + K, c_j hypergeometric: the live ones of d_j holders."""
    workers, f = code.workers, code.workers - stragglers
    rho = one_step_weight(code, stragglers)
    holders = code.placement.replications
    once = int(holders.sum())
    twice = int((holders * (holders - 1)).sum())
    if workers == 0:
        return Fraction(code.parts)
    mean = Fraction(once * f, workers)
    pairs = Fraction(twice * f * (f - 1), workers * (workers - 1)) if workers > 1 else Fraction(0)
    return rho**2 * (mean + pairs) - 2 * rho * mean + code.parts


def _by_groups(structure: ReplicaGroups, stragglers: int) -> Fraction:
    """Each group is lost with probability C(N − n, S − n)/C(N, S), n its workers."""
    workers = len(structure.group_of)
    lost = sum(
        load * comb(workers - size, stragglers - size)
        for size, load in zip(structure.sizes, structure.loads, strict=True)
        if size <= stragglers
    )
    return structure.unheld + Fraction(lost, comb(workers, stragglers))


def _by_classes(structure: ParallelClasses, stragglers: int) -> Fraction | None:
    """Sum over how many of each class are silent, up to the order of the classes."""
    r, n = structure.classes, structure.class_size
    if stragglers < r:
        return Fraction(0)
    if _count_partitions(r, n)[stragglers - r] > MAX_PROFILES:
        return None
    total = Fraction(0)
    for counts in _partitions(stragglers, r, n):
        same = prod(factorial(counts.count(value)) for value in set(counts))
        ways = factorial(r) // same * prod(comb(n, s) for s in counts)
        total += ways * structure.error_of(counts)
    return total / comb(r * n, stragglers)


@cache
def _count_partitions(pieces: int, most: int) -> tuple[int, ...]:
    """Return how many ways `_partitions` yields, for each total from ``pieces`` on.

    They are the coefficients of the Gaussian binomial Π (1 − x^(most − 1 + i))/(1 − x^i).
    """
    size = pieces * (most - 1) + 1
    ways = [1] + [0] * (size - 1)
    for i in range(1, pieces + 1):
        for at in range(size - 1, most - 2 + i, -1):
            ways[at] -= ways[at - (most - 1 + i)]
        for at in range(i, size):
            ways[at] += ways[at - i]
    return tuple(ways)


def _partitions(total: int, pieces: int, most: int) -> Iterator[list[int]]:
    """Yield the ways to write a number as a sum of so many pieces of 1 to ``most``, falling."""
    if pieces == 0:
        if total == 0:
            yield []
        return
    for first in range(min(most, total - pieces + 1), 0, -1):
        if first * pieces < total:
            return
        for rest in _partitions(total - first, pieces - 1, first):
            yield [first, *rest]


def independent(code: GradientCode, model: Independent, decoder: DecoderName) -> Mean | None:
    """Return the mean where each worker is silent by itself, in closed form or from all sets."""
    structure = code.structure
    if decoder == "optimal" and isinstance(structure, ReplicaGroups):
        chances = [Fraction(1)] * len(structure.sizes)
        for group, p in zip(structure.group_of.tolist(), model.probabilities, strict=True):
            chances[group] *= Fraction(p)
        lost = sum((c * load for c, load in zip(chances, structure.loads, strict=True)), Fraction())
        return structure.unheld + lost, f"closed form: {structure.name}", 0.0
    if decoder == "optimal" and isinstance(structure, ConstantIntersection):
        numbers = _number_silent(model)
        mean = sum((p * structure.error_of(s) for s, p in enumerate(numbers)), Fraction(0))
        return mean, f"closed form: {structure.name}", 0.0
    if model.count() * _steps(code, code.workers) > MAX_STEPS:
        return None
    return _mean(code, model.sets(), decoder, f"all {model.count()} sets")


def _number_silent(model: Independent) -> list[Fraction]:
    """Return the probability of each number of silent workers."""
    numbers = [Fraction(1)]
    for p in (Fraction(p) for p in model.probabilities):
        stay, go = [q * (1 - p) for q in numbers], [q * p for q in numbers]
        numbers = [a + b for a, b in zip([*stay, Fraction(0)], [Fraction(0), *go], strict=True)]
    return numbers


def of_all_sets(
    code: GradientCode, model: Uniform | Racks, stragglers: int, decoder: DecoderName
) -> Mean | None:
    """Return the mean over all sets that the model lists, or None where they are too many."""
    count = model.count(stragglers)
    if count * _steps(code, code.workers - stragglers) > MAX_STEPS:
        return None
    sets = "1 set" if count == 1 else f"all {count} sets"
    return _mean(code, model.sets(stragglers), decoder, sets)


def _steps(code: GradientCode, survivors: int) -> int:
    """Return the cost of one set: an elimination, or a closed form that counts as 1000 steps."""
    if code.structure is not None or code.graph is not None:
        return 1000 + code.workers + code.parts
    return 300 + survivors**3 // 3


def _mean(code: GradientCode, sets: Weighted, decoder: DecoderName, name: str) -> Mean:
    if code.weights is not None:
        return _floating_mean(code, sets, name)
    error: Callable[[tuple[int, ...]], Fraction]
    if decoder == "one-step":
        error = partial(_one_step_error, code)
    elif code.structure is not None or code.graph is not None:
        error = partial(_closed_error, code)
    else:
        rows = code.placement.design.incidence.toarray().astype(np.int64)
        gram, sums = (rows @ rows.T).tolist(), rows.sum(axis=1).tolist()
        error = partial(_eliminated_error, gram, sums, code.parts)
    return sum((chance * error(silent) for chance, silent in sets), Fraction(0)), name, 0.0


def _one_step_error(code: GradientCode, silent: tuple[int, ...]) -> Fraction:
    return one_step_error(code, code.placement.mask(silent))


def _closed_error(code: GradientCode, silent: tuple[int, ...]) -> Fraction:
    mask = code.placement.mask(silent)
    structure = code.structure or code.graph
    assert structure is not None
    return structure.error(mask)


def _eliminated_error(
    gram: list[list[int]], sums: list[int], parts: int, silent: tuple[int, ...]
) -> Fraction:
    gone = set(silent)
    return error_of_gram(gram, sums, parts, [w for w in range(len(sums)) if w not in gone])


def _floating_mean(code: GradientCode, sets: Weighted, name: str) -> Mean:
    mean = tolerance = 0.0
    for chance, silent in sets:
        decoding = decode(code, silent, exact=False)
        mean += float(chance) * decoding.error
        tolerance += float(chance) * decoding.tolerance
    return mean, f"{name}, in floating point", tolerance + SUM_ROUNDING * code.parts
