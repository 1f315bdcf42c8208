"""Symmetry of designs: automorphisms, isomorphism, canonical forms, dualities and polarities."""

from gcdesign.designs.symmetry.automorphisms import AutomorphismGroup, automorphism_group
from gcdesign.designs.symmetry.duality import Polarity, PolaritySearch, find_polarity, self_duality
from gcdesign.designs.symmetry.incidence_graph import IncidenceGraph, Permutation, Symmetries
from gcdesign.designs.symmetry.isomorphism import (
    Isomorphism,
    canonical_form,
    certificate,
    isomorphism,
)

__all__ = [
    "AutomorphismGroup",
    "IncidenceGraph",
    "Isomorphism",
    "Permutation",
    "Polarity",
    "PolaritySearch",
    "Symmetries",
    "automorphism_group",
    "canonical_form",
    "certificate",
    "find_polarity",
    "isomorphism",
    "self_duality",
]
