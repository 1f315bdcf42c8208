"""Placements and gradient codes: who holds what, how it is encoded and how it is decoded."""

from gcdesign.codes.code import GradientCode
from gcdesign.codes.decoding import Decoding, decode
from gcdesign.codes.online import DecodingTable, OnlineDecoder, decoding_table
from gcdesign.codes.partial import PartialScheme, partial_scheme
from gcdesign.codes.placement import Placement
from gcdesign.codes.sources import load_code
from gcdesign.codes.span import SpanCheck, check_span, density_bound
from gcdesign.codes.split import SplitCode, SplitDecoding, ye_abbe
from gcdesign.codes.structure import (
    ConstantIntersection,
    ParallelClasses,
    ReplicaGroups,
    Structure,
    structure_of,
)

__all__ = [
    "ConstantIntersection",
    "Decoding",
    "DecodingTable",
    "GradientCode",
    "OnlineDecoder",
    "ParallelClasses",
    "PartialScheme",
    "Placement",
    "ReplicaGroups",
    "SpanCheck",
    "SplitCode",
    "SplitDecoding",
    "Structure",
    "check_span",
    "decode",
    "decoding_table",
    "density_bound",
    "load_code",
    "partial_scheme",
    "structure_of",
    "ye_abbe",
]
