"""What ``gcdesign train`` shows: a table, JSON, and the trace."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gcdesign.cli.output import numbers
from gcdesign.cli.simulate_page import print_runs, run_json

if TYPE_CHECKING:
    from gcdesign.training.cluster.run import RealRun
    from gcdesign.training.sweep import Run


def plain_run(run: RealRun) -> Run:
    """Return the run in the form of a simulated one."""
    from gcdesign.training.sweep import Run

    found = run.result
    return Run(
        run.setup,
        found.scheme,
        found.workers,
        found.parts,
        found.history,
        found.finished,
        found.parameters,
    )


def document(run: RealRun, steps: int) -> dict[str, Any]:
    """Return the run as a JSON document."""
    counts = run.counts
    return {
        "schema": "gcdesign.train/1",
        "steps": steps,
        "ready_seconds": run.ready_seconds,
        "run": run_json(plain_run(run)),
        "lost": [{"worker": w, "reason": counts.lost[w]} for w in sorted(counts.lost)],
        "excluded": [
            {"worker": w, "messages": counts.excluded[w]} for w in sorted(counts.excluded)
        ],
        "late": counts.late,
    }


def print_run(run: RealRun, steps: int) -> None:
    """Print the run for people."""
    print_runs([plain_run(run)], steps)
    counts = run.counts
    click.echo(f"\n  {run.result.workers} workers, ready after {run.ready_seconds:.2g} s")
    for worker in sorted(counts.lost):
        click.echo(f"  worker {worker} {counts.lost[worker]}")
    if counts.excluded:
        total = sum(counts.excluded.values())
        click.echo(
            f"  messages left out as not finite: {total}, of workers "
            f"{numbers(sorted(counts.excluded))}"
        )


def trace_encoder(target: Path | None) -> Callable[[RealRun], bytes]:
    """Return what turns a run into the content of a trace's file; refuse a bad suffix at once."""
    from gcdesign.errors import InputError
    from gcdesign.training.traces.files import SUFFIXES, trace_bytes

    suffix = ".csv" if target is None else target.suffix.lower()
    if suffix not in SUFFIXES:
        raise InputError(f"a trace in {str(target)!r}; expected a name in {' or '.join(SUFFIXES)}")
    return lambda run: trace_bytes(run.trace(), suffix=suffix)
