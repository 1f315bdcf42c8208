"""Ye–Abbe codes with whole gradients as messages: the polynomial codes with real points."""

from __future__ import annotations

import numpy as np

from gcdesign.codes.code import GradientCode
from gcdesign.codes.registry import CodeFamily
from gcdesign.codes.rows import circulant_code, circulant_size
from gcdesign.codes.split import ye_abbe
from gcdesign.designs import Parameter, Provenance
from gcdesign.designs.near import near_exact
from gcdesign.errors import InputError


def construct(workers: int, stragglers: int, pieces: int = 1) -> GradientCode:
    """Return the Ye–Abbe code with m = 1 as a gradient code; see `gcdesign.codes.split.ye_abbe`.

    With m > 1 pieces a worker sends a message of 1/m of the length. No N × K matrix describes
    that, and no error is defined for it here: `ye_abbe` returns it as a `SplitCode`.

    Raises
    ------
    InputError
        If N or S is out of range, or m is not 1.

    Notes
    -----
    Source: Ye and Abbe, Communication-Computation Efficient Gradient Coding, 2018.
    """
    code = ye_abbe(workers, stragglers, pieces=pieces)
    if pieces > 1:
        raise InputError(
            f"pieces={pieces} makes messages of 1/{pieces} of the length, which are no N × K "
            f"code; in Python: gcdesign.codes.ye_abbe({workers}, {stragglers}, pieces={pieces}); "
            f"its placement is circulant:workers={workers},load={stragglers + pieces}"
        )
    parts = (np.arange(workers)[:, None] + np.arange(stragglers + 1)) % workers
    weights = np.take_along_axis(code.coefficients[:, :, 0], parts, axis=1)
    made = Provenance.of("ye-abbe", workers=workers, stragglers=stragglers, pieces=pieces)
    return circulant_code(weights, provenance=made, tolerates=stragglers)


FAMILY = CodeFamily(
    name="ye-abbe",
    summary="Ye-Abbe code: exact for any S stragglers with load S+1, real points",
    source="Ye, Abbe 2018, Communication-Computation Efficient Gradient Coding",
    parameters=(
        Parameter("workers", "number of workers N = number of parts K"),
        Parameter("stragglers", "number of stragglers S that it tolerates, 0 to workers-1"),
        Parameter("pieces", "pieces m of a gradient: 1 here; more in Python (default 1)", True),
    ),
    construct=construct,
    size=lambda workers, stragglers, pieces=1: circulant_size(workers, stragglers + 1),
    label=lambda workers, stragglers, pieces: f"Ye–Abbe (N={workers}, S={stragglers})",
    example={"workers": 9, "stragglers": 2},
    domain="0 ≤ stragglers < workers, pieces = 1",
    near=near_exact("ye-abbe"),
)
