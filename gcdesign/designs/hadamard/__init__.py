"""Hadamard and conference matrices, and the block designs in them."""

from gcdesign.designs.hadamard.orders import (
    UNKNOWN_ORDERS,
    Recipe,
    hadamard_matrix,
    hadamard_recipe,
)
from gcdesign.designs.hadamard.paley import conference_matrix

__all__ = [
    "UNKNOWN_ORDERS",
    "Recipe",
    "conference_matrix",
    "hadamard_matrix",
    "hadamard_recipe",
]
