"""MatrixMarket files of codes with weights: the family that one names is a claim, and checked."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from gcdesign.codes.code import GradientCode
from gcdesign.codes.registry import build_code, code_size, parse_code
from gcdesign.designs.design import Size
from gcdesign.designs.formats.matrixmarket import write_weights
from gcdesign.errors import GcdesignError, InputError

MARK = "gcdesign code "
"""What the comment with the name in place begins with."""

TOLERANCE = 1e-9
"""Relative difference up to which weights are those that were claimed: another linear algebra
library rounds otherwise."""

REMEDY = "remove that comment to read it as a plain matrix"


def write_weights_file(code: GradientCode) -> bytes:
    """Return the MatrixMarket file of a code; a comment names its family, if it is of one.

    Examples
    --------
    >>> from gcdesign.codes.registry import build_code, parse_code
    >>> code = build_code(parse_code("cyclic-mds:workers=2,stragglers=1"))
    >>> write_weights_file(code).decode().splitlines()[1]
    '% gcdesign code cyclic-mds:workers=2,stragglers=1,real=1'
    """
    design = code.placement.design
    weights = np.ones(design.incidences) if code.weights is None else code.weights
    comment = MARK + code.provenance.spec if code.provenance else "a code with weights"
    return write_weights(design, weights, comment=comment)


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
