"""Soft block designs: the Gram matrix of a block design in expectation only."""

from __future__ import annotations

import numpy as np

from gcdesign.designs.design import BlockDesign, Provenance, Size, check_size
from gcdesign.designs.random_loads import check_counts, random_holders
from gcdesign.designs.randomness import Draws
from gcdesign.designs.registry import Family, Parameter
from gcdesign.errors import InputError


def construct(
    workers: int, replication: int, parts: int | None = None, seed: int = 0
) -> BlockDesign:
    """Return a random placement that is, in expectation, the dual of a block design.

    Each part is on R workers, all sets of R equally likely. Then E[EEᵀ] = (L − λ)I + λJ with
    L = KR/N and λ = KR(R − 1)/(N(N − 1)): the equations of a block design hold on average,
    for every N, K and R.

    Raises
    ------
    InputError
        If R is not between 1 and N.

    Notes
    -----
    Source: the idea of Sakorikar and Wang 2021, Soft BIBD and product gradient codes. Their own
    law could not be checked; this one is derived from the expectation that they ask for.
    """
    parts = workers if parts is None else parts
    check_size(size(workers, replication, parts, seed), name=f"soft:workers={workers}")
    provenance = Provenance.of(
        "soft", workers=workers, replication=replication, parts=parts, seed=seed
    )
    copies = np.full(parts, replication, dtype=np.int64)
    return random_holders(copies, workers, Draws(seed), provenance)


def size(workers: int, replication: int, parts: int | None = None, seed: int = 0) -> Size:
    """Return the size of the placement; errors as in `construct`."""
    parts = workers if parts is None else parts
    check_counts(seed=seed, workers=workers, parts=parts)
    if not 1 <= replication <= workers:
        raise InputError(f"replication={replication}; expected 1 to {workers} (workers)")
    return Size(parts, workers, parts * replication)


FAMILY = Family(
    name="soft",
    summary="soft block design: equations of a block design hold on average",
    source="after Sakorikar and Wang 2021; the law of the choice is derived here",
    parameters=(
        Parameter("workers", "number of workers N"),
        Parameter("replication", "workers that hold a part, R"),
        Parameter("parts", "number of parts K (default N)", optional=True),
        Parameter("seed", "seed of the random choice (default 0)", optional=True),
    ),
    construct=construct,
    size=size,
    label=lambda workers, replication, parts, seed: (
        f"soft BIBD (N={workers}, R={replication}, seed {seed})"
    ),
    example={"workers": 13, "replication": 4, "seed": 1},
    domain="1 ≤ replication ≤ workers",
)
