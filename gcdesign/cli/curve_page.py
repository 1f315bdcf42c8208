"""How curves are shown: a JSON document, CSV, or a table for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from gcdesign.adversary import BoundCurve, ErrorCurve
    from gcdesign.codes import ExpectedCurve

    Curve = ErrorCurve | ExpectedCurve

COLUMNS = ("label", "N", "K", "S", "S/N", "lower", "upper", "lower_exact", "upper_exact", "status")


def document(curves: Sequence[Curve], bounds: Sequence[BoundCurve]) -> dict[str, Any]:
    """Return the JSON document."""
    return {
        "schema": "gcdesign.curve/1",
        "curves": [_curve_json(curve) for curve in curves],
        "bounds": [
            {
                "label": bound.label,
                "side": bound.side,
                "fractions": list(bound.fractions),
                "values": list(bound.values),
            }
            for bound in bounds
        ],
    }


def _curve_json(curve: Curve) -> dict[str, Any]:
    from gcdesign.adversary.results import exact_text
    from gcdesign.codes import ExpectedCurve

    lower, upper, statuses = _ends(curve)
    entry = {
        "label": curve.label,
        "family": curve.family,
        "workers": curve.workers,
        "parts": curve.parts,
        "stragglers": list(curve.stragglers),
        "lower": [float(value) for value in lower],
        "upper": [float(value) for value in upper],
        "lower_exact": [exact_text(value) for value in lower],
        "upper_exact": [exact_text(value) for value in upper],
        "statuses": list(statuses),
    }
    if not isinstance(curve, ExpectedCurve):
        return {**entry, "stopped": list(curve.stopped)}
    return {
        **entry,
        "model": curve.model,
        "mean": [float(mean.value) for mean in curve.means],
        "mean_exact": [exact_text(mean.value) for mean in curve.means],
        "deviation": [mean.deviation for mean in curve.means],
        "methods": [mean.method for mean in curve.means],
        "confidence": min(mean.confidence for mean in curve.means),
        "trials": max(mean.trials for mean in curve.means),
        "seed": curve.seed,
        "stopped": [] if curve.stopped is None else [curve.stopped],
    }


def _ends(curve: Curve) -> tuple[Sequence[Any], Sequence[Any], Sequence[str]]:
    """Return the lower and upper values of a curve and their statuses."""
    from gcdesign.codes import ExpectedCurve

    if not isinstance(curve, ExpectedCurve):
        return curve.lower, curve.upper, curve.statuses
    means = curve.means
    return [m.lower for m in means], [m.upper for m in means], [m.status for m in means]


def csv_bytes(curves: Sequence[Curve]) -> bytes:
    """Return one row for each code and number of stragglers."""
    import csv
    from io import StringIO

    from gcdesign.codes import ExpectedCurve

    expected = any(isinstance(curve, ExpectedCurve) for curve in curves)
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*COLUMNS, "mean", "mean_exact"] if expected else COLUMNS)
    for curve in curves:
        writer.writerows(_rows(curve))
    return text.getvalue().encode()


def _rows(curve: Curve) -> Iterator[list[Any]]:
    from gcdesign.adversary.results import exact_text
    from gcdesign.codes import ExpectedCurve

    rows = zip(curve.stragglers, *_ends(curve), strict=True)
    for stragglers, lower, upper, status in rows:
        row = [
            curve.label,
            curve.workers,
            curve.parts,
            stragglers,
            stragglers / curve.workers if curve.workers else 0.0,
            float(lower),
            float(upper),
            exact_text(lower) or "",
            exact_text(upper) or "",
            status,
        ]
        if isinstance(curve, ExpectedCurve):
            mean = curve.means[stragglers].value
            row += [float(mean), exact_text(mean) or ""]
        yield row


def print_curves(curves: Sequence[Curve]) -> None:
    """Print err_S/K at a few fractions of stragglers."""
    from gcdesign.cli.output import new_table, print_table
    from gcdesign.codes import ExpectedCurve

    expected = any(isinstance(curve, ExpectedCurve) for curve in curves)
    shares = [tenth / 10 for tenth in range(1, 10)]
    title = "E err/K" if expected else "err_S/K"
    table = new_table(f"{title} at S = ⌊xN⌋, x =", *(f">{share:g}" for share in shares))
    for curve in curves:
        table.add_row(curve.label, *(_cell(curve, share) for share in shares))
    print_table(table)
    if any(isinstance(curve, ExpectedCurve) and not _all_exact(curve) for curve in curves):
        click.echo("\n  ±: half the width of an interval that holds the mean with probability 0.95")
    click.echo("\n  -o FILE.png draws the whole curves; -o FILE.csv and --json give every value")


def _all_exact(curve: ExpectedCurve) -> bool:
    return all(mean.status == "exact" for mean in curve.means)


def _cell(curve: Curve, share: float) -> str:
    from gcdesign.codes import ExpectedCurve

    at = int(share * curve.workers + 1e-9)
    parts = max(curve.parts, 1)
    lower, upper, statuses = _ends(curve)
    low, high = float(lower[at]) / parts, float(upper[at]) / parts
    if statuses[at] == "exact":
        return f"{low:.3f}"
    if isinstance(curve, ExpectedCurve):
        return f"{float(curve.means[at].value) / parts:.3f}±{(high - low) / 2:.3f}"
    return f"{low:.3f}–{high:.3f}"
