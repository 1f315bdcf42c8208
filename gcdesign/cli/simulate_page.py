"""What ``gcdesign simulate`` shows: a table, JSON, CSV, pictures, and the models."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from gcdesign.training.sweep import Run

STEP_COLUMNS = (
    "scheme",
    "stragglers",
    "seed",
    "step",
    "seconds",
    "clock",
    "heard",
    "error",
    "loss",
)
"""Columns of the CSV file; those of the metrics follow."""

QUANTILES = {"median": 0.5, "p99": 0.99}


def document(runs: list[Run], steps: int) -> dict[str, Any]:
    """Return the runs as a JSON document."""
    return {"schema": "gcdesign.simulate/1", "steps": steps, "runs": [run_json(r) for r in runs]}


def run_json(run: Run) -> dict[str, Any]:
    """Return one run for JSON."""
    history = run.history
    return {
        "label": run.label,
        "workers": run.workers,
        "parts": run.parts,
        "stragglers": run.setup.stragglers,
        "setup": _plain(run.setup.to_json()),
        "finished": run.finished,
        "steps": history.steps,
        "seconds": float(history.seconds.sum()),
        "step_seconds": step_seconds(run),
        "heard": float(history.heard.mean()) if history.steps else None,
        "error": None
        if history.errors is None or not history.steps
        else float(history.errors.mean()),
        "evaluations": [
            {"step": e.step, "seconds": e.seconds, "loss": e.loss, "metrics": e.metrics}
            for e in history.evaluations
        ],
    }


def _plain(value: Any) -> Any:
    """Return values for JSON, which has no word for infinity."""
    if isinstance(value, dict):
        return {key: _plain(own) for key, own in value.items()}
    return "inf" if isinstance(value, float) and not isfinite(value) else value


def step_seconds(run: Run) -> dict[str, float] | None:
    """Return mean, median, 99th percentile and maximum of the seconds of a step."""
    import numpy as np

    seconds = run.history.seconds
    if not len(seconds):
        return None
    found = {"mean": float(seconds.mean())}
    for name, at in QUANTILES.items():
        found[name] = float(np.quantile(seconds, at, method="inverted_cdf"))
    return found | {"max": float(seconds.max())}


def print_runs(runs: list[Run], steps: int) -> None:
    """Print the runs as a table for people."""
    from gcdesign.cli.output import new_table, print_table

    if not runs:
        click.echo("no run was finished")
        return
    names = metric_names(runs)
    learnt = any(run.history.evaluations for run in runs)
    titles = ["scheme", ">S", ">s/step", ">median", ">p99", ">heard", ">error"]
    titles += [">total s", ">loss", *(f">{name}" for name in names)] if learnt else [">total s"]
    table = new_table(*titles)
    for run in runs:
        table.add_row(*_cells(run, names if learnt else None))
    print_table(table)
    short = [run for run in runs if run.history.steps < steps]
    for run in short:
        click.echo(f"\n  {run.label}: ended early, after {run.history.steps} of {steps} steps")


def _cells(run: Run, names: list[str] | None) -> list[str]:
    found = run_json(run)
    each = found["step_seconds"] or {}
    cells = [run.label, str(run.setup.stragglers)]
    cells += [_short(each.get(name)) for name in ("mean", "median", "p99")]
    cells += [_short(found["heard"]), _short(found["error"]), _short(found["seconds"])]
    if names is None:
        return cells
    last = run.history.evaluations[-1] if run.history.evaluations else None
    metrics = last.metrics if last else {}
    return [*cells, _short(last.loss if last else None), *(_short(metrics.get(n)) for n in names)]


def _short(value: float | None) -> str:
    if value is None:
        return "-"
    return "0" if abs(value) < 1e-9 else f"{value:.4g}"


def metric_names(runs: list[Run]) -> list[str]:
    """Return the names of all metrics of some runs, in their order."""
    names = {name: None for run in runs for e in run.history.evaluations for name in e.metrics}
    return list(names)


def encoder(
    output: Path | None, *, times_only: bool, size: str | None
) -> Callable[[list[Run]], bytes]:
    """Return what turns runs into a file's content; refuse a bad suffix or size at once."""
    from gcdesign.errors import InputError

    suffix = "" if output is None else output.suffix.lower()
    if suffix == ".csv":
        return csv_bytes
    if suffix in ("", ".json") and (output is None or suffix):
        return json_bytes
    if suffix == ".npz" and not times_only:
        return model_bytes
    from gcdesign.figures import (
        FORMATS,
        USUAL_SIZE,
        format_of,
        picture_size,
        render,
        runs_figure,
    )

    if suffix.removeprefix(".") not in FORMATS:
        expected = ", ".join([*(f".{name}" for name in FORMATS), ".csv", ".json", ".npz"])
        raise InputError(f"{str(output)!r} ends in {suffix!r}; expected one of: {expected}")
    assert output is not None
    name, room = format_of(output), size or USUAL_SIZE
    picture_size(room)
    return lambda runs: render(runs_figure(runs, size=room), name)


def json_bytes(runs: list[Run]) -> bytes:
    """Return the document as the content of a file."""
    steps = max((run.history.steps for run in runs), default=0)
    text = json.dumps(document(runs, steps), ensure_ascii=False, indent=2, allow_nan=False)
    return (text + "\n").encode()


def csv_bytes(runs: list[Run]) -> bytes:
    """Return every step of every run as CSV; the model's scores where it was evaluated."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    names = metric_names(runs)
    writer.writerow([*STEP_COLUMNS, *names])
    for run in runs:
        history = run.history
        judged = {e.step: e for e in history.evaluations}
        clock = history.clock.tolist()
        for at in range(history.steps):
            found = judged.get(at + 1)
            scores = found.metrics if found else {}
            writer.writerow(
                [
                    run.label,
                    run.setup.stragglers,
                    run.setup.seed,
                    at + 1,
                    history.seconds[at],
                    clock[at],
                    history.heard[at],
                    "" if history.errors is None else history.errors[at],
                    found.loss if found else "",
                    *(scores.get(name, "") for name in names),
                ]
            )
    return text.getvalue().encode()


def model_bytes(runs: list[Run]) -> bytes:
    """Return the models as an npz file: ``parameters``, a row for each run, and a header."""
    import numpy as np

    from gcdesign.training.archives import pack

    setups = [_plain(run.setup.to_json()) for run in runs]
    models = [run.parameters for run in runs if run.parameters is not None]
    return pack({"setups": setups}, {"parameters": np.array(models)})
