"""Designs of Hadamard matrices: hadamard-three."""

from __future__ import annotations

from gcdesign.designs.hadamard.designs import hadamard_three_design, hadamard_three_size
from gcdesign.designs.registry import Family, Parameter

FAMILY = Family(
    name="hadamard-three",
    summary="resolvable 3-(4m, 2m, m-1) design of a Hadamard matrix of order 4m",
    source="Paley 1933; Hughes 1965; Turyn 1974",
    parameters=(Parameter("order", "order 4m of the Hadamard matrix, 8 or more"),),
    construct=hadamard_three_design,
    size=hadamard_three_size,
    label=lambda order: f"Hadamard 3-design ({order})",
    example={"order": 12},
    domain="multiples of 4 with a known Hadamard matrix",
)
