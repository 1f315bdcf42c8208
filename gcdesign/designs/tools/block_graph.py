"""Block graphs: which blocks meet, and the spectrum of that graph, exactly where it is regular."""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt

import numpy as np

from gcdesign.designs.counting import concurrence_rows
from gcdesign.designs.design import BlockDesign
from gcdesign.designs.graphs.graph import Graph
from gcdesign.designs.graphs.measures import strongly_regular
from gcdesign.designs.operations import dual
from gcdesign.errors import InputError, LimitError

MAX_BLOCKS = 2000
"""Largest number of blocks whose graph is diagonalised."""

TOLERANCE = 1e-8
"""Computed eigenvalues closer than this, relative to the greatest degree, are shown as one."""


def block_graph(design: BlockDesign, meeting: int | None = None) -> Graph:
    """Return the graph on the blocks in which two are joined if they meet.

    Parameters
    ----------
    design
        Any block design.
    meeting
        Join blocks that meet in exactly so many points, instead of in at least one.

    Raises
    ------
    InputError
        If ``meeting`` is negative.
    LimitError
        If there are more than `MAX_BLOCKS` blocks.

    Examples
    --------
    >>> from gcdesign.designs import affine_geometry
    >>> block_graph(affine_geometry(3)).degrees.tolist()
    [9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9]
    """
    if meeting is not None and meeting < 0:
        raise InputError(f"meeting={meeting}; expected a number of points, 0 or more")
    if design.b > MAX_BLOCKS:
        raise LimitError(f"{design.b} blocks; the limit for block graphs is {MAX_BLOCKS}")
    edges = []
    for start, rows in concurrence_rows(dual(design)) if design.b else ():
        joined = rows > 0 if meeting is None else rows == meeting
        first, second = np.nonzero(joined)
        later = second > first + start
        edges.append(np.column_stack([first[later] + start, second[later]]))
    pairs = np.concatenate(edges) if edges else np.empty((0, 2), dtype=np.int64)
    return Graph.from_edges(design.b, pairs)


@dataclass(frozen=True)
class Eigenvalue:
    """An eigenvalue (a + b √d)/2 of a graph, or one that is only computed.

    Attributes
    ----------
    value
        As a float.
    multiplicity
        How often it occurs; exactly known if ``exact`` is there.
    exact
        The numbers a, b, d, with d free of squares, and b = 0 and d = 1 for rational values; None
        if the value was computed in floating point, to within `TOLERANCE` times the degree.
    """

    value: float
    multiplicity: int
    exact: tuple[int, int, int] | None = None

    def __str__(self) -> str:
        if self.exact is None:
            return f"{self.value:.6g}"
        a, b, d = self.exact
        if b == 0:
            return str(a // 2) if a % 2 == 0 else f"{a}/2"
        root = f"√{d}" if abs(b) == 1 else f"{abs(b)}√{d}"
        head = f"{a} " if a else ""
        sign = "+ " if b > 0 and a else "- " if a else "" if b > 0 else "-"
        return f"({head}{sign}{root})/2"


@dataclass(frozen=True)
class Spectrum:
    """The spectrum of a graph.

    Attributes
    ----------
    parameters
        (n, k, λ, μ) of a strongly regular graph, or None.
    eigenvalues
        The different eigenvalues, the greatest first.
    """

    parameters: tuple[int, int, int, int] | None
    eigenvalues: tuple[Eigenvalue, ...]


def spectrum(graph: Graph) -> Spectrum:
    """Return the eigenvalues of the adjacency matrix with their multiplicities.

    Of a strongly regular graph they come from its parameters, in whole numbers; of others from a
    floating-point computation.

    Raises
    ------
    LimitError
        If there are more than `MAX_BLOCKS` vertices.

    Notes
    -----
    Source: R. C. Bose 1963; A. E. Brouwer, W. H. Haemers, *Spectra of Graphs*, theorem 9.1.3.

    Examples
    --------
    >>> from gcdesign.designs import projective_geometry
    >>> found = spectrum(block_graph(projective_geometry(2, 3, 1)))
    >>> found.parameters, [(str(e), e.multiplicity) for e in found.eigenvalues]
    ((35, 18, 9, 9), [('18', 1), ('3', 14), ('-3', 20)])
    """
    if graph.vertices > MAX_BLOCKS:
        raise LimitError(f"{graph.vertices} vertices; the limit is {MAX_BLOCKS}")
    parameters = strongly_regular(graph)
    if parameters is None:
        return Spectrum(None, _computed(graph))
    return Spectrum(parameters, _of_parameters(*parameters))


def _of_parameters(n: int, k: int, near: int, far: int) -> tuple[Eigenvalue, ...]:
    """Return k and the roots of x² − (λ − μ)x − (k − μ); the trace 0 gives the multiplicities."""
    a, discriminant = near - far, (near - far) ** 2 + 4 * (k - far)
    root, free = 1, discriminant
    for factor in range(isqrt(discriminant), 1, -1):
        if free % (factor * factor) == 0:
            root, free = root * factor, free // (factor * factor)
    if free > 1:  # conjugate roots occur equally often
        values = [(a, root, free, (n - 1) // 2), (a, -root, free, (n - 1) // 2)]
    else:
        # f + g = n − 1 and f(a + √D)/2 + g(a − √D)/2 = −k
        f = ((n - 1) * root - (2 * k + (n - 1) * a)) // (2 * root)
        values = [(a + root, 0, 1, f), (a - root, 0, 1, n - 1 - f)]
    found = [Eigenvalue(float(k), 1, (2 * k, 0, 1))]
    for x, y, d, count in values:
        value = (x + y * d**0.5) / 2
        if found[-1].value == value:  # a disjoint union of complete graphs has k again
            found[-1] = Eigenvalue(value, found[-1].multiplicity + count, (x, y, d))
        elif count:
            found.append(Eigenvalue(value, count, (x, y, d)))
    return tuple(found)


def _computed(graph: Graph) -> tuple[Eigenvalue, ...]:
    values = np.linalg.eigvalsh(graph.adjacency.toarray().astype(np.float64))[::-1]
    scale = TOLERANCE * max(1, int(graph.degrees.max(initial=1)))
    found: list[Eigenvalue] = []
    for group in np.split(values, np.flatnonzero(-np.diff(values) > scale) + 1):
        if len(group):
            mean, near = float(group.mean()), round(group.mean())
            # A rational eigenvalue is a whole number, and 0 should not be shown as -3e-17.
            found.append(Eigenvalue(float(near) if abs(mean - near) <= scale else mean, len(group)))
    return tuple(found)
