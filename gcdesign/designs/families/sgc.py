"""Placements for stochastic gradient codes: part j on d_j workers chosen at random."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.design import BlockDesign, Provenance, Size, check_size
from gcdesign.designs.random_loads import check_counts, random_holders
from gcdesign.designs.randomness import Draws
from gcdesign.designs.registry import Family, Parameter
from gcdesign.designs.values import LIST
from gcdesign.errors import InputError


def construct(
    workers: int, replication: tuple[int, ...], parts: int | None = None, seed: int = 0
) -> BlockDesign:
    """Return a placement that is pairwise balanced in expectation.

    Part j is on d_j workers, all sets of d_j equally likely, so that two parts share
    d_i d_j / N workers on average.

    Parameters
    ----------
    workers
        N.
    replication
        The numbers d_j: one for all parts, or one for each.
    parts
        K; by default as many as there are numbers d_j, or N if there is one.
    seed
        Seed of the choice.

    Raises
    ------
    InputError
        If the numbers do not fit.

    Notes
    -----
    Source: Bitar, Wootters, El Rouayheb 2020, Stochastic gradient coding for straggler
    mitigation in distributed learning. Nothing is decoded: the master adds what arrives.
    """
    parts = _parts(workers, replication, parts)
    check_size(size(workers, replication, parts, seed), name=f"sgc:workers={workers}")
    provenance = Provenance.of(
        "sgc", workers=workers, replication=replication, parts=parts, seed=seed
    )
    return random_holders(_copies(replication, parts), workers, Draws(seed), provenance)


def size(
    workers: int, replication: tuple[int, ...], parts: int | None = None, seed: int = 0
) -> Size:
    """Return the size of the placement; errors as in `construct`."""
    parts = _parts(workers, replication, parts)
    check_counts(seed=seed, workers=workers, parts=parts)
    wrong = next((d for d in replication if not 1 <= d <= workers), None)
    if wrong is not None:
        raise InputError(f"replication={wrong}; expected 1 to {workers} (workers)")
    if len(replication) not in (1, parts):
        raise InputError(
            f"{len(replication)} replications for parts={parts}; expected 1 or {parts} of them"
        )
    return Size(parts, workers, int(_copies(replication, parts).sum()))


def _parts(workers: int, replication: tuple[int, ...], parts: int | None) -> int:
    if parts is not None:
        return parts
    return workers if len(replication) == 1 else len(replication)


def _copies(replication: tuple[int, ...], parts: int) -> NDArray[np.int64]:
    return np.broadcast_to(np.array(replication, dtype=np.int64), (parts,))


FAMILY = Family(
    name="sgc",
    summary="stochastic gradient code: part j on d_j random workers",
    source="Bitar, Wootters, El Rouayheb 2020",
    parameters=(
        Parameter("workers", "number of workers N"),
        Parameter("replication", "holders of a part: one number, or one for each part", kind=LIST),
        Parameter("parts", "number of parts K (default N, or the numbers given)", optional=True),
        Parameter("seed", "seed of the random choice (default 0)", optional=True),
    ),
    construct=construct,
    size=size,
    label=lambda workers, replication, parts, seed: f"SGC (N={workers}, K={parts}, seed {seed})",
    example={"workers": 10, "replication": (2, 3, 3, 4, 5, 5), "seed": 2},
    domain="1 ≤ d ≤ workers for every part",
)
