"""Exactness: Condition 1 (B-span) checked, and what Theorem 1 says any exact code must cost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb, sqrt

import numpy as np

from gcdesign.codes.code import GradientCode
from gcdesign.codes.decoding import DEPENDENT, decode
from gcdesign.errors import InputError, LimitError

MAX_ENTRIES = 4_000_000
"""Largest encoding matrix whose singular values are computed."""

MAX_SETS = 1_000_000
"""Largest number of sets of stragglers that is checked without sampling."""


@dataclass(frozen=True)
class SpanCheck:
    """Whether the sum of all gradients is in the span of what any N − S workers send.

    Attributes
    ----------
    holds
        Whether every set that was checked has a residual of at most ``tolerance``.
    complete
        Whether every set was checked; if not, ``holds`` speaks for the sample alone.
    sets
        Number of sets that were checked.
    residual
        The largest ‖E_Fᵀv − 1‖ (not squared) over these sets, in floating point.
    silenced
        A set that attains it.
    tolerance
        The residual up to which a set counts as decoded.
    """

    holds: bool
    complete: bool
    sets: int
    residual: float
    silenced: tuple[int, ...]
    tolerance: float


def check_span(
    code: GradientCode,
    stragglers: int,
    *,
    samples: int | None = None,
    seed: int = 0,
    tolerance: float = 1e-9,
) -> SpanCheck:
    """Check Condition 1: that 1 is in the span of the rows of any N − S workers.

    Parameters
    ----------
    code
        The gradient code, of any kind.
    stragglers
        Number of stragglers S, 0 ≤ S ≤ N. Fewer stragglers are then tolerated too.
    samples
        Number of random sets to check; by default all C(N, S) sets.
    seed
        Seed of the random sets.
    tolerance
        Largest residual ‖E_Fᵀv − 1‖ that counts as 0.

    Raises
    ------
    InputError
        If S, the number of samples or the tolerance is out of range.
    LimitError
        If there are more than `MAX_SETS` sets and no number of samples is given.

    Notes
    -----
    Source: Tandon, Lei, Dimakis, Karampatziakis 2017, Condition 1.

    Examples
    --------
    >>> from gcdesign.codes import load_code
    >>> check_span(load_code("frc:workers=6,stragglers=1"), 1).holds
    True
    >>> check_span(load_code("pg:q=2"), 1).residual
    0.5
    """
    if not 0 <= stragglers <= code.workers:
        raise InputError(f"stragglers={stragglers}; expected 0 to {code.workers}")
    if samples is not None and samples < 1:
        raise InputError(f"samples={samples}; expected 1 or more, or None for all sets")
    if not 0 < tolerance < 1:
        raise InputError(f"tolerance={tolerance}; expected a number between 0 and 1")
    total = comb(code.workers, stragglers)
    if samples is None and total > MAX_SETS:
        raise LimitError(
            f"{total} sets of {stragglers} stragglers; the limit is {MAX_SETS}: give samples=1000"
        )
    complete = samples is None or samples >= total
    count, worst, witness = 0, -1.0, tuple[int, ...]()
    sets = (
        combinations(range(code.workers), stragglers)
        if complete
        else _random_sets(code.workers, stragglers, samples or 0, seed)
    )
    for silenced in sets:
        error = decode(code, silenced, exact=False).error
        count += 1
        if error > worst:
            worst, witness = error, silenced
    residual = sqrt(worst)
    return SpanCheck(residual <= tolerance, complete, count, residual, witness, tolerance)


def _random_sets(
    workers: int, stragglers: int, samples: int, seed: int
) -> Iterator[tuple[int, ...]]:
    rng = np.random.default_rng(seed)
    for _ in range(samples):
        yield tuple(sorted(rng.choice(workers, stragglers, replace=False).tolist()))


def condition_number(code: GradientCode) -> float:
    """Return the greatest singular value of E over the least that is not 0.

    The workers' rows are first scaled by powers of 2 to equal size, as decoding does. Singular
    values below `gcdesign.codes.decoding.DEPENDENT` of the greatest count as 0; 1 is the least.

    Raises
    ------
    LimitError
        If E has more than `MAX_ENTRIES` entries.

    Examples
    --------
    >>> from gcdesign.codes import load_code
    >>> condition_number(load_code("uncoded:workers=5"))
    1.0
    """
    if code.workers * code.parts > MAX_ENTRIES:
        raise LimitError(
            f"a matrix of {code.workers} × {code.parts} entries; the limit is {MAX_ENTRIES}"
        )
    singular = np.linalg.svd(code.levelled_encoding(), compute_uv=False)
    used = singular[singular > DEPENDENT * singular.max(initial=0.0)]
    return float(used[0] / used[-1]) if used.size else 1.0


def density_bound(workers: int, stragglers: int, *, parts: int | None = None) -> Fraction:
    """Return K(S + 1)/N, the least load with which equal workers can tolerate any S stragglers.

    Each part needs S + 1 holders, or its holders may all be silent.

    Parameters
    ----------
    workers, stragglers
        N and S, 0 ≤ S < N.
    parts
        Number of parts K, by default N.

    Raises
    ------
    InputError
        If a number is out of range.

    Notes
    -----
    Source: Tandon, Lei, Dimakis, Karampatziakis 2017, Theorem 1.

    Examples
    --------
    >>> density_bound(9, 2), density_bound(9, 2, parts=6)
    (Fraction(3, 1), Fraction(2, 1))
    """
    parts = workers if parts is None else parts
    if workers < 1 or parts < 1:
        raise InputError(f"workers={workers}, parts={parts}; expected 1 or more")
    if not 0 <= stragglers < workers:
        raise InputError(f"stragglers={stragglers}; expected 0 to {workers - 1} (workers - 1)")
    return Fraction(parts * (stragglers + 1), workers)
