"""Members of families near a number of workers and a load: what a chooser tries.

A family that can be proposed has ``near`` in its declaration: a function of the number of
workers and the greatest load that yields names in place. Workers are blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from gcdesign.designs.design import Size
from gcdesign.designs.fields import prime_power

Near = Callable[[int, int], Iterator[str]]
"""From N and L to names in place of members with about N blocks of at most L points."""


def about(workers: int) -> range:
    """Return the numbers of workers that are near enough: from three quarters to a few too many.

    Where workers are too few, some of the code's are left out and count as stragglers; where
    there are too many, some stay idle.

    Examples
    --------
    >>> about(30)
    range(23, 32)
    """
    return range(-(-3 * workers // 4), workers + max(1, workers // 30) + 1)


def near_geometries(name: str, size: Callable[[int, int], Size]) -> Near:
    """Return ``near`` for a family of geometries with parameters q and dim, by its size.

    Examples
    --------
    >>> from gcdesign.designs.geometry import projective_size
    >>> list(near_geometries("pg", projective_size)(30, 6))
    ['pg:q=5']
    """

    def near(workers: int, load: int) -> Iterator[str]:
        enough = about(workers)
        dim = 2
        while size(2, dim).b < enough.stop:
            for q in range(2, enough.stop):
                if prime_power(q) is None:
                    continue
                found = size(q, dim)
                if found.b >= enough.stop:
                    break
                if found.b in enough and found.incidences <= load * found.b:
                    yield f"{name}:q={q}" + (f",dim={dim}" if dim > 2 else "")
            dim += 1

    return near
