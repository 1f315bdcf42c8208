"""Members of families near a number of workers and a load: what a chooser tries.

A family that can be proposed has ``near`` in its declaration: a function of the number of
workers and the greatest load that yields names in place. Workers are blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from gcdesign.designs.design import Size
from gcdesign.designs.fields import prime_power
from gcdesign.errors import GcdesignError

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


def near_members(
    name: str, size: Callable[..., Size], values: Callable[[int, int], Iterable[dict[str, int]]]
) -> Near:
    """Return ``near`` for a family whose size refuses parameters without a member.

    Examples
    --------
    >>> from gcdesign.designs.families.net import size
    >>> grids = [{"order": 6, "classes": 5}, {"order": 5, "classes": 6}]
    >>> list(near_members("net", size, lambda workers, load: grids)(30, 6))
    ['net:order=5,classes=6']
    """

    def near(workers: int, load: int) -> Iterator[str]:
        for chosen in values(workers, load):
            try:
                found = size(**chosen)
            except GcdesignError:
                continue
            if found.b in about(workers) and found.incidences <= load * found.b:
                yield f"{name}:" + ",".join(f"{key}={value}" for key, value in chosen.items())

    return near


def near_exact(name: str, *, odd: bool = False) -> Near:
    """Return ``near`` for a family with parameters workers and stragglers and load S + 1.

    ``odd`` says that N + S must be odd.

    Examples
    --------
    >>> list(near_exact("cyclic")(30, 6))
    ['cyclic:workers=30,stragglers=5']
    """

    def near(workers: int, load: int) -> Iterator[str]:
        if 2 <= load <= workers and (not odd or (workers + load) % 2 == 0):
            yield f"{name}:workers={workers},stragglers={load - 1}"

    return near
