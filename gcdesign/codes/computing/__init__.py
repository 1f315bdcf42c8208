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
from gcdesign.codes.computing.collapse import CollapseRow, collapse_table
from gcdesign.codes.computing.errors import ComputationErrors, computation_errors
from gcdesign.codes.computing.finite import Corrected, FieldLagrangeCode
from gcdesign.codes.computing.functions import COMPUTATIONS, Computation, computation, sample_inputs
from gcdesign.codes.computing.lagrange import LagrangeCode
from gcdesign.codes.computing.lebesgue import amplification, lebesgue_constant, lebesgue_of
from gcdesign.codes.computing.nodes import NODE_CHOICES, make_nodes
from gcdesign.codes.computing.outliers import Outliers, find_outliers
from gcdesign.codes.computing.products import MdsProduct
from gcdesign.codes.computing.quality import Quality, decoding_quality, results_needed
from gcdesign.codes.computing.repetition import RepetitionCode
from gcdesign.codes.computing.results import Received, receive
from gcdesign.codes.computing.thresholds import (
    recovery_threshold,
    repetition_threshold,
    workers_needed,
)

__all__ = [
    "COMPUTATIONS",
    "NODE_CHOICES",
    "ArrivingResults",
    "BerrutCode",
    "CollapseRow",
    "Computation",
    "ComputationErrors",
    "Corrected",
    "ErrorConstants",
    "FieldLagrangeCode",
    "LagrangeCode",
    "MdsProduct",
    "Outliers",
    "Quality",
    "Received",
    "RepetitionCode",
    "amplification",
    "coincidences",
    "collapse_table",
    "computation",
    "computation_errors",
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
    "recovery_threshold",
    "repetition_threshold",
    "results_needed",
    "sample_inputs",
    "workers_needed",
    "worst_constants",
]
