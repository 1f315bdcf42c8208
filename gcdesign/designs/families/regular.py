"""Random biregular placements: every worker has the same load, every part as many holders."""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd

from gcdesign.designs.design import BlockDesign, Provenance, Size, check_size
from gcdesign.designs.graphs.regular import random_incidences
from gcdesign.designs.randomness import Draws
from gcdesign.designs.registry import Family, Parameter
from gcdesign.errors import InputError


def construct(workers: int, load: int, parts: int | None = None, seed: int = 0) -> BlockDesign:
    """Return a random placement of load L and replication R = NL/K.

    Parameters
    ----------
    workers, load
        N and L.
    parts
        K, by default N; it must divide NL.
    seed
        Seed of the choice.

    Raises
    ------
    InputError
        If L > K or K does not divide NL; the nearest choices are named.

    Notes
    -----
    Source: random regular graphs as gradient codes, Raviv, Tamo, Tandon, Dimakis 2020, and
    Charles, Papailiopoulos, Ellenberg 2017. Drawn by the pairing model with switches, which
    is close to uniform.
    """
    v, b, incidences = size(workers, load, parts, seed)
    name = f"regular:workers={workers},load={load}"
    check_size(Size(v, b, incidences), name=name)
    provenance = Provenance.of("regular", workers=b, load=load, parts=v, seed=seed)
    rows = random_incidences(b, v, load, Draws(seed))
    return BlockDesign.from_rows(v, rows, provenance=provenance)


def size(workers: int, load: int, parts: int | None = None, seed: int = 0) -> Size:
    """Return the size of the placement; errors as in `construct`."""
    parts = workers if parts is None else parts
    for key, value in (("workers", workers), ("parts", parts)):
        if value < 1:
            raise InputError(f"{key}={value}; expected 1 or more")
    if not 1 <= load <= parts:
        raise InputError(f"load={load}; expected 1 to {parts} (parts)")
    if seed < 0:
        raise InputError(f"seed={seed}; expected 0 or more")
    if workers * load % parts:
        step = parts // gcd(workers, parts)
        loads = [n for n in (load // step * step, (load // step + 1) * step) if 1 <= n <= parts]
        near = " or ".join(f"load={n}" for n in loads)
        raise InputError(
            f"workers={workers} times load={load} is no multiple of parts={parts}; "
            f"the nearest: {near}"
        )
    return Size(parts, workers, workers * load)


def near(workers: int, load: int) -> Iterator[str]:
    """Yield the first random placement with as many parts as workers."""
    if 2 <= load < workers:
        yield f"regular:workers={workers},load={load}"


FAMILY = Family(
    name="regular",
    summary="random placement with constant load and replication",
    source="Charles, Papailiopoulos, Ellenberg 2017; Raviv, Tamo, Tandon, Dimakis 2020",
    parameters=(
        Parameter("workers", "number of workers N"),
        Parameter("load", "parts of each worker L"),
        Parameter(
            "parts", "number of parts K, a divisor of workers*load (default N)", optional=True
        ),
        Parameter("seed", "seed of the random choice (default 0)", optional=True),
    ),
    construct=construct,
    size=size,
    label=lambda workers, load, parts, seed: f"regular (N={workers}, L={load}, seed {seed})",
    example={"workers": 31, "load": 6, "seed": 1},
    domain="1 ≤ load ≤ parts, parts divides workers·load",
    near=near,
)
