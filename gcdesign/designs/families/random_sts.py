"""Random Steiner triple systems."""

from __future__ import annotations

from gcdesign.designs.design import Size
from gcdesign.designs.random_loads import check_counts
from gcdesign.designs.registry import Family, Parameter
from gcdesign.designs.steiner.random_triples import random_triple_system
from gcdesign.designs.steiner.triples import triple_system_size


def size(points: int, seed: int = 0) -> Size:
    """Return the size, which does not depend on the seed."""
    check_counts(seed=seed)
    return triple_system_size(points)


FAMILY = Family(
    name="random-sts",
    summary="Steiner triple system made by random moves; not uniform",
    source="Jacobson, Matthews 1996; Cameron 2009",
    parameters=(
        Parameter("points", "number of points v, 1 or 3 modulo 6"),
        Parameter("seed", "seed of the random choices (default 0)", optional=True),
    ),
    construct=random_triple_system,
    size=size,
    label=lambda points, seed: f"random STS({points}, seed {seed})",
    example={"points": 13, "seed": 1},
    domain="v ≡ 1, 3 (mod 6), v ≥ 3",
)
