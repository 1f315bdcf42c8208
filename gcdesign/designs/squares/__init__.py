"""Orthogonal arrays of strength 2 and index 1: transversal designs, orthogonal Latin squares."""

from gcdesign.designs.squares.arrays import orthogonal_latin_squares, transversal_array
from gcdesign.designs.squares.known import known_squares
from gcdesign.designs.squares.plans import Plan, most_columns, transversal_plan

__all__ = [
    "Plan",
    "known_squares",
    "most_columns",
    "orthogonal_latin_squares",
    "transversal_array",
    "transversal_plan",
]
