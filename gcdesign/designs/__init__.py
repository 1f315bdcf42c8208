"""Block designs and incidence structures: construction, operations, checks and formats."""

from gcdesign.designs.counting import intersection_numbers, pair_count_range
from gcdesign.designs.design import BlockDesign, DesignParameters, Provenance
from gcdesign.designs.existence import bibd, exists, explain
from gcdesign.designs.geometry import affine_geometry, projective_geometry
from gcdesign.designs.operations import complement, derived, dual, residual
from gcdesign.designs.registry import (
    Family,
    Parameter,
    build,
    family,
    family_names,
    label,
    parse_spec,
)
from gcdesign.designs.verify import Verification, verify

__all__ = [
    "BlockDesign",
    "DesignParameters",
    "Family",
    "Parameter",
    "Provenance",
    "Verification",
    "affine_geometry",
    "bibd",
    "build",
    "complement",
    "derived",
    "dual",
    "exists",
    "explain",
    "family",
    "family_names",
    "intersection_numbers",
    "label",
    "pair_count_range",
    "parse_spec",
    "projective_geometry",
    "residual",
    "verify",
]
