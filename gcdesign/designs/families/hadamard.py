"""Designs of Hadamard matrices: hadamard."""

from __future__ import annotations

from gcdesign.designs.hadamard.designs import hadamard_design, hadamard_design_size
from gcdesign.designs.registry import Family, Parameter

FAMILY = Family(
    name="hadamard",
    summary="symmetric 2-(4m-1, 2m-1, m-1) design of a Hadamard matrix of order 4m",
    source="Paley 1933; Todd 1933; Turyn 1974",
    parameters=(Parameter("order", "order 4m of the Hadamard matrix, 8 or more"),),
    construct=hadamard_design,
    size=hadamard_design_size,
    label=lambda order: f"Hadamard design ({order})",
    example={"order": 12},
    domain="multiples of 4 with a known Hadamard matrix",
)
