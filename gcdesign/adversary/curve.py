"""Curves of the worst-case error against the fraction of stragglers, as values to be drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gcdesign.adversary.results import AttackResult, Side, Value
from gcdesign.adversary.running.settings import Settings
from gcdesign.adversary.worst_error.error import worst_case_error_profile
from gcdesign.adversary.worst_error.judge import Decoder
from gcdesign.codes import GradientCode, load_code

BOUND_POINTS = 201
"""Points at which a bound on the whole axis is drawn."""


@dataclass(frozen=True)
class ErrorCurve:
    """err_S for all S = 0 … N of one code: values where exact, else brackets.

    Attributes
    ----------
    label
        Title of the code.
    family
        Name of its family, None for a code of unknown origin.
    workers, parts
        N and K.
    stragglers
        The numbers of stragglers S.
    lower, upper
        The bracket of err_S for each of them, equal where the value is exact.
    statuses
        ``"exact"`` or ``"bracket"`` for each of them.
    proofs
        What proves each upper end.
    stopped
        The limits that ended a search before proof, without repetition.
    """

    label: str
    family: str | None
    workers: int
    parts: int
    stragglers: tuple[int, ...]
    lower: tuple[Value, ...]
    upper: tuple[Value, ...]
    statuses: tuple[str, ...]
    proofs: tuple[str, ...]
    stopped: tuple[str, ...] = ()

    @property
    def exact(self) -> bool:
        """Whether every value is exact."""
        return all(status == "exact" for status in self.statuses)


@dataclass(frozen=True)
class BoundCurve:
    """A bound on err/K for a whole class of codes, against S/N."""

    label: str
    fractions: tuple[float, ...]
    values: tuple[float, ...]
    side: Side


def error_curve(
    code: GradientCode, *, decoder: Decoder = "optimal", settings: Settings | None = None
) -> ErrorCurve:
    """Return the curve of err_S over S = 0 … N.

    Examples
    --------
    >>> curve = error_curve(load_code("pg:q=2"))
    >>> [str(value) for value in curve.upper[:4]]
    ['0', '1/4', '4/7', '1']
    """
    return curve_of(code, worst_case_error_profile(code, decoder=decoder, settings=settings))


def curve_of(code: GradientCode, results: Sequence[AttackResult]) -> ErrorCurve:
    """Return answers for S = 0 … N, which are known already, as a curve."""
    return ErrorCurve(
        code.label,
        code.family,
        code.workers,
        code.parts,
        tuple(range(code.workers + 1)),
        tuple(result.lower for result in results),
        tuple(result.upper for result in results),
        tuple(result.status for result in results),
        tuple(result.proof for result in results),
        tuple(dict.fromkeys(result.stopped for result in results if result.stopped)),
    )


def isolation_bound(workers: int, parts: int, replication: int) -> BoundCurve:
    """Return the lower bound ⌊S/R⌋/K, which for N = K is ⌊S/L⌋/K.

    Notes
    -----
    Source: Raviv, Tamo, Tandon, Dimakis, Lemma 21: S workers isolate ⌊S/R⌋ parts.
    """
    stragglers = np.arange(workers + 1)
    return BoundCurve(
        "lower bound ⌊S/L⌋" if workers == parts else "lower bound ⌊S/R⌋",
        tuple((stragglers / workers).tolist()),
        tuple((stragglers // replication / parts).tolist()),
        "lower",
    )


def ramanujan_bound(degree: int) -> BoundCurve:
    """Return the upper bound 4(d − 1)/d² · x/(1 − x) of a d-regular Ramanujan graph code.

    Notes
    -----
    Source: Raviv, Tamo, Tandon, Dimakis, (λ/d)² NS/(N − S) with λ = 2√(d − 1), divided by N.
    """
    fractions = np.linspace(0, 1, BOUND_POINTS)[:-1]
    values = 4 * (degree - 1) / degree**2 * fractions / (1 - fractions)
    return BoundCurve(
        f"Ramanujan graph, upper bound (d={degree})",
        tuple(fractions.tolist()),
        tuple(values.tolist()),
        "upper",
    )


def figure_one(
    q: int, *, decoder: Decoder = "optimal", settings: Settings | None = None
) -> tuple[list[ErrorCurve], list[BoundCurve]]:
    """Return the curves and bounds of Figure 1 of the block-design paper for any q.

    PG(2,q), dual AG(2,q), AG(2,q), uncoded with as many workers as PG(2,q), fractional
    repetition with (q + 1)² workers and load q + 1; the Ramanujan upper bound for degree q + 1
    and the lower bound ⌊S/L⌋.

    Notes
    -----
    Source: Kadhe, Koyluoglu, Ramchandran 2019, Figure 1 (q = 5 and 9).

    Raises
    ------
    InputError
        If q is no prime power.

    Examples
    --------
    >>> curves, bounds = figure_one(2)
    >>> [curve.label for curve in curves]
    ['PG(2,2)', 'dual AG(2,2)', 'AG(2,2)', 'FRC (N=9, S=2)', 'uncoded (7 workers)']
    """
    lines = q * q + q + 1
    curves = [
        error_curve(load_code(name), decoder=decoder, settings=settings)
        for name in figure_one_names(q)
    ]
    return curves, [ramanujan_bound(q + 1), isolation_bound(lines, lines, q + 1)]


def figure_one_names(q: int) -> list[str]:
    """Return the codes of Figure 1, as names in place."""
    return [
        f"pg:q={q}",
        f"dual-ag:q={q}",
        f"ag:q={q}",
        f"frc:workers={(q + 1) ** 2},stragglers={q}",
        f"uncoded:workers={q * q + q + 1}",
    ]


def common_isolation_bound(codes: Sequence[GradientCode]) -> list[BoundCurve]:
    """Return the ⌊S/R⌋ bound of each kind of code among those given, without repetition."""
    bounds: dict[tuple[int, int, int], BoundCurve] = {}
    for code in codes:
        replication = code.placement.replication
        if code.weights is None and replication:
            key = code.workers, code.parts, replication
            bounds.setdefault(key, isolation_bound(*key))
    return list(bounds.values())
