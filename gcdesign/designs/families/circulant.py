"""Circulant placements: worker i holds the parts i + d mod N for the offsets d."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gcdesign.designs.cyclic import cyclic_blocks
from gcdesign.designs.design import BlockDesign, Provenance, Size, check_size
from gcdesign.designs.registry import Family, Parameter
from gcdesign.designs.values import LIST
from gcdesign.errors import InputError


def construct(
    workers: int, load: int | None = None, offsets: tuple[int, ...] | None = None
) -> BlockDesign:
    """Return the circulant placement of N parts on N workers.

    Parameters
    ----------
    workers
        Number of workers N, and of parts.
    load
        Number of parts of a worker; without offsets these are the next L parts, i … i + L − 1.
    offsets
        The parts of worker 0, increasing, from 0 to N − 1; worker i holds their shifts by i.

    Raises
    ------
    InputError
        If neither load nor offsets are given, if they disagree or are out of range.

    Notes
    -----
    Source: Tandon, Lei, Dimakis, Karampatziakis 2017, the support of B_cyc, for consecutive
    offsets; Singer 1938 for difference sets.

    Examples
    --------
    >>> construct(5, load=2).blocks()
    [[0, 1], [1, 2], [2, 3], [3, 4], [0, 4]]
    """
    if workers < 1:
        raise InputError(f"workers={workers}; expected 1 or more")
    if load is None and offsets is None:
        raise InputError("circulant needs load=L or offsets: for example load=3 or offsets=0+1+3")
    if load is not None and not 1 <= load <= workers:
        raise InputError(f"load={load}; expected 1 to workers={workers}")
    check_size(size(workers, load, offsets), name=f"circulant:workers={workers}")
    if offsets is None:
        offsets = tuple(range(load or 0))
    if len(offsets) != (load or len(offsets)):
        raise InputError(f"load={load}, but {len(offsets)} offsets; leave out either")
    if sorted(set(offsets)) != list(offsets) or offsets[0] < 0 or offsets[-1] >= workers:
        shown = "+".join(map(str, offsets))
        raise InputError(f"offsets={shown}; expected increasing numbers from 0 to {workers - 1}")
    provenance = Provenance.of("circulant", workers=workers, load=len(offsets), offsets=offsets)
    rows = cyclic_blocks(np.array(offsets, dtype=np.int32), workers)
    return BlockDesign.from_rows(workers, rows, provenance=provenance)


def size(workers: int, load: int | None = None, offsets: tuple[int, ...] | None = None) -> Size:
    """Return the size of the circulant placement."""
    return Size(workers, workers, workers * (len(offsets) if offsets else load or 0))


def label(workers: int, load: int, offsets: tuple[int, ...]) -> str:
    """Return ``"circulant (N=9, L=3)"``; offsets that are not consecutive are named."""
    if offsets == tuple(range(load)):
        return f"circulant (N={workers}, L={load})"
    shown = "+".join(map(str, offsets))
    shown = shown if len(shown) <= 20 else f"L={load}, {shown[:12]}…"
    return f"circulant (N={workers}, {shown})"


def near(workers: int, load: int) -> Iterator[str]:
    """Yield consecutive parts, and offsets whose first differences are all distinct."""
    if not 2 <= load <= workers:
        return
    yield f"circulant:workers={workers},load={load}"
    offsets: list[int] = []
    differences: set[int] = set()
    for offset in range(workers):
        new = {(offset - other) % workers for other in offsets}
        new |= {-difference % workers for difference in new}
        if len(new) == 2 * len(offsets) and not new & differences:
            offsets.append(offset)
            differences |= new
        if len(offsets) == load > 2:
            yield f"circulant:workers={workers},offsets={'+'.join(map(str, offsets))}"
            return


FAMILY = Family(
    name="circulant",
    summary="circulant: worker i holds the shifts of the offsets by i, all with weight 1",
    source="Tandon, Lei, Dimakis, Karampatziakis 2017, the support of B_cyc",
    parameters=(
        Parameter("workers", "number of workers N = number of parts K"),
        Parameter("load", "parts of a worker L, consecutive unless offsets say else", True),
        Parameter("offsets", "parts of worker 0, such as 0+1+3 (default 0+1+…)", True, LIST),
    ),
    construct=construct,
    size=size,
    label=label,
    example={"workers": 9, "load": 3},
    domain="1 ≤ load ≤ workers, or increasing offsets from 0 to workers-1",
    point_transitive=True,
    near=near,
)
