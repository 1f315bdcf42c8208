"""The uncoded placement: one part for each worker, no copies."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gcdesign.designs.design import BlockDesign, Provenance, Size, check_size
from gcdesign.designs.registry import Family, Parameter
from gcdesign.errors import InputError


def construct(workers: int) -> BlockDesign:
    """Return the identity design: N points, N blocks of one point.

    Notes
    -----
    Source: the baseline of Kadhe, Koyluoglu, Ramchandran 2019, Figure 1; err_S = S.

    Raises
    ------
    InputError
        If there is not at least one worker.
    """
    if workers < 1:
        raise InputError(f"workers={workers}; expected 1 or more")
    check_size(size(workers), name=f"uncoded:workers={workers}")
    rows = np.arange(workers, dtype=np.int32)[:, None]
    provenance = Provenance.of("uncoded", workers=workers)
    return BlockDesign.from_rows(workers, rows, provenance=provenance)


def size(workers: int) -> Size:
    """Return the size of the identity design."""
    return Size(workers, workers, workers)


def near(workers: int, load: int) -> Iterator[str]:
    """Yield the one member with as many workers."""
    if load >= 1:
        yield f"uncoded:workers={workers}"


FAMILY = Family(
    name="uncoded",
    summary="no redundancy: worker i holds part i alone",
    source="baseline of Kadhe, Koyluoglu, Ramchandran 2019, Figure 1",
    parameters=(Parameter("workers", "number of workers N = number of parts K"),),
    construct=construct,
    size=size,
    label=lambda workers: f"uncoded ({workers} workers)",
    example={"workers": 31},
    domain="workers ≥ 1",
    point_transitive=True,
    near=near,
)
