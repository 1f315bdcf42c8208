"""Placements and gradient codes: who holds what, how it is encoded and how it is decoded."""

from gcdesign.codes.code import GradientCode
from gcdesign.codes.components import GraphComponents
from gcdesign.codes.decoding import DecoderName, Decoding, beyond_design, decode
from gcdesign.codes.expected_curve import ExpectedCurve, expected_curve
from gcdesign.codes.incremental import Collected, IncrementalDecoder, collect
from gcdesign.codes.online import DecodingTable, OnlineDecoder, decoding_table
from gcdesign.codes.partial import PartialScheme, partial_scheme
from gcdesign.codes.placement import Placement
from gcdesign.codes.random_stragglers import (
    Expectation,
    Sampling,
    expected_error,
    expected_error_independent,
    expected_error_profile,
)
from gcdesign.codes.sources import load_code
from gcdesign.codes.span import SpanCheck, check_span, condition_number, density_bound
from gcdesign.codes.split import SplitCode, SplitDecoding, ye_abbe
from gcdesign.codes.stochastic import (
    stochastic_code,
    stochastic_error,
    stochastic_gradient_error,
)
from gcdesign.codes.straggling import Independent, Racks, parse_racks
from gcdesign.codes.structure import (
    ConstantIntersection,
    ParallelClasses,
    ReplicaGroups,
    Structure,
    structure_of,
)

__all__ = [
    "Collected",
    "ConstantIntersection",
    "DecoderName",
    "Decoding",
    "DecodingTable",
    "Expectation",
    "ExpectedCurve",
    "GradientCode",
    "GraphComponents",
    "IncrementalDecoder",
    "Independent",
    "OnlineDecoder",
    "ParallelClasses",
    "PartialScheme",
    "Placement",
    "Racks",
    "ReplicaGroups",
    "Sampling",
    "SpanCheck",
    "SplitCode",
    "SplitDecoding",
    "Structure",
    "beyond_design",
    "check_span",
    "collect",
    "condition_number",
    "decode",
    "decoding_table",
    "density_bound",
    "expected_curve",
    "expected_error",
    "expected_error_independent",
    "expected_error_profile",
    "load_code",
    "parse_racks",
    "partial_scheme",
    "stochastic_code",
    "stochastic_error",
    "stochastic_gradient_error",
    "structure_of",
    "ye_abbe",
]
