"""Which balanced incomplete block designs exist: a recipe, a proof of the contrary, or neither."""

from gcdesign.designs.existence.answers import Answer, Exists, Impossible, RecipeError, Unknown
from gcdesign.designs.existence.asking import bibd, exists, explain
from gcdesign.designs.existence.parameters import Bibd

__all__ = [
    "Answer",
    "Bibd",
    "Exists",
    "Impossible",
    "RecipeError",
    "Unknown",
    "bibd",
    "exists",
    "explain",
]
