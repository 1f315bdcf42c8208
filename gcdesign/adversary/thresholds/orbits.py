"""Cases up to symmetry: which parts may be assumed lost, by the placement's automorphisms."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from importlib.util import find_spec

from gcdesign.codes import Placement
from gcdesign.designs.symmetry import IncidenceGraph

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
    parts = placement.parts
    if placement.design.incidences > MAX_INCIDENCES or find_spec("pynauty") is None:
        return Symmetries((), tuple((part,) for part in range(parts)))
    kept = [sorted(some) for some in fixed]
    found = IncidenceGraph(placement.design).group(points=kept)
    moving = {tuple(images) for images in found.points.tolist()}
    moving.discard(tuple(range(parts)))
    # The orbits of the least members come in order; each is increasing.
    orbits: dict[int, list[int]] = {}
    for part, least in enumerate(found.point_orbits.tolist()):
        orbits.setdefault(least, []).append(part)
    return Symmetries(tuple(sorted(moving)), tuple(map(tuple, orbits.values())))


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
