"""Fractional repetition: groups of S + 1 workers that hold the same S + 1 parts."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gcdesign.designs.design import BlockDesign, Provenance, Size, check_size
from gcdesign.designs.registry import Family, Parameter
from gcdesign.errors import InputError


def construct(workers: int, stragglers: int) -> BlockDesign:
    """Return the fractional repetition placement that tolerates any S stragglers.

    Workers w and parts j belong to group w // (S + 1) and j // (S + 1); a worker holds every
    part of its group. N = K, L = R = S + 1.

    Parameters
    ----------
    workers
        Number of workers N, a multiple of S + 1.
    stragglers
        Number of stragglers S that it tolerates, 0 ≤ S < N.

    Raises
    ------
    InputError
        If S is out of range or S + 1 does not divide N; the nearest choices are named.

    Notes
    -----
    Source: Tandon, Lei, Dimakis, Karampatziakis 2017, section 3 (B_frac), up to the order of
    the workers: here the replicas of a group are neighbours.
    """
    if workers < 1:
        raise InputError(f"workers={workers}; expected 1 or more")
    if not 0 <= stragglers < workers:
        raise InputError(f"stragglers={stragglers}; expected 0 to {workers - 1} (workers - 1)")
    check_size(size(workers, stragglers), name=f"frc:workers={workers}")
    replicas = stragglers + 1
    if workers % replicas:
        below, above = workers // replicas * replicas, (workers // replicas + 1) * replicas
        raise InputError(
            f"workers={workers} is no multiple of stragglers+1={replicas}; "
            f"the nearest: workers={below} or workers={above}"
        )
    groups = np.arange(workers, dtype=np.int32).reshape(-1, replicas)
    rows = np.repeat(groups, replicas, axis=0)
    provenance = Provenance.of("frc", workers=workers, stragglers=stragglers)
    return BlockDesign.from_rows(workers, rows, provenance=provenance)


def size(workers: int, stragglers: int) -> Size:
    """Return the size of the fractional repetition placement."""
    return Size(workers, workers, workers * (stragglers + 1))


def near(workers: int, load: int) -> Iterator[str]:
    """Yield the placement with this load, and the greatest load that leaves no worker idle."""
    best = max((d for d in range(2, load + 1) if workers % d == 0), default=load)
    for replicas in {load, best}:
        if 2 <= replicas <= workers:
            used = workers // replicas * replicas
            yield f"frc:workers={used},stragglers={replicas - 1}"


FAMILY = Family(
    name="frc",
    summary="fractional repetition: groups of stragglers+1 equal workers",
    source="Tandon, Lei, Dimakis, Karampatziakis 2017, section 3",
    parameters=(
        Parameter("workers", "number of workers N, a multiple of stragglers+1"),
        Parameter("stragglers", "number of stragglers S that it tolerates"),
    ),
    construct=construct,
    size=size,
    label=lambda workers, stragglers: f"FRC (N={workers}, S={stragglers})",
    example={"workers": 9, "stragglers": 2},
    point_transitive=True,
    near=near,
)
