"""The adversary: thresholds, worst-case errors, and what proves them."""

from gcdesign.adversary.bounds import (
    PlacementFacts,
    error_bounds,
    placement_facts,
)
from gcdesign.adversary.byzantine import byzantine, byzantine_bounds
from gcdesign.adversary.chooser import Recommendation, Wish, recommend
from gcdesign.adversary.curve import BoundCurve, ErrorCurve, error_curve, figure_one
from gcdesign.adversary.error import (
    error_threshold,
    worst_case_error,
    worst_case_error_profile,
)
from gcdesign.adversary.fixed import worst_fixed_error
from gcdesign.adversary.part_bounds import threshold_bounds
from gcdesign.adversary.program import write_program
from gcdesign.adversary.results import AttackResult, Bound, Extreme, Value
from gcdesign.adversary.settings import Settings
from gcdesign.adversary.threshold import threshold, threshold_profile

__all__ = [
    "AttackResult",
    "Bound",
    "BoundCurve",
    "ErrorCurve",
    "Extreme",
    "PlacementFacts",
    "Recommendation",
    "Settings",
    "Value",
    "Wish",
    "byzantine",
    "byzantine_bounds",
    "error_bounds",
    "error_curve",
    "error_threshold",
    "figure_one",
    "placement_facts",
    "recommend",
    "threshold",
    "threshold_bounds",
    "threshold_profile",
    "worst_case_error",
    "worst_case_error_profile",
    "worst_fixed_error",
    "write_program",
]
