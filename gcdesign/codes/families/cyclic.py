"""Cyclic repetition after Tandon's Algorithm 2: a random H, and rows orthogonal to it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gcdesign.codes.code import GradientCode
from gcdesign.codes.registry import CodeFamily
from gcdesign.codes.rows import check_workers, circulant_code, circulant_size
from gcdesign.designs import Parameter, Provenance
from gcdesign.designs.near import near_exact
from gcdesign.errors import InputError, LimitError

MAX_DRAWS = 10
"""Matrices H that are drawn before the best of them is taken."""

MAX_WORK = 2_000_000_000
"""Largest N(S + 10)³, the work of one draw, that is taken on."""

MAX_ENTRIES = 1_000_000
"""Entries of the systems that are solved at once."""

MAX_COEFFICIENT = 10
MAX_CONDITION = 100
"""Times N, and times NS: what the largest coefficient and the condition may be in a good draw."""


@dataclass(frozen=True)
class CyclicRepetition:
    """A cyclic repetition code and how well conditioned its draw was.

    Attributes
    ----------
    code
        The gradient code.
    condition
        The largest condition number of the N systems, each of S columns of H, that gave the rows.
    largest
        The largest coefficient in absolute value; every row has one coefficient 1.
    draws
        How many matrices H were drawn.
    """

    code: GradientCode
    condition: float
    largest: float
    draws: int


def cyclic_repetition(workers: int, stragglers: int, *, seed: int = 0) -> CyclicRepetition:
    """Return a cyclic repetition code that tolerates any S stragglers, and its condition.

    Worker i holds the parts i, …, i + S (mod N) and its row is orthogonal to the rows of a
    random S × N matrix H with H·1 = 0, so that 1 lies in the span of any N − S rows with
    probability 1. A draw whose coefficients pass 10N, or whose condition number passes 100NS, is
    drawn again, at most `MAX_DRAWS` times; then the one with the smallest coefficients is taken.

    Parameters
    ----------
    workers
        Number of workers N = number of parts K.
    stragglers
        Number of stragglers S that are tolerated, 0 ≤ S < N; L = S + 1.
    seed
        Seed of the draws, 0 or more.

    Raises
    ------
    InputError
        If N, S or the seed is out of range.
    LimitError
        If N(S + 10)³ is above `MAX_WORK`.

    Notes
    -----
    Source: Tandon, Lei, Dimakis, Karampatziakis 2017, Algorithm 2 and Theorem 2; the redrawing
    is ours: a single draw can have coefficients of many thousands at N = 12.

    Examples
    --------
    >>> made = cyclic_repetition(5, 2)
    >>> made.code.decode([0, 3]).error < 1e-20
    True
    """
    check_workers(workers, stragglers, name="cyclic", load=stragglers + 1)
    if not 0 <= seed < 1 << 63:
        raise InputError(f"seed={seed}; expected a whole number, 0 or more")
    if workers * (stragglers + 10) ** 3 > MAX_WORK:
        raise LimitError(
            f"cyclic:workers={workers},stragglers={stragglers} solves {workers} systems of "
            f"{stragglers} unknowns; the limit is N(S + 10)³ ≤ {MAX_WORK}. cyclic-mds solves none"
        )
    rng = np.random.default_rng(seed)
    best: tuple[NDArray[np.float64], float, float] | None = None
    draws = 0
    while draws < MAX_DRAWS:
        draws += 1
        rows, condition, largest = _draw(workers, stragglers, rng)
        if best is None or largest < best[2]:
            best = rows, condition, largest
        good = condition <= MAX_CONDITION * workers * max(stragglers, 1)
        if good and largest <= MAX_COEFFICIENT * workers:
            best = rows, condition, largest
            break
    assert best is not None
    made = Provenance.of("cyclic", workers=workers, stragglers=stragglers, seed=seed)
    code = circulant_code(best[0], provenance=made, tolerates=stragglers)
    return CyclicRepetition(code, best[1], best[2], draws)


def _draw(
    workers: int, stragglers: int, rng: np.random.Generator
) -> tuple[NDArray[np.float64], float, float]:
    """Draw H; return the rows, shape (N, S + 1), their condition and largest coefficient."""
    rows = np.ones((workers, stragglers + 1))
    if stragglers == 0:
        return rows, 1.0, 1.0
    h = rng.standard_normal((stragglers, workers))
    h[:, -1] = -h[:, :-1].sum(axis=1)
    condition = 1.0
    at_once = max(1, MAX_ENTRIES // stragglers**2)
    for start in range(0, workers, at_once):
        some = np.arange(start, min(start + at_once, workers))
        columns = (some[:, None] + np.arange(stragglers + 1)) % workers
        systems = h[:, columns[:, 1:]].transpose(1, 0, 2)
        wanted = -h[:, columns[:, 0]].T[:, :, None]
        rows[some, 1:] = np.linalg.solve(systems, wanted)[:, :, 0]
        condition = max(condition, float(np.linalg.cond(systems).max()))
    return rows, condition, float(np.abs(rows).max())


def construct(workers: int, stragglers: int, seed: int = 0) -> GradientCode:
    """Return the code of `cyclic_repetition`."""
    return cyclic_repetition(workers, stragglers, seed=seed).code


def label(workers: int, stragglers: int, seed: int) -> str:
    """Return ``"cyclic repetition (N=9, S=2)"``; a seed other than 0 is named."""
    shown = f", seed {seed}" if seed else ""
    return f"cyclic repetition (N={workers}, S={stragglers}{shown})"


FAMILY = CodeFamily(
    name="cyclic",
    summary="cyclic repetition: exact for any S stragglers with load S+1, random weights",
    source="Tandon, Lei, Dimakis, Karampatziakis 2017, Algorithm 2",
    parameters=(
        Parameter("workers", "number of workers N = number of parts K"),
        Parameter("stragglers", "number of stragglers S that it tolerates, 0 to workers-1"),
        Parameter("seed", "seed of the random matrix H (default 0)", True),
    ),
    construct=construct,
    size=lambda workers, stragglers, seed=0: circulant_size(workers, stragglers + 1),
    label=label,
    example={"workers": 9, "stragglers": 2},
    domain="0 ≤ stragglers < workers",
    near=near_exact("cyclic"),
)
