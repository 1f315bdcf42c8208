"""The quadrangles of hyperovals, T₂*(O)."""

from __future__ import annotations

from gcdesign.designs.near import near_members
from gcdesign.designs.registry import Family, Parameter
from gcdesign.designs.structures.quadrangles import hyperoval_quadrangle, hyperoval_quadrangle_size

FAMILY = Family(
    name="hyperoval-quadrangle",
    summary="generalised quadrangle on AG(3,q): lines in the directions of a hyperoval",
    source="Ahrens and Szekeres 1969; Hall 1971",
    parameters=(Parameter("q", "a power of 2"),),
    construct=hyperoval_quadrangle,
    size=hyperoval_quadrangle_size,
    label=lambda q: f"T2*(O) ({q})",
    example={"q": 4},
    domain="powers of 2",
    point_transitive=True,
    near=near_members(
        "hyperoval-quadrangle",
        hyperoval_quadrangle_size,
        lambda workers, load: ({"q": q} for q in range(2, load + 1)),
    ),
)
