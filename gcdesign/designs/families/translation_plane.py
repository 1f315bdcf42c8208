"""Translation planes of orders 9 and 16."""

from __future__ import annotations

from gcdesign.designs.planes.translation import translation_plane, translation_size
from gcdesign.designs.registry import Family, Parameter

FAMILY = Family(
    name="translation-plane",
    summary="translation plane of order 9 or 16 that is not Desarguesian",
    source="Hall 1943; Dempwolff and Reifart 1983",
    parameters=(
        Parameter("order", "9 or 16"),
        Parameter("number", "which one: 1 for order 9, 1 to 7 for order 16"),
    ),
    construct=translation_plane,
    size=translation_size,
    label=lambda order, number: f"translation plane of order {order} ({number})",
    example={"order": 9, "number": 1},
    domain="order 9 with number 1, order 16 with numbers 1 to 7",
)
