"""Coded computing: functions of many inputs, computed by workers of which some are too slow."""

from gcdesign.codes.computing.arriving import ArrivingResults
from gcdesign.codes.computing.berrut import BerrutCode, coincidences
from gcdesign.codes.computing.bounds import (
    ErrorConstants,
    decoding_constants,
    estimated_derivatives,
    guaranteed_constants,
    part_constants,
    worst_constants,
)
from gcdesign.codes.computing.lebesgue import amplification, lebesgue_constant, lebesgue_of
from gcdesign.codes.computing.nodes import NODE_CHOICES, make_nodes
from gcdesign.codes.computing.outliers import Outliers, find_outliers
from gcdesign.codes.computing.quality import Quality, decoding_quality, results_needed
from gcdesign.codes.computing.results import Received, receive

__all__ = [
    "NODE_CHOICES",
    "ArrivingResults",
    "BerrutCode",
    "ErrorConstants",
    "Outliers",
    "Quality",
    "Received",
    "amplification",
    "coincidences",
    "decoding_constants",
    "decoding_quality",
    "estimated_derivatives",
    "find_outliers",
    "guaranteed_constants",
    "lebesgue_constant",
    "lebesgue_of",
    "make_nodes",
    "part_constants",
    "receive",
    "results_needed",
    "worst_constants",
]
