"""How wrong codes are when workers are missing: relative errors over the same random sets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gcdesign.codes.computing.berrut import BerrutCode
from gcdesign.codes.computing.functions import MAX_NUMBERS, Computation
from gcdesign.codes.computing.lagrange import LagrangeCode
from gcdesign.codes.computing.repetition import RepetitionCode
from gcdesign.errors import InputError, LimitError

Reals = NDArray[np.float64]
Code = BerrutCode | LagrangeCode | RepetitionCode

MAX_SETS = 2000
"""Sets of stragglers that are all gone through, where no more are asked for."""


@dataclass(frozen=True)
class ComputationErrors:
    """Relative errors ‖f̂ − f‖/‖f‖ over all parts, for each number of stragglers.

    Attributes
    ----------
    label
        Title of the code.
    kind
        ``"berrut"``, ``"lagrange"``, ``"repetition"`` or ``"uncoded"``.
    workers, parts
        N and K.
    stragglers
        The numbers S, increasing.
    mean, worst
        Mean and greatest error over the sets that were decoded; None where none was.
    decoded
        The share of sets that could be decoded at all.
    sets
        How many sets of stragglers were tried for each S.
    complete
        Whether these were all sets, so that the worst is the worst there is.
    """

    label: str
    kind: str
    workers: int
    parts: int
    stragglers: tuple[int, ...]
    mean: tuple[float | None, ...]
    worst: tuple[float | None, ...]
    decoded: tuple[float, ...]
    sets: tuple[int, ...]
    complete: tuple[bool, ...]


def computation_errors(
    code: Code,
    function: Computation,
    inputs: Any,
    *,
    stragglers: Sequence[int] | None = None,
    trials: int = 200,
    seed: int = 0,
) -> ComputationErrors:
    """Decode from the results of random workers, and compare with the function itself.

    Where there are no more than ``trials`` sets of so many stragglers, all are tried. The sets
    depend on N, S and the seed alone, so that codes of as many workers meet the same ones.

    Parameters
    ----------
    code
        A Berrut, Lagrange or repetition code.
    function, inputs
        The function and its K inputs.
    stragglers
        The numbers S; by default 0 to N − 1.
    trials
        Sets tried for each S.
    seed
        Seed of the sets.

    Raises
    ------
    InputError
        If a number is out of range, or the inputs do not fit.
    LimitError
        If the workers would get more than `MAX_NUMBERS` in all.

    Examples
    --------
    >>> from gcdesign.codes.computing.functions import computation, sample_inputs
    >>> code = BerrutCode(parts=4, workers=11)
    >>> found = computation_errors(code, computation("sin"), sample_inputs(4, 3), stragglers=[0, 1])
    >>> found.complete, found.sets
    ((True, True), (1, 11))
    """
    if trials < 1:
        raise InputError(f"trials={trials}; expected 1 or more")
    asked = tuple(range(code.workers) if stragglers is None else stragglers)
    for number in asked:
        if not 0 <= number < code.workers:
            raise InputError(f"stragglers={number}; expected 0 to {code.workers - 1}")
    given = np.asarray(inputs)
    numbers = given.size // code.parts
    if code.workers * numbers > MAX_NUMBERS:
        raise LimitError(
            f"{numbers} numbers for each of {code.workers} workers; expected {MAX_NUMBERS} in all "
            "at most"
        )
    truth = function.apply(given)
    if not np.isfinite(truth).all():
        raise InputError(f"{function.text} of the inputs is NaN or infinite; take smaller inputs")
    results = function.apply(code.encode(given))
    rows = [
        _summary(code, function, results, truth, list(_sets(code.workers, s, trials, seed)))
        for s in asked
    ]
    mean, worst, decoded, sets = zip(*rows, strict=True) if rows else ((), (), (), ())
    return ComputationErrors(
        label=label(code),
        kind=kind(code),
        workers=code.workers,
        parts=code.parts,
        stragglers=asked,
        mean=mean,
        worst=worst,
        decoded=decoded,
        sets=sets,
        complete=tuple(comb(code.workers, s) <= trials for s in asked),
    )


def comparable(code: BerrutCode, function: Computation) -> list[Code]:
    """Return codes to hold beside one: degree 1, Lagrange if it applies, repetition, no code.

    All have the same parts, and all but the last, which is no code, the same workers.
    """
    codes: list[Code] = [code]
    if code.degree == 0:
        codes.append(replace(code, degree=1))
    if function.degree is not None:
        codes.append(LagrangeCode(code.parts, code.workers))
    if code.workers > code.parts:
        codes.append(RepetitionCode(code.parts, code.workers))
    return [*codes, RepetitionCode(code.parts, code.parts)]


def kind(code: Code) -> str:
    """Return the kind of a code, in one word."""
    if isinstance(code, RepetitionCode):
        return "uncoded" if code.workers == code.parts else "repetition"
    return "berrut" if isinstance(code, BerrutCode) else "lagrange"


def label(code: Code) -> str:
    """Return the title of a code, such as ``"Berrut (N=11, K=4)"``."""
    titles = {
        "repetition": "repetition",
        "uncoded": "uncoded",
        "lagrange": "Lagrange over the reals",
    }
    title = titles.get(kind(code), "Berrut")
    if isinstance(code, BerrutCode) and code.degree:
        title = f"Floater–Hormann, d={code.degree}"
    return f"{title} (N={code.workers}, K={code.parts})"


def _sets(workers: int, stragglers: int, trials: int, seed: int) -> Iterator[tuple[int, ...]]:
    """Yield the sets of workers that return."""
    if comb(workers, stragglers) <= trials:
        yield from combinations(range(workers), workers - stragglers)
        return
    rng = np.random.default_rng([seed, workers, stragglers])
    for _ in range(trials):
        yield tuple(sorted(rng.permutation(workers)[stragglers:].tolist()))


def _summary(
    code: Code, function: Computation, results: Any, truth: Any, sets: Sequence[tuple[int, ...]]
) -> tuple[float | None, float | None, float, int]:
    """Return mean and worst error, the share that was decoded, and the number of sets."""
    errors = [_error(code, function, results, truth, kept) for kept in sets]
    found = [error for error in errors if error is not None]
    share = len(found) / len(sets)
    if not found:
        return None, None, 0.0, len(sets)
    return float(np.mean(found)), max(found), share, len(sets)


def _error(
    code: Code, function: Computation, results: Any, truth: Any, kept: tuple[int, ...]
) -> float | None:
    """Return the relative error of one decoding, None if it cannot be made."""
    given = {worker: results[worker] for worker in kept}
    if isinstance(code, LagrangeCode):
        if function.degree is None or len(kept) < code.threshold(function.degree):
            return None
        decoded = code.decode(given, degree=function.degree)
    elif isinstance(code, RepetitionCode):
        if len({worker % code.parts for worker in kept}) < code.parts:
            return None
        decoded = code.decode(given)
    else:
        decoded = code.decode(given)
    size = float(np.linalg.norm(truth.astype(np.float64)))
    return float(np.linalg.norm(decoded.astype(np.float64) - truth)) / (size or 1.0)
