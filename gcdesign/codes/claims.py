"""The family that a MatrixMarket file of weights says it is of: a claim, and it is checked."""

from __future__ import annotations

import re
from dataclasses import replace

from gcdesign.codes.code import GradientCode
from gcdesign.codes.registry import build_code, code_size, parse_code
from gcdesign.designs.design import Provenance, Size
from gcdesign.errors import GcdesignError, InputError

MARK = "gcdesign code "
"""What the comment with the name in place begins with."""

TOLERANCE = 1e-9
"""Relative difference up to which weights are those that were claimed: another linear algebra
library rounds otherwise."""

REMEDY = "remove that comment to read it as a plain matrix"


def claim_of(provenance: Provenance) -> str:
    """Return the comment line of a code's file, ``"gcdesign code cyclic:workers=9,…"``."""
    return MARK + provenance.spec


def confirmed(code: GradientCode, data: bytes) -> GradientCode:
    """Return a code read from a file with the provenance that the file claims, once checked.

    Parameters
    ----------
    code
        What the file's entries say.
    data
        The file. A claim is a comment before the sizes.

    Raises
    ------
    InputError
        If the claim is false or no code at all.
    """
    found = re.search(rb"\A[^\n]*\n% " + MARK.encode() + rb"([!-~]{1,200})\r?\n", data)
    if found is None:
        return code
    spec = found[1].decode("ascii")
    design = code.placement.design
    try:
        claim = parse_code(spec)
        if code_size(claim) != Size(design.v, design.b, design.incidences):
            raise InputError("that is of another size")
        made = build_code(claim)
    except GcdesignError as error:
        raise InputError(f"claims to be {spec}: {error}; {REMEDY}") from None
    difference = made.encoding - code.encoding
    if abs(difference).max() > TOLERANCE * abs(made.encoding).max():
        raise InputError(f"claims to be {spec}, but has other weights; {REMEDY}")
    return replace(
        code, placement=made.placement, provenance=made.provenance, tolerates=made.tolerates
    )
