"""The symplectic quadrangles W(q)."""

from __future__ import annotations

from gcdesign.designs.near import near_members
from gcdesign.designs.registry import Family, Parameter
from gcdesign.designs.structures.quadrangles import symplectic_quadrangle, symplectic_size

FAMILY = Family(
    name="symplectic-quadrangle",
    summary="generalised quadrangle W(q): isotropic lines of PG(3,q)",
    source="Payne and Thas 1984",
    parameters=(Parameter("q", "a prime power"),),
    construct=symplectic_quadrangle,
    size=symplectic_size,
    label=lambda q: f"W({q})",
    example={"q": 2},
    domain="prime powers q",
    point_transitive=True,
    near=near_members(
        "symplectic-quadrangle",
        symplectic_size,
        lambda workers, load: ({"q": q} for q in range(2, min(load, workers))),
    ),
)
