"""Regularised Bernoulli gradient codes: workers with far too many parts give some back."""

from __future__ import annotations

from collections.abc import Iterator

from gcdesign.designs.design import BlockDesign, Provenance, Size
from gcdesign.designs.families import bgc
from gcdesign.designs.random_loads import bernoulli_loads, check_counts, random_blocks, thinned
from gcdesign.designs.randomness import Draws
from gcdesign.designs.registry import Family


def construct(workers: int, load: int, parts: int | None = None, seed: int = 0) -> BlockDesign:
    """Return a Bernoulli placement in which loads above twice the mean are cut to the mean.

    Parameters and errors as for ``bgc``.

    Notes
    -----
    Source: Charles, Papailiopoulos, Ellenberg 2017: a worker with more than 2s parts is thinned
    at random down to s, which removes the condition s ≥ log K from their bound.
    """
    parts = workers if parts is None else parts
    check_counts(seed=seed, workers=workers, parts=parts)
    draws = Draws(seed)
    loads = thinned(bernoulli_loads(workers, load, parts, draws), load)
    provenance = Provenance.of("rbgc", workers=workers, load=load, parts=parts, seed=seed)
    return random_blocks(loads, parts, draws, provenance)


def size(workers: int, load: int, parts: int | None = None, seed: int = 0) -> Size:
    """Return the size of the placement: the loads are drawn, the parts are not."""
    parts = workers if parts is None else parts
    check_counts(seed=seed, workers=workers, parts=parts)
    loads = thinned(bernoulli_loads(workers, load, parts, Draws(seed)), load)
    return Size(parts, workers, int(loads.sum()))


def near(workers: int, load: int) -> Iterator[str]:
    """Yield the member of half the load: none of its loads is above twice the mean."""
    if 4 <= load <= 2 * workers:
        yield f"rbgc:workers={workers},load={load // 2}"


FAMILY = Family(
    name="rbgc",
    summary="regularised Bernoulli code: loads above 2*load are thinned to load",
    source="Charles, Papailiopoulos, Ellenberg 2017",
    parameters=bgc.PARAMETERS,
    construct=construct,
    size=size,
    label=lambda workers, load, parts, seed: f"rBGC (N={workers}, mean L={load}, seed {seed})",
    example={"workers": 15, "load": 3, "seed": 4},
    domain="1 ≤ load ≤ parts",
    near=near,
)
