"""Placements and gradient codes: who holds what, how it is encoded and how it is decoded."""

from gcdesign.codes.code import GradientCode
from gcdesign.codes.components import GraphComponents
from gcdesign.codes.decoding import DecoderName, Decoding, decode
from gcdesign.codes.expected_curve import ExpectedCurve, expected_curve
from gcdesign.codes.incremental import Collected, IncrementalDecoder, collect
from gcdesign.codes.placement import Placement
from gcdesign.codes.random_stragglers import (
    Expectation,
    Sampling,
    expected_error,
    expected_error_independent,
    expected_error_profile,
)
from gcdesign.codes.sources import load_code
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
    "Expectation",
    "ExpectedCurve",
    "GradientCode",
    "GraphComponents",
    "IncrementalDecoder",
    "Independent",
    "ParallelClasses",
    "Placement",
    "Racks",
    "ReplicaGroups",
    "Sampling",
    "Structure",
    "collect",
    "decode",
    "expected_curve",
    "expected_error",
    "expected_error_independent",
    "expected_error_profile",
    "load_code",
    "parse_racks",
    "stochastic_code",
    "stochastic_error",
    "stochastic_gradient_error",
    "structure_of",
]
