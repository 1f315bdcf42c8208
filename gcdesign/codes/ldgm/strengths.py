"""Three decoders side by side: peeling, inactivation and least squares, with what they cost."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from gcdesign.codes.code import GradientCode
from gcdesign.codes.ldgm.inactivation import inactivation
from gcdesign.codes.ldgm.peeling import peel


@dataclass(frozen=True)
class Strength:
    """What one decoder makes of the answers.

    Attributes
    ----------
    decoder
        ``"peeling"``, ``"inactivation"`` or ``"least squares"``.
    recovered
        Number of parts whose gradients are known; None for least squares, which aims at the sum.
    error
        Squared error of the sum of all gradients: ‖w − 1‖² for what the decoder hands out,
        Σ_j w_j g_j. Of the first two the number of unknown parts.
    operations
        Additions and multiplications that depend on the code alone, by the leading terms.
    """

    decoder: str
    recovered: int | None
    error: float
    operations: int


def strengths(code: GradientCode, silenced: Iterable[int]) -> tuple[Strength, ...]:
    """Decode the same answers by peeling, by inactivation and by least squares.

    Raises
    ------
    InputError
        If a worker is out of range or named twice, or the weights are complex.

    Notes
    -----
    The first two hand out the gradients of parts; least squares hands out one combination, whose
    error is the least of any decoder that knows the code alone.

    Examples
    --------
    >>> from gcdesign.codes import load_code
    >>> ring = load_code("circulant:workers=5,offsets=0+1")
    >>> [(one.decoder, one.recovered, round(one.error, 9)) for one in strengths(ring, [])]
    [('peeling', 0, 5.0), ('inactivation', 5, 0.0), ('least squares', None, 0.0)]
    """
    silent = np.flatnonzero(code.placement.mask(silenced))
    peeled, dense = peel(code.placement, silent), inactivation(code, silent)
    best = code.decode(silent)
    return (
        Strength(
            "peeling",
            len(peeled.recovered),
            float(code.parts - len(peeled.recovered)),
            peeled.operations,
        ),
        Strength(
            "inactivation",
            len(dense.recovered),
            float(code.parts - len(dense.recovered)),
            dense.operations,
        ),
        Strength("least squares", None, best.error, best.cost),
    )
