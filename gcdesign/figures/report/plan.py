"""Where workers, parts and incidences lie in the two pictures that answer to the pointer."""

from __future__ import annotations

from dataclasses import dataclass

from gcdesign.designs import BlockDesign

MAX_INCIDENCES = 6_000
MAX_SIDE = 400
"""Larger designs get a picture without answers: it would be slow, and the dots too small."""

CELL = 10.0
GAP = 26.0
HEIGHT = 220.0


@dataclass(frozen=True)
class Dot:
    """A worker or a part at a place."""

    number: int
    x: float
    y: float


@dataclass(frozen=True)
class Plan:
    """Coordinates of both pictures.

    Attributes
    ----------
    holds
        The parts of each worker.
    cell
        Side of a cell of the matrix.
    matrix_width, matrix_height
        Size of the matrix.
    graph_width, graph_height
        Size of the graph.
    workers, parts
        The nodes of the graph.
    radius
        Radius of a node.
    """

    holds: tuple[tuple[int, ...], ...]
    cell: float
    matrix_width: float
    matrix_height: float
    graph_width: float
    graph_height: float
    workers: tuple[Dot, ...]
    parts: tuple[Dot, ...]
    radius: float


def plan(design: BlockDesign) -> Plan | None:
    """Return the coordinates, or None where the design is too large for them or empty.

    Examples
    --------
    >>> from gcdesign.designs import projective_geometry
    >>> found = plan(projective_geometry(2))
    >>> found.holds[0], found.matrix_width
    ((0, 1, 3), 70.0)
    """
    longest = max(design.b, design.v)
    if not min(design.b, design.v) or longest > MAX_SIDE or design.incidences > MAX_INCIDENCES:
        return None
    width = max(GAP * min(longest, 40), 6.0 * longest)
    return Plan(
        tuple(tuple(block) for block in design.blocks()),
        CELL,
        CELL * design.v,
        CELL * design.b,
        width,
        HEIGHT,
        _row(design.b, width, 20.0),
        _row(design.v, width, HEIGHT - 20.0),
        min(8.0, 0.38 * width / longest),
    )


def _row(count: int, width: float, y: float) -> tuple[Dot, ...]:
    step = width / count
    return tuple(Dot(number, round((number + 0.5) * step, 2), y) for number in range(count))
