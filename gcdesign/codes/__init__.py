"""Placements and gradient codes: who holds what, how it is encoded and how it is decoded."""

from gcdesign.codes.code import GradientCode
from gcdesign.codes.decoding import Decoding, decode
from gcdesign.codes.placement import Placement
from gcdesign.codes.sources import load_code
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
    "GradientCode",
    "ParallelClasses",
    "Placement",
    "ReplicaGroups",
    "Structure",
    "decode",
    "load_code",
    "structure_of",
]
