"""Pictures of LDGM codes: how decoding proceeds, and where coding wins over uncoded."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from matplotlib.figure import Figure

from gcdesign.errors import InputError
from gcdesign.figures.panels import panels_figure
from gcdesign.figures.sizes import USUAL_SIZE
from gcdesign.papers import Panel, Series

if TYPE_CHECKING:
    from gcdesign.codes.ldgm.evolution import Evolution
    from gcdesign.codes.ldgm.finite import Simulation
    from gcdesign.codes.ldgm.gains import Gain
    from gcdesign.codes.ldgm.limit import Limit


def evolution_figure(
    evolution: Evolution | None,
    simulation: Simulation | None = None,
    limit: Limit | None = None,
    *,
    title: str | None = None,
    size: str = USUAL_SIZE,
) -> Figure:
    """Draw the share of unknown parts after each round of decoding.

    Parameters
    ----------
    evolution
        The trace of density evolution; None to leave it out.
    simulation
        Simulated rounds beside it, with the interval at their end.
    limit
        What no code passes by, as a thin line.
    title
        Above the picture.
    size
        What it is to fill, as in `error_figure`.

    Raises
    ------
    InputError
        If there is nothing to draw.

    Examples
    --------
    >>> from gcdesign.codes.ldgm.ensemble import Ensemble
    >>> from gcdesign.codes.ldgm.evolution import evolve
    >>> from gcdesign.codes.times import parse_time
    >>> from gcdesign.designs.ensembles.degrees import Degrees
    >>> twice = Ensemble(Degrees.regular(2), Degrees.regular(1))
    >>> figure = evolution_figure(evolve(twice, parse_time("exp:rate=2"), 1.0))
    >>> figure.axes[0].get_ylabel()
    'share of unknown parts'
    """
    series: list[Series] = []
    if evolution is not None:
        shares = evolution.unrecovered_trace
        series.append(_rounds("density evolution", shares, family="ldgm"))
    if simulation is not None:
        label = f"simulation, K = {simulation.parts}"
        series.append(_rounds(label, simulation.rounds, family="simulation"))
    if not series:
        raise InputError("there is nothing to draw; give an evolution or a simulation")
    last = max(one.x[-1] for one in series)
    if limit is not None:
        ends = (0.0, last)
        series.append(Series("uncoded", ends, (limit.uncoded,) * 2, family="uncoded"))
        bound = f"no LDGM code of degrees up to {limit.largest} passes by"
        series.append(Series(bound, ends, (limit.floor,) * 2, kind="bound"))
    panel = Panel(
        "", "rounds of decoding", "share of unknown parts", tuple(series), y_limits=(-0.02, 1.02)
    )
    return panels_figure((panel,), title=title, size=size)


def gains_figure(
    gains: Sequence[Gain], *, title: str | None = None, size: str = USUAL_SIZE
) -> Figure:
    """Draw the unrecovered share against the deadline: best code, uncoded and the bound.

    Parameters
    ----------
    gains
        Those of one law of times come together, one panel for each law.
    title
        Above the picture.
    size
        What it is to fill, as in `error_figure`.

    Raises
    ------
    InputError
        If there is none.
    """
    panels = []
    for time, group in groupby(gains, key=lambda gain: gain.time.written):
        rows = sorted(group, key=lambda gain: gain.deadline)
        deadlines = tuple(gain.deadline for gain in rows)
        panels.append(
            Panel(
                time,
                "deadline",
                "share of unknown parts",
                (
                    Series("best LDGM code found", deadlines, _of(rows, "coded"), family="ldgm"),
                    Series("uncoded", deadlines, _of(rows, "uncoded"), family="uncoded"),
                    Series("bound on all LDGM codes", deadlines, _of(rows, "floor"), kind="bound"),
                ),
                y_limits=(-0.02, 1.02),
            )
        )
    if not panels:
        raise InputError("there is nothing to draw; give at least one law of times")
    return panels_figure(panels, title=title, size=size)


def _of(rows: Sequence[Gain], name: str) -> tuple[float, ...]:
    return tuple(float(getattr(row, name)) for row in rows)


def _rounds(label: str, shares: Sequence[float], *, family: str) -> Series:
    return Series(label, tuple(map(float, range(len(shares)))), tuple(shares), family=family)
