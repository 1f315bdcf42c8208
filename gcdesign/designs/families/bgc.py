"""Bernoulli gradient codes: a worker takes each part with one chance, all independently."""

from __future__ import annotations

from gcdesign.designs.design import BlockDesign, Provenance, Size
from gcdesign.designs.random_loads import bernoulli_loads, check_counts, random_blocks
from gcdesign.designs.randomness import Draws
from gcdesign.designs.registry import Family, Parameter

PARAMETERS = (
    Parameter("workers", "number of workers N"),
    Parameter("load", "mean number of parts of a worker, 1 to parts"),
    Parameter("parts", "number of parts K (default N)", optional=True),
    Parameter("seed", "seed of the random choice (default 0)", optional=True),
)


def construct(workers: int, load: int, parts: int | None = None, seed: int = 0) -> BlockDesign:
    """Return a Bernoulli placement: entries are 1 with chance load/parts, independently.

    Raises
    ------
    InputError
        If there is no worker or part, or the load is not between 1 and the number of parts.

    Notes
    -----
    Source: Charles, Papailiopoulos, Ellenberg 2017. With K = N tasks, load s and r survivors
    the one-step decoder ρ = K/(rs) has the mean error E err₁ = K²/(rs)·(1 − s/K).
    """
    parts = workers if parts is None else parts
    check_counts(seed=seed, workers=workers, parts=parts)
    draws = Draws(seed)
    loads = bernoulli_loads(workers, load, parts, draws)
    provenance = Provenance.of("bgc", workers=workers, load=load, parts=parts, seed=seed)
    return random_blocks(loads, parts, draws, provenance)


def size(workers: int, load: int, parts: int | None = None, seed: int = 0) -> Size:
    """Return the size of the placement: the loads are drawn, the parts are not."""
    parts = workers if parts is None else parts
    check_counts(seed=seed, workers=workers, parts=parts)
    loads = bernoulli_loads(workers, load, parts, Draws(seed))
    return Size(parts, workers, int(loads.sum()))


FAMILY = Family(
    name="bgc",
    summary="Bernoulli gradient code: each entry is 1 with chance load/parts",
    source="Charles, Papailiopoulos, Ellenberg 2017",
    parameters=PARAMETERS,
    construct=construct,
    size=size,
    label=lambda workers, load, parts, seed: f"BGC (N={workers}, mean L={load}, seed {seed})",
    example={"workers": 12, "load": 4, "seed": 1},
    domain="1 ≤ load ≤ parts",
)
