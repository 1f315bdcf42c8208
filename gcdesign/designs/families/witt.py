"""Witt's Steiner systems."""

from __future__ import annotations

from gcdesign.designs.registry import Family, Parameter
from gcdesign.designs.steiner.witt import witt_design, witt_size

FAMILY = Family(
    name="witt",
    summary="Steiner systems S(5,6,12), S(5,8,24) and the ones inside, from the Golay codes",
    source="Witt 1938; Golay 1949",
    parameters=(Parameter("points", "number of points: 11, 12, 22, 23 or 24"),),
    construct=witt_design,
    size=witt_size,
    label=lambda points: f"Witt design ({points} points)",
    example={"points": 11},
    domain="v = 11, 12, 22, 23, 24",
    point_transitive=True,
)
