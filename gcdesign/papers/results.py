"""What an experiment found: curves, and the paper's statements beside our numbers."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass, field
from io import StringIO
from typing import Literal

from gcdesign.errors import InputError

Numbers = tuple[float, ...]

Verdict = Literal["agrees", "differs", "not stated"]
"""How our number stands to the paper's: ``not stated`` where the paper gives none to compare."""

COLUMNS = ("panel", "series", "x", "y", "lower", "upper")


@dataclass(frozen=True)
class Series:
    """One curve, or one row of bars.

    Attributes
    ----------
    label
        What the legend says.
    x, y
        The points, of equal number; a y that is not finite is a gap.
    lower, upper
        An interval around each y, or empty.
    kind
        ``"line"``, ``"steps"``, ``"points"``, or ``"bound"`` for a thin grey line.
    family
        What decides the colour, so that one code has one colour everywhere; the label if empty.
    """

    label: str
    x: Numbers
    y: Numbers
    lower: Numbers = ()
    upper: Numbers = ()
    kind: Literal["line", "steps", "points", "bound"] = "line"
    family: str = ""

    def __post_init__(self) -> None:
        lengths = {len(self.x), len(self.y), len(self.lower or self.x), len(self.upper or self.x)}
        if len(lengths) > 1 or bool(self.lower) != bool(self.upper):
            raise InputError(f"series {self.label!r} has x, y and intervals of different length")


@dataclass(frozen=True)
class Panel:
    """One pair of axes with its curves.

    Attributes
    ----------
    title
        What stands above it; also its name in the CSV file.
    x_label, y_label
        What the axes show, with units.
    series
        The curves.
    x_log, y_log
        Whether an axis is logarithmic.
    y_limits
        The range of the ordinate, or None to show everything.
    """

    title: str
    x_label: str
    y_label: str
    series: tuple[Series, ...]
    x_log: bool = False
    y_log: bool = False
    y_limits: tuple[float, float] | None = None


@dataclass(frozen=True)
class Claim:
    """A statement of the paper, and what came out here.

    Attributes
    ----------
    subject
        What it is about, in a few words.
    paper
        What the paper states.
    ours
        What we got.
    verdict
        ``"agrees"``, ``"differs"`` or ``"not stated"``; decided by computation, never typed in.
    why
        Where it differs, and why; or how it was compared.
    """

    subject: str
    paper: str
    ours: str
    verdict: Verdict
    why: str = ""


def verdict(agrees: bool) -> Verdict:
    """Return the verdict of a comparison."""
    return "agrees" if agrees else "differs"


@dataclass(frozen=True)
class ExperimentResult:
    """An experiment's curves and claims.

    Attributes
    ----------
    panels
        The pictures, side by side.
    claims
        The paper's statements beside our numbers.
    notes
        What a reader must know: deviations from the paper's set-up, each with its reason.
    stopped
        What ended the run early, or None; what was done by then is shown.
    settings
        The settings used, filled in by `reproduce`.
    seed, scale, seconds
        The seed, ``"scaled"`` or ``"full"``, and the time taken; filled in by `reproduce`.
    """

    panels: tuple[Panel, ...]
    claims: tuple[Claim, ...]
    notes: tuple[str, ...] = ()
    stopped: str | None = None
    settings: Mapping[str, float] = field(default_factory=dict)
    seed: int = 0
    scale: Literal["scaled", "full"] = "scaled"
    seconds: float = 0.0


def csv_text(result: ExperimentResult) -> str:
    r"""Return every point of every curve as CSV, one row each.

    Examples
    --------
    >>> series = Series("uncoded", (0.0, 1.0), (0.0, 1.0))
    >>> csv_text(ExperimentResult((Panel("error", "S/N", "err/K", (series,)),), ()))
    'panel,series,x,y,lower,upper\nerror,uncoded,0.0,0.0,,\nerror,uncoded,1.0,1.0,,\n'
    """
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for panel in result.panels:
        for series in panel.series:
            blank = ("",) * len(series.x)
            ends = zip(series.lower or blank, series.upper or blank, strict=True)
            for x, y, (lower, upper) in zip(series.x, series.y, ends, strict=True):
                writer.writerow([panel.title, series.label, x, y, lower, upper])
    return text.getvalue()
