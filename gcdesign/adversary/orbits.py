"""Cases up to symmetry: which parts may be assumed lost, by the placement's automorphisms."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from importlib.util import find_spec

from gcdesign.codes import Placement

MAX_INCIDENCES = 20_000
"""Largest placement whose automorphisms are looked for."""


@dataclass(frozen=True)
class Symmetries:
    """Automorphisms that keep some sets of parts, as they act on the parts.

    Attributes
    ----------
    generators
        Permutations of the parts, each induced by an automorphism of the placement.
    orbits
        The orbits of the parts under the group that they generate, each increasing.
    """

    generators: tuple[tuple[int, ...], ...]
    orbits: tuple[tuple[int, ...], ...]


def symmetries(placement: Placement, fixed: Iterable[Iterable[int]] = ()) -> Symmetries:
    """Return the automorphisms that map each of the fixed sets of parts to itself.

    Where the program that finds them is not installed, or the placement is large, none.

    Parameters
    ----------
    placement
        Who holds what.
    fixed
        Disjoint sets of parts.

    Notes
    -----
    Source: nauty (McKay, Piperno) finds generators of the group of the graph of parts and
    workers; they are checked wherever a proof uses them.

    Examples
    --------
    >>> from gcdesign.designs import affine_geometry
    >>> plane = Placement(affine_geometry(3))
    >>> [len(orbit) for orbit in symmetries(plane, [{0}]).orbits]
    [1, 8]
    """
    parts, workers = placement.parts, placement.workers
    if placement.design.incidences > MAX_INCIDENCES or find_spec("pynauty") is None:
        return Symmetries((), tuple((part,) for part in range(parts)))
    import pynauty

    kept = [set(some) for some in fixed if some]
    free = set(range(parts)).difference(*kept)
    cells = [*kept, free, set(range(parts, parts + workers))]
    graph = pynauty.Graph(
        parts + workers,
        adjacency_dict={
            parts + w: placement.design.block(w).tolist() for w in range(placement.workers)
        },
        vertex_coloring=[cell for cell in cells if cell],
    )
    found = pynauty.autgrp(graph)
    moving = {tuple(int(i) for i in g[:parts]) for g in found[0]}
    moving.discard(tuple(range(parts)))
    generators = tuple(sorted(moving))
    return Symmetries(generators, _orbits(parts, generators))


def _orbits(parts: int, generators: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, ...], ...]:
    """Return the orbits by following every generator from each part not met yet."""
    met, orbits = [False] * parts, []
    for first in range(parts):
        if met[first]:
            continue
        met[first], orbit = True, [first]
        for part in orbit:
            for generator in generators:
                if not met[generator[part]]:
                    met[generator[part]] = True
                    orbit.append(generator[part])
        orbits.append(tuple(sorted(orbit)))
    return tuple(orbits)


def cases_up_to_symmetry(
    placement: Placement, eta: int, *, most: int = 48
) -> list[tuple[int, ...]]:
    """Return cases that cover every set T of η parts up to automorphisms.

    In each step T meets the largest orbit of the group that keeps what is decided, and may be
    assumed to hold its first part, or it avoids the whole orbit.

    Parameters
    ----------
    placement
        Who holds what.
    eta
        Size of T.
    most
        About how many cases to go to.

    Returns
    -------
    list[tuple[int, ...]]
        Decided parts: j is in T, ~j is not.

    Examples
    --------
    >>> from gcdesign.designs import BlockDesign
    >>> triangle = BlockDesign.from_blocks([[0, 1], [0, 2], [1, 2]], points=3)
    >>> cases_up_to_symmetry(Placement(triangle), 1, most=2)
    [(0,), (-1, -2, -3)]
    """
    open_: list[tuple[tuple[int, ...], tuple[int, ...]]] = [((), ())]
    closed: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
    while open_ and len(open_) + len(closed) < most:
        inside, outside = open_.pop(0)
        if len(inside) == eta:
            closed.append((inside, outside))
            continue
        known = {*inside, *outside}
        orbits = symmetries(placement, [inside, outside]).orbits
        orbit = max((o for o in orbits if o[0] not in known), key=len, default=())
        if len(orbit) < 2:
            closed.append((inside, outside))
        else:
            open_ += [((*inside, orbit[0]), outside), (inside, (*outside, *orbit))]
    return [(*i, *(~part for part in o)) for i, o in closed + open_]
