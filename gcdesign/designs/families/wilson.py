"""Difference families of a block's multiples."""

from __future__ import annotations

from gcdesign.designs.registry import Family, Parameter
from gcdesign.designs.steiner.wilson import wilson_family, wilson_size
from gcdesign.designs.values import LIST

FAMILY = Family(
    name="wilson",
    summary="translates of a block's multiples by the e-th powers of GF(q)",
    source="Wilson 1972",
    parameters=(
        Parameter("q", "a prime power"),
        Parameter("order", "e, a divisor of q - 1"),
        Parameter("base", "the block, such as 0+1+3", kind=LIST),
        Parameter("half", "1 to take only half of the powers (default 0)", optional=True),
    ),
    construct=wilson_family,
    size=wilson_size,
    label=lambda q, order, base, half: f"multiples of a {len(base)}-set in GF({q})",
    example={"q": 13, "order": 6, "base": (0, 1, 3, 9), "half": 1},
    domain="prime powers q, e divides q - 1",
    point_transitive=True,
)
