"""Designs over GF(q) from unions of cyclotomic classes."""

from __future__ import annotations

from gcdesign.designs.cyclotomy import cyclotomic_design, cyclotomic_size
from gcdesign.designs.registry import Family, Parameter
from gcdesign.designs.values import LIST


def label(q: int, order: int, classes: tuple[int, ...], shifts: int, zero: int) -> str:
    """Return ``"classes 0 of 4 in GF(37)"``."""
    named = "+".join(map(str, classes)) + (" and 0" if zero else "")
    blocks = f", {shifts} base blocks" if shifts > 1 else ""
    return f"classes {named} of {order} in GF({q}){blocks}"


FAMILY = Family(
    name="cyclotomic",
    summary="translates in GF(q) of unions of cyclotomic classes",
    source="Paley 1933; Lehmer 1953; Hall 1956; Wilson 1972",
    parameters=(
        Parameter("q", "order of the field, a prime power"),
        Parameter("order", "number of classes e, a divisor of q-1"),
        Parameter("classes", "the classes that make up a block, such as 0+1+3", kind=LIST),
        Parameter("shifts", "number of base blocks, 1 to e (default 1)", optional=True),
        Parameter("zero", "1 if the block holds 0 (default 0)", optional=True),
    ),
    construct=cyclotomic_design,
    size=cyclotomic_size,
    label=label,
    example={"q": 13, "order": 3, "classes": (0,), "shifts": 3},
    domain="prime powers q, e divides q-1; a 2-design for one class and e shifts, among others",
    point_transitive=True,
)
