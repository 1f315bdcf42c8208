"""The adversary: thresholds, worst-case errors, and what proves them."""

from gcdesign.adversary.bounds import (
    PlacementFacts,
    error_bounds,
    placement_facts,
)
from gcdesign.adversary.choosing.chooser import Recommendation, Wish, recommend
from gcdesign.adversary.curve import BoundCurve, ErrorCurve, error_curve, figure_one
from gcdesign.adversary.lying.byzantine import byzantine, byzantine_bounds
from gcdesign.adversary.results import AttackResult, Bound, Extreme, Value
from gcdesign.adversary.running.settings import Settings
from gcdesign.adversary.thresholds.part_bounds import threshold_bounds
from gcdesign.adversary.thresholds.program import write_program
from gcdesign.adversary.thresholds.threshold import threshold, threshold_profile
from gcdesign.adversary.worst_error.error import (
    error_threshold,
    worst_case_error,
    worst_case_error_profile,
)
from gcdesign.adversary.worst_error.fixed import worst_fixed_error

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
