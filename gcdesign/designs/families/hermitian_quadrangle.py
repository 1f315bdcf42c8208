"""The Hermitian quadrangles H(3, q²)."""

from __future__ import annotations

from gcdesign.designs.registry import Family, Parameter
from gcdesign.designs.structures.quadrangles import hermitian_quadrangle, hermitian_size

FAMILY = Family(
    name="hermitian-quadrangle",
    summary="generalised quadrangle H(3,q^2): lines of a Hermitian surface",
    source="Payne and Thas 1984",
    parameters=(Parameter("q", "a prime power; the space is over GF(q*q)"),),
    construct=hermitian_quadrangle,
    size=hermitian_size,
    label=lambda q: f"H(3,{q * q})",
    example={"q": 2},
    domain="prime powers q",
    point_transitive=True,
)
