"""``gcdesign curve --berrut``: errors of a computation against silent workers."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gcdesign.codes.computing import ComputationErrors
    from gcdesign.papers import Panel

USUAL_TRIALS = 200
"""Sets of stragglers that are tried for each S, unless another number is asked for."""

SIZE = 10
COLUMNS = ("label", "N", "K", "S", "S/N", "mean", "worst", "decoded", "sets", "complete")


def show_curves(
    text: str,
    function: str,
    *,
    trials: int | None,
    seed: int,
    title: str | None,
    size: str | None,
    output: Path | None,
    force: bool,
    as_json: bool,
    quiet: bool,
) -> int:
    """Compute, write and print the curves of one Berrut code and those beside it."""
    from gcdesign.cli.berrut import named_code
    from gcdesign.cli.berrut_page import print_errors
    from gcdesign.cli.output import notice, print_json, write_output
    from gcdesign.codes.computing import computation, computation_errors, sample_inputs
    from gcdesign.codes.computing.errors import comparable

    code, chosen = named_code(text), computation(function)
    suffix = _suffix(output, size)
    trials = trials or USUAL_TRIALS
    inputs = sample_inputs(code.parts, SIZE, seed=seed, square=function == "gram")
    found = [
        computation_errors(each, chosen, inputs, trials=trials, seed=seed)
        for each in comparable(code, chosen)
    ]
    document = _document(function, found, trials, seed)
    if output is not None:
        words = title or f"{chosen.text} of {code.parts} random inputs"
        write_output(output, _bytes(suffix, document, found, words, size), force=force)
        if str(output) != "-":
            notice(f"{len(found)} curves written to {output}", quiet=quiet or as_json)
    if as_json:
        print_json(document)
    elif output is None:
        print_errors(found)
    return 0


def _suffix(output: Path | None, size: str | None) -> str:
    """Return what is to be written; refuse what is nothing before anything is computed."""
    if output is None or str(output) == "-":
        return ".json"
    suffix = output.suffix.lower()
    if suffix in (".json", ".csv"):
        return suffix
    from gcdesign.figures import USUAL_SIZE, format_of, picture_size

    picture_size(size or USUAL_SIZE)
    return f".{format_of(output)}"


def _bytes(
    suffix: str,
    document: dict[str, Any],
    found: Sequence[ComputationErrors],
    title: str,
    size: str | None,
) -> bytes:
    if suffix == ".json":
        return (json.dumps(document, ensure_ascii=False, indent=2) + "\n").encode()
    if suffix == ".csv":
        return _csv(found)
    from gcdesign.figures import USUAL_SIZE, panels_figure, render

    figure = panels_figure(panels(found), title=title, size=size or USUAL_SIZE)
    return render(figure, suffix.removeprefix("."))


def _document(
    function: str, found: Sequence[ComputationErrors], trials: int, seed: int
) -> dict[str, Any]:
    from gcdesign.cli.berrut_page import errors_json

    return {
        "schema": "gcdesign.berrut-curve/1",
        "function": function,
        "trials": trials,
        "seed": seed,
        "codes": [errors_json(each) for each in found],
    }


def panels(found: Sequence[ComputationErrors]) -> list[Panel]:
    """Return the pictures: mean errors with bands up to the worst; what could be decoded at all."""
    from gcdesign.papers import Panel, Series

    shares = [tuple(s / each.workers for s in each.stragglers) for each in found]
    errors = tuple(
        Series(
            each.label,
            share,
            _drawn(each.mean),
            lower=_drawn(each.mean),
            upper=_drawn(each.worst),
            family=each.label,
        )
        for each, share in zip(found, shares, strict=True)
    )
    decoded = tuple(
        Series(each.label, share, each.decoded, family=each.label)
        for each, share in zip(found, shares, strict=True)
    )
    across = "fraction of stragglers S/N"
    return [
        Panel(
            "error of what is decoded", across, "relative error, mean to worst", errors, y_log=True
        ),
        Panel("sets that can be decoded", across, "share of sets of S", decoded),
    ]


LEAST_DRAWN = 1e-16
"""Errors below this, 0 too, are drawn here: an axis of powers has no 0."""


def _drawn(values: Sequence[float | None]) -> tuple[float, ...]:
    return tuple(float("nan") if v is None else max(v, LEAST_DRAWN) for v in values)


def _csv(found: Sequence[ComputationErrors]) -> bytes:
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for each in found:
        columns = (each.stragglers, each.mean, each.worst, each.decoded, each.sets, each.complete)
        for s, mean, worst, decoded, sets, complete in zip(*columns, strict=True):
            row = [each.label, each.workers, each.parts, s, s / each.workers]
            blank = ["" if value is None else value for value in (mean, worst)]
            writer.writerow([*row, *blank, decoded, sets, str(complete).lower()])
    return text.getvalue().encode()
