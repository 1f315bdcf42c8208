"""Reed–Solomon codes: row i holds the values of one polynomial a part at the point a_i."""

from __future__ import annotations

from math import gcd, sqrt

import numpy as np
from numpy.typing import NDArray

from gcdesign.codes.code import GradientCode
from gcdesign.codes.registry import CodeFamily
from gcdesign.codes.rows import code_of_rows
from gcdesign.designs import BlockDesign, Parameter, Provenance
from gcdesign.designs.design import Size, check_size
from gcdesign.errors import InputError, LimitError

MAX_FACTORS = 2_000_000_000
"""Largest Nwd, the number of factors of all entries, that is multiplied."""

MAX_FACTORS_HELD = 1_000_000

GOLDEN = (3 - sqrt(5)) / 2
"""The share of a full turn between the points of neighbouring workers."""


def construct(workers: int, load: int, parts: int | None = None) -> GradientCode:
    """Return the Reed–Solomon code of load w: it tolerates any S = wN/K − 1 stragglers.

    Worker i holds w parts from ⌊iK/N⌋ on (mod K), so each part has d = wN/K holders. Part j has
    the polynomial t_j(x) = Π (1 − x/a_l) over the N − d workers l that do not hold it, and
    B_ij = t_j(a_i) at the N-th roots of unity a_i. All t_j(0) are 1 and their degrees are below
    f = N − S, so the values at 0 follow from any f workers by interpolation:
    `gcdesign.codes.lagrange.lagrange_weights`.

    Parameters
    ----------
    workers
        Number of workers N.
    load
        Number of parts w that a worker holds.
    parts
        Number of parts K, by default N; wN must be a multiple of it.

    Raises
    ------
    InputError
        If the load is out of range or no whole number of workers holds each part; the nearest
        loads are named.

    Notes
    -----
    Source: Halbawi, Azizan-Ruhi, Salehi, Hassibi, Improving Distributed Gradient Descent Using
    Reed–Solomon Codes. Weights are complex: workers send real and imaginary parts. That
    neighbours get points far apart is ours; see `evaluation_points`.

    Examples
    --------
    >>> code = construct(6, 2, parts=4)
    >>> code.tolerates, code.decode([1, 5]).error < 1e-20
    (2, True)
    """
    parts = workers if parts is None else parts
    copies = check_copies(workers, parts, load)
    first = np.arange(workers) * parts // workers
    columns = (first[:, None] + np.arange(load)) % parts
    design = BlockDesign.from_rows(parts, np.sort(columns, axis=1).astype(np.int32))
    weights = _values(workers, parts, columns)
    made = Provenance.of("rs", workers=workers, load=load, parts=parts)
    return code_of_rows(design, columns, weights, provenance=made, tolerates=copies - 1)


def check_copies(workers: int, parts: int, load: int) -> int:
    """Return d = wN/K, the number of holders of each part, or refuse."""
    for name, value in (("workers", workers), ("parts", parts), ("load", load)):
        if value < 1:
            raise InputError(f"{name}={value}; expected 1 or more")
    if load > parts:
        raise InputError(f"load={load}; expected 1 to parts={parts}")
    check_size(Size(parts, workers, workers * load), name=f"rs:workers={workers}")
    copies, over = divmod(load * workers, parts)
    if over:
        step = parts // gcd(workers, parts)  # loads that fit are its multiples
        below = load // step * step
        near = [w for w in (below, below + step) if 0 < w <= parts]
        raise InputError(
            f"load={load} with {workers} workers and {parts} parts gives {load * workers} copies, "
            f"no multiple of {parts}; the nearest: " + " or ".join(f"load={w}" for w in near)
        )
    if workers * load * copies > MAX_FACTORS:
        raise LimitError(
            f"rs:workers={workers},load={load} has entries of {copies} factors; the limit is "
            f"workers · load · {copies} ≤ {MAX_FACTORS}"
        )
    return copies


def evaluation_points(workers: int) -> NDArray[np.complex128]:
    """Return the N-th roots of unity a_i = exp(2πi·ci/N), c coprime to N and near 0.382N.

    The workers that hold a part are neighbours. With neighbouring points too, the values of t_j
    reach 10¹⁸ at N = 200, w = 20, and nothing is decoded in floating point; with points spread
    by the golden ratio they stay within a factor of 10 of d, and random stragglers, or runs of
    neighbours, are decoded to 10⁻⁹.

    Examples
    --------
    >>> evaluation_points(4).round(12).tolist()
    [(1+0j), (-0-1j), (-1+0j), 1j]
    """
    step = max(1, round(GOLDEN * workers))
    while gcd(step, workers) > 1:
        step += 1
    turns = np.arange(workers) * step % workers / workers
    points: NDArray[np.complex128] = np.exp(2j * np.pi * turns)
    return points


def _values(workers: int, parts: int, columns: NDArray[np.int64]) -> NDArray[np.complex128]:
    """Return t_j(a_i) for the parts j of each worker i, shape (N, w).

    Π (1 − a_i/a_l) over all l ≠ i is N, so only the holders have to be divided out.
    """
    points = evaluation_points(workers)
    copies = columns.size // parts
    order = np.argsort(columns.reshape(-1), kind="stable")
    holders = (order // columns.shape[1]).reshape(parts, copies)
    weights = np.empty(columns.shape, dtype=np.complex128)
    at_once = max(1, MAX_FACTORS_HELD // (columns.shape[1] * copies))
    for start in range(0, workers, at_once):
        some = np.arange(start, min(start + at_once, workers))[:, None, None]
        others = holders[columns[some[:, 0, 0]]]
        factors = np.where(others == some, 1, 1 - points[some] / points[others])
        weights[some[:, 0, 0]] = workers / factors.prod(axis=2)
    return weights


def label(workers: int, load: int, parts: int) -> str:
    """Return ``"Reed–Solomon (N=9, w=3)"``; parts are named if there are not as many."""
    shown = "" if parts == workers else f", K={parts}"
    return f"Reed–Solomon (N={workers}, w={load}{shown})"


FAMILY = CodeFamily(
    name="rs",
    summary="Reed-Solomon: exact for load*workers/parts-1 stragglers, decoded by interpolation",
    source="Halbawi, Azizan-Ruhi, Salehi, Hassibi 2018",
    parameters=(
        Parameter("workers", "number of workers N"),
        Parameter("load", "number of parts of a worker, w"),
        Parameter("parts", "number of parts K, a divisor of load*workers (default N)", True),
    ),
    construct=construct,
    size=lambda workers, load, parts=None: Size(parts or workers, workers, workers * load),
    label=label,
    example={"workers": 9, "load": 3},
    domain="1 ≤ load ≤ parts, parts divides load·workers",
)
