"""Placements whose workers choose their parts at random: what the Bernoulli families share.

A worker that takes each of K parts with chance p holds a Binomial(K, p) number of them, and all
sets of that number are equally likely. Drawing the numbers first says how large a design
will be before it is built.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.design import BlockDesign, Provenance, Size, check_size, offsets
from gcdesign.designs.operations import transpose
from gcdesign.designs.randomness import Draws
from gcdesign.errors import InputError


def check_counts(*, seed: int, **counts: int) -> None:
    """Refuse a negative seed and counts below 1, and counts beyond the limits."""
    if seed < 0:
        raise InputError(f"seed={seed}; expected 0 or more")
    for name, value in counts.items():
        if value < 1:
            raise InputError(f"{name}={value}; expected 1 or more")
        check_size(Size(value, 0, 0), name=f"{name}={value}")


def bernoulli_loads(workers: int, load: int, parts: int, draws: Draws) -> NDArray[np.int64]:
    """Return the loads of workers that take each part with chance load/parts."""
    if not 1 <= load <= parts:
        raise InputError(f"load={load}; expected 1 to {parts} (parts)")
    return draws.binomial(parts, load / parts, workers)


def thinned(loads: NDArray[np.int64], load: int) -> NDArray[np.int64]:
    """Return the loads with those above twice the mean cut down to the mean.

    Thinning at random leaves a uniform set of the smaller size, so only numbers change.
    """
    return np.where(loads > 2 * load, load, loads)


def random_blocks(
    loads: NDArray[np.int64], parts: int, draws: Draws, provenance: Provenance
) -> BlockDesign:
    """Return the design in which block w is a uniform set of ``loads[w]`` of the parts."""
    check_size(Size(parts, len(loads), int(loads.sum())), name=provenance.spec)
    return BlockDesign.from_arrays(parts, *draws.subsets(parts, loads), provenance=provenance)


def random_holders(
    copies: NDArray[np.int64], workers: int, draws: Draws, provenance: Provenance
) -> BlockDesign:
    """Return the design in which part j is on a uniform set of ``copies[j]`` workers."""
    check_size(Size(len(copies), workers, int(copies.sum())), name=provenance.spec)
    held = BlockDesign.from_arrays(workers, *draws.subsets(workers, copies))
    indptr, parts = transpose(held)
    return BlockDesign.from_arrays(len(copies), indptr, parts, provenance=provenance)


def grouped_blocks(
    near: NDArray[np.int64],
    far: NDArray[np.int64],
    group_of: NDArray[np.int64],
    groups: int,
    parts: int,
    draws: Draws,
    provenance: Provenance,
) -> BlockDesign:
    """Return blocks of ``near[w]`` parts of the worker's own group and ``far[w]`` others.

    Parts are grouped in order, parts/groups of them a group.
    """
    width = parts // groups
    _, own = draws.subsets(width, near)
    _, other = draws.subsets(parts - width, far)
    start = group_of * width
    own = own + np.repeat(start, near)
    other = other + np.where(other >= np.repeat(start, far), width, 0)
    workers = np.concatenate([np.repeat(np.arange(len(near)), n) for n in (near, far)])
    held = np.concatenate([own, other])
    order = np.lexsort((held, workers))
    indptr = offsets(near + far)
    return BlockDesign.from_arrays(
        parts, indptr, held[order].astype(np.int32), provenance=provenance
    )
