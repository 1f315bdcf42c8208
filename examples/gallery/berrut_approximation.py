"""
How far off Berrut's code is
============================

Berrut's code computes any function approximately, from whichever workers return. Lagrange's code
is exact for a polynomial, but needs a threshold of results; repetition needs one copy of each
part. All three are decoded from every set of stragglers, or from 200 random ones of a size.
"""

from gcdesign.codes.computing import (
    BerrutCode,
    LagrangeCode,
    RepetitionCode,
    computation,
    computation_errors,
    sample_inputs,
)
from gcdesign.figures import panels_figure
from gcdesign.papers import Panel, Series

parts, workers = 4, 16
square = computation("square")
inputs = sample_inputs(parts, 10, seed=0)
codes: list[BerrutCode | LagrangeCode | RepetitionCode]
codes = [kind(parts, workers) for kind in (BerrutCode, LagrangeCode, RepetitionCode)]
found = [computation_errors(code, square, inputs, trials=200) for code in codes]

# %%
# A line is the mean over the sets that can be decoded, and the band reaches up to the worst.
# Rounding is all that is left of Lagrange's error, until it stops decoding; Berrut's error grows
# slowly and never jumps.


def floored(errors: tuple[float | None, ...]) -> tuple[float, ...]:
    """Return errors for an axis of powers: gaps where nothing is decoded, 1e-16 for 0."""
    return tuple(float("nan") if error is None else max(error, 1e-16) for error in errors)


series = tuple(
    Series(
        one.label,
        tuple(map(float, one.stragglers)),
        floored(one.mean),
        lower=floored(one.mean),
        upper=floored(one.worst),
    )
    for one in found
)
title = f"f(x) = {square.text}, K = {parts}, N = {workers}"
panel = Panel(title, "stragglers S", "relative error", series, y_log=True)
figure = panels_figure([panel])
