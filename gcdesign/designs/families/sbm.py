"""Stochastic block codes: workers favour the parts of a hidden group of their own."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.design import BlockDesign, Provenance, Size
from gcdesign.designs.random_loads import check_counts, grouped_blocks
from gcdesign.designs.randomness import Draws
from gcdesign.designs.registry import Family, Parameter
from gcdesign.errors import InputError


def construct(
    workers: int, groups: int, inside: int, outside: int, parts: int | None = None, seed: int = 0
) -> BlockDesign:
    """Return a stochastic block placement, its workers in random order.

    Workers and parts fall into groups of equal size. A worker takes each of the c = K/groups
    parts of its group with chance p = inside/c and every other with q = outside/(K − c), so its
    mean load is inside + outside. Which worker belongs to which group is hidden.

    Parameters
    ----------
    workers, parts
        N and K (by default N), multiples of ``groups``.
    groups
        Number of groups.
    inside, outside
        Mean number of parts of a worker in its own group, and in the others.
    seed
        Seed of all choices.

    Raises
    ------
    InputError
        If the groups are not equal or a mean is out of range.

    Notes
    -----
    Source: Charles and Papailiopoulos 2018, Gradient coding using the stochastic block model.
    """
    parts = workers if parts is None else parts
    near, far, draws = _loads(workers, groups, inside, outside, parts, seed)
    group_of = draws.permutation(workers) % groups
    provenance = Provenance.of(
        "sbm",
        workers=workers,
        groups=groups,
        inside=inside,
        outside=outside,
        parts=parts,
        seed=seed,
    )
    return grouped_blocks(near, far, group_of, groups, parts, draws, provenance)


def size(
    workers: int, groups: int, inside: int, outside: int, parts: int | None = None, seed: int = 0
) -> Size:
    """Return the size of the placement: the loads are drawn, the parts are not."""
    parts = workers if parts is None else parts
    near, far, _ = _loads(workers, groups, inside, outside, parts, seed)
    return Size(parts, workers, int(near.sum() + far.sum()))


def _loads(
    workers: int, groups: int, inside: int, outside: int, parts: int, seed: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], Draws]:
    """Return the loads in the own group and in the others, and the stream they come from."""
    check_counts(seed=seed, workers=workers, groups=groups, parts=parts)
    for name, value in (("workers", workers), ("parts", parts)):
        if value % groups:
            multiples = (value // groups * groups, (value // groups + 1) * groups)
            choices = " or ".join(f"{name}={n}" for n in multiples if n)
            raise InputError(
                f"{name}={value} is no multiple of groups={groups}; the nearest: {choices}"
            )
    width = parts // groups
    for name, mean, most in (("inside", inside, width), ("outside", outside, parts - width)):
        if not 0 <= mean <= most:
            raise InputError(f"{name}={mean}; expected 0 to {most}, the parts there")
    others, draws = parts - width, Draws(seed)
    near = draws.binomial(width, inside / width, workers)
    far = draws.binomial(others, outside / others if others else 0.0, workers)
    return near, far, draws


FAMILY = Family(
    name="sbm",
    summary="stochastic block code: workers favour parts of a hidden group",
    source="Charles and Papailiopoulos 2018 (stochastic block model)",
    parameters=(
        Parameter("workers", "number of workers N, a multiple of groups"),
        Parameter("groups", "number of groups"),
        Parameter("inside", "mean number of parts from a worker's own group"),
        Parameter("outside", "mean number of parts from all other groups"),
        Parameter("parts", "number of parts K, a multiple of groups (default N)", optional=True),
        Parameter("seed", "seed of the random choice (default 0)", optional=True),
    ),
    construct=construct,
    size=size,
    label=lambda workers, groups, inside, outside, parts, seed: (
        f"SBC (N={workers}, {groups} groups, seed {seed})"
    ),
    example={"workers": 12, "groups": 3, "inside": 3, "outside": 1, "seed": 1},
    domain="groups divides workers and parts; inside ≤ parts/groups; outside ≤ the rest",
)
