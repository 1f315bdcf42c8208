"""Fractional repetition: groups of S + 1 workers that hold the same parts."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gcdesign.designs.design import BlockDesign, Provenance, Size, check_size
from gcdesign.designs.registry import Family, Parameter
from gcdesign.errors import InputError


def construct(workers: int, stragglers: int, parts: int | None = None) -> BlockDesign:
    """Return the fractional repetition placement that tolerates any S stragglers.

    Worker w belongs to group w // (S + 1), and group i holds the i-th share of the parts. With
    as many parts as workers, N = K and L = R = S + 1; more or fewer parts a group change the
    load L = K(S + 1)/N alone.

    Parameters
    ----------
    workers
        Number of workers N, a multiple of S + 1.
    stragglers
        Number of stragglers S that it tolerates, 0 ≤ S < N.
    parts
        Number of parts K, a multiple of the number of groups N/(S + 1); by default N.

    Raises
    ------
    InputError
        If S is out of range, S + 1 does not divide N, or the groups do not divide K; the
        nearest choices are named.

    Notes
    -----
    Source: Tandon, Lei, Dimakis, Karampatziakis 2017, section 3 (B_frac), up to the order of
    the workers: here the replicas of a group are neighbours. ErasureHead (Wang, Charles,
    Papailiopoulos 2019) collects from this placement until enough groups have answered.
    """
    if workers < 1:
        raise InputError(f"workers={workers}; expected 1 or more")
    if not 0 <= stragglers < workers:
        raise InputError(f"stragglers={stragglers}; expected 0 to {workers - 1} (workers - 1)")
    parts = workers if parts is None else parts
    if parts < 1:
        raise InputError(f"parts={parts}; expected 1 or more")
    check_size(size(workers, stragglers, parts), name=f"frc:workers={workers}")
    replicas = stragglers + 1
    check_multiple("workers", workers, replicas, f"stragglers+1={replicas}")
    groups = workers // replicas
    check_multiple("parts", parts, groups, f"the number of groups {groups}")
    shares = np.arange(parts, dtype=np.int32).reshape(groups, -1)
    rows = np.repeat(shares, replicas, axis=0)
    provenance = Provenance.of("frc", workers=workers, stragglers=stragglers, parts=parts)
    return BlockDesign.from_rows(parts, rows, provenance=provenance)


def check_multiple(name: str, value: int, of: int, what: str) -> None:
    """Refuse a value that is no multiple, and name the nearest that are."""
    if value % of:
        below, above = value // of * of, (value // of + 1) * of
        nearest = f"{name}={below} or {name}={above}" if below else f"{name}={above}"
        raise InputError(f"{name}={value} is no multiple of {what}; the nearest: {nearest}")


def size(workers: int, stragglers: int, parts: int | None = None) -> Size:
    """Return the size of the fractional repetition placement."""
    parts = workers if parts is None else parts
    return Size(parts, workers, parts * (stragglers + 1))


def label(workers: int, stragglers: int, parts: int) -> str:
    """Return ``"FRC (N=9, S=2)"``; parts are named if there are not as many as workers."""
    shown = "" if parts == workers else f", K={parts}"
    return f"FRC (N={workers}, S={stragglers}{shown})"


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
        Parameter(
            "parts",
            "number of parts K, a multiple of workers/(stragglers+1) (default workers)",
            True,
        ),
    ),
    construct=construct,
    size=size,
    label=label,
    example={"workers": 9, "stragglers": 2},
    domain="0 ≤ stragglers < workers, stragglers+1 divides workers",
    point_transitive=True,
    near=near,
)
