"""Figure 1 of Kadhe, Koyluoglu, Ramchandran 2019: errors of block designs in the worst case."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from gcdesign.adversary import BoundCurve, ErrorCurve, figure_one
from gcdesign.codes import GradientCode, decode, load_code
from gcdesign.papers.experiment import Experiment, Settings, Watch
from gcdesign.papers.results import Claim, ExperimentResult, Panel, Series, verdict

PAPER = "Kadhe, Koyluoglu, Ramchandran 2019"
SETS = 20
"""Random sets of stragglers that are decoded, for each of a few numbers of stragglers."""


def figure_one_experiment(name: str, q: int, part: str) -> Experiment:
    """Return the declaration for one part of the figure."""
    return Experiment(
        name=name,
        title=f"worst-case error against stragglers (paper: q = {q})",
        source=f"{PAPER}, Figure 1({part})",
        scaled={"q": q},
        full={},
        meaning={"q": "order of the planes, a prime power"},
        run=_run,
    )


def _run(settings: Settings, seed: int, watch: Watch) -> ExperimentResult:
    q = int(settings["q"])
    watch("worst-case errors", 0.0)
    curves, bounds = figure_one(q)
    plane, dual, _affine, repetition, uncoded = curves
    watch("sets of stragglers decoded", 0.5)
    rng = np.random.default_rng(seed)
    claims = (
        _closed_form(plane, "PG(2,q)", "qS/((q+1)² − S)", _plane_errors(q)),
        _closed_form(dual, "dual AG(2,q)", "(q+1)S/(q²+q−S)", _dual_errors(q)),
        _depends(load_code(f"pg:q={q}"), "PG(2,q)", rng),
        _depends(load_code(f"dual-ag:q={q}"), "dual AG(2,q)", rng),
        _depends(load_code(f"ag:q={q}"), "AG(2,q)", rng),
        _closed_form(repetition, "fractional repetition", "(q+1)⌊S/(q+1)⌋", _replica_errors(q)),
        _closed_form(uncoded, "uncoded", "S", [Fraction(s) for s in uncoded.stragglers]),
        _below_ramanujan(plane, bounds[0]),
        _above_isolation(plane, bounds[1]),
        _affine_size(q),
    )
    panel = Panel(
        f"q = {q}",
        "fraction of stragglers S/N",
        "worst-case error err_S/K",
        tuple(_series(curve) for curve in curves) + tuple(_bound(bound) for bound in bounds),
        y_limits=(0.0, 1.05),
    )
    return ExperimentResult((panel,), claims, (_crossing(q),))


def _series(curve: ErrorCurve) -> Series:
    return Series(
        curve.label,
        tuple(s / curve.workers for s in curve.stragglers),
        tuple(float(value / curve.parts) for value in curve.upper),
        family=curve.family or "",
    )


def _bound(bound: BoundCurve) -> Series:
    return Series(bound.label, bound.fractions, bound.values, kind="bound")


def _plane_errors(q: int) -> list[Fraction]:
    lines = q * q + q + 1
    return [Fraction(q * s, (q + 1) ** 2 - s) for s in range(lines)] + [Fraction(lines)]


def _dual_errors(q: int) -> list[Fraction]:
    workers = q * q
    return [Fraction((q + 1) * s, q * q + q - s) for s in range(workers)] + [
        Fraction(q * q + q)  # nobody is left
    ]


def _replica_errors(q: int) -> list[Fraction]:
    return [Fraction((q + 1) * (s // (q + 1))) for s in range((q + 1) ** 2 + 1)]


def _closed_form(curve: ErrorCurve, code: str, formula: str, values: list[Fraction]) -> Claim:
    equal = sum(
        low == high == value
        for low, high, value in zip(curve.lower, curve.upper, values, strict=True)
    )
    return Claim(
        f"err_S of {code}",
        formula,
        f"equal for {equal} of {len(values)} values of S, in fractions",
        verdict(equal == len(values)),
        "proved for every set of stragglers" if curve.exact else "brackets only",
    )


def _depends(code: GradientCode, name: str, rng: np.random.Generator) -> Claim:
    """Decode random sets of a few sizes, and see whether those of one size have one error."""
    widest: tuple[int, Fraction, Fraction] | None = None
    for stragglers in range(1, code.workers, max(1, code.workers // 6)):
        sets = [rng.permutation(code.workers)[:stragglers].tolist() for _ in range(SETS)]
        errors = [Fraction(decode(code, silent).error) for silent in sets]
        if widest is None or max(errors) - min(errors) > widest[2] - widest[1]:
            widest = stragglers, min(errors), max(errors)
    if widest is None:
        return Claim(f"sets of {name}", "one error for each S", "no set to try", "not stated")
    stragglers, low, high = widest
    if low == high:
        ours, why = "one error for each S", f"{SETS} random sets for each of several S"
    else:
        ours = f"at S = {stragglers} from {float(low):.4g} to {float(high):.4g}"
        why = "workers of one parallel class share no part, those of two classes share one"
    return Claim(
        f"error of {name} depends on",
        "the number of stragglers only",
        ours,
        verdict(low == high),
        why,
    )


def _below_ramanujan(plane: ErrorCurve, bound: BoundCurve) -> Claim:
    """Compare PG(2,q) with the bound for Ramanujan graphs wherever both are defined."""
    shares = np.array(plane.stragglers[1:-1]) / plane.workers
    errors = np.array([float(value / plane.parts) for value in plane.upper[1:-1]])
    limits = np.interp(shares, bound.fractions, bound.values)
    ratio = float((errors / limits).max(initial=0.0))
    return Claim(
        "PG(2,q) against Ramanujan graphs",
        "the design's error is lower",
        f"at most {ratio:.3f} of the graphs' upper bound",
        verdict(ratio < 1),
        "an upper bound of the graphs, not their error",
    )


def _above_isolation(plane: ErrorCurve, bound: BoundCurve) -> Claim:
    below = sum(
        float(value / plane.parts) < floor - 1e-12
        for value, floor in zip(plane.upper, bound.values, strict=True)
    )
    return Claim(
        "lower bound ⌊S/L⌋",
        "holds for every code with N = K",
        f"PG(2,q) is below it at {below} values of S",
        verdict(below == 0),
    )


def _affine_size(q: int) -> Claim:
    code = load_code(f"ag:q={q}").placement
    printed = code.workers == q * q + 1
    return Claim(
        "workers of AG(2,q), Table III",
        "N = q² + 1 (as printed)",
        f"N = q² + q = {code.workers}, K = {code.parts}",
        verdict(printed),
        "a misprint: NL = KR holds for q² + q only",
    )


def _crossing(q: int) -> str:
    share = 1 - 4 * q / (q + 1) ** 2
    return (
        f"The Ramanujan bound exceeds the error without coding from S/N = {share:.3f} on: there it "
        "says nothing."
    )
