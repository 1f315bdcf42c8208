"""Run all benchmarks; with --write, keep the results and renew the tables in the documents.

``python benchmarks/run.py --write`` measures, puts what it found into ``benchmarks/results.json``
in place of what was there, group by group, and renews the tables of ``docs/benchmarks.md``;
``--render`` renews the tables from the results as they are.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

import berrut
import cluster
import decoding
import designs
import exact
import graphs
import ldgm
import lying
import peers
import plain
import planes
import solvers
import startup
import training
from measuring import Row

RESULTS = Path(__file__).with_name("results.json")
PAGE = Path(__file__).parents[1] / "docs" / "benchmarks.md"
HEAD = ("| what | against | ratio (least to most) | target |", "|---|---|---:|---|")
BEGIN, END = "<!-- benchmarks: begin -->", "<!-- benchmarks: end -->"
PACKAGES = ("gcdesign", "click", "numpy", "ortools", "scipy")
GROUPS: dict[str, tuple[str, Callable[[], list[Row]]]] = {
    "startup": ("Start-up", startup.measure),
    "planes": ("Large planes against writing an array", planes.measure),
    "sage": ("Designs against SageMath", designs.measure_sage),
    "gap": ("Designs against GAP's DESIGN package", designs.measure_gap),
    "designs": ("Resolutions", designs.measure_resolution),
    "graphs": ("Graphs", graphs.measure),
    "solvers": ("S\\*(η) against other solvers", solvers.measure),
    "plain": ("Errors, decoding and peeling against plain Python and numpy", plain.measure),
    "decoding": ("Decoding of large codes", decoding.measure),
    "lying": ("Lying workers", lying.measure),
    "ldgm": ("LDGM codes", ldgm.measure),
    "berrut": ("Coded computing", berrut.measure),
    "cluster": ("Real runs under MPI", cluster.measure),
    "training": ("Simulated training", training.measure),
}
"""Benchmarks that give ratios: what their tables are called, and what measures them."""

EXACT = "exact"
"""The benchmark that holds proofs against aims; it has a table of its own."""


def machine() -> dict[str, Any]:
    """Return what the numbers depend on, in neutral words."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return {
        "cores": cores,
        "cpu": _cpu_model(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "packages": {name: version(name) for name in PACKAGES},
    }


def _cpu_model() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    text = cpuinfo.read_text() if cpuinfo.exists() else ""
    found = re.search(r"^model name\s*:\s*(.+)$", text, re.MULTILINE)
    return found[1] if found else platform.processor() or "unknown"


def tables(results: dict[str, Any]) -> str:
    """Return the measured tables as Markdown."""
    on = results["machine"]
    packages = ", ".join(f"{name} {number}" for name, number in on["packages"].items())
    rows = [Row(**entry) for entry in results["rows"]]
    lines = [
        f"Measured on {on['cores']} cores of {on['cpu']}, {on['system']}, {on['python']}, "
        f"{packages}; {peers_line(results['peers'])}.",
        "",
    ]
    for group, (title, _) in GROUPS.items():
        of_group = [_table_line(line) for line in rows if line.group == group]
        if of_group:
            lines += [f"### {title}", "", *HEAD, *of_group, ""]
    if results[EXACT]:
        lines += ["### Long searches", ""]
        lines += exact.markdown([exact.Line(**entry) for entry in results[EXACT]])
    return "\n".join(lines).rstrip("\n") + "\n"


def peers_line(versions: dict[str, str | None]) -> str:
    """Return which peers were there, and which were not and so have no rows."""
    there = ", ".join(f"{name} {number}" for name, number in versions.items() if number)
    missing = " and ".join(name for name, number in versions.items() if number is None)
    return f"beside it {there or 'no peer'}" + (f"; {missing} not installed" if missing else "")


def _table_line(line: Row) -> str:
    subject = line.subject + (f" ({line.note})" if line.note else "")
    target = {
        None: "",
        True: f"≤ {line.target}, met",
        False: f"≤ {line.target}, **not met**",
    }[line.met]
    ratio = f"{line.ratio:.3g} ({line.least:.3g} to {line.most:.3g})"
    return f"| {subject} | {line.reference} | {ratio} | {target} |"


def render(results: dict[str, Any]) -> None:
    """Put the tables into the page, between its two markers.

    Raises
    ------
    ValueError
        If the page has lost its markers.
    """
    page = PAGE.read_text(encoding="utf-8")
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{PAGE.name} has lost a marker: {BEGIN} or {END}")
    PAGE.write_text(f"{before}{BEGIN}\n\n{tables(results)}\n{END}{after}", encoding="utf-8")


def measured(groups: Sequence[str], *, long: bool) -> dict[str, Any]:
    """Run some benchmarks and return what they found, as it is kept."""
    rows = [line for name in groups if name != EXACT for line in GROUPS[name][1]()]
    lines = exact.measure(long=long) if EXACT in groups else []
    return {
        "schema": "gcdesign.benchmarks/2",
        "machine": machine(),
        "peers": peers.versions(),
        "rows": [asdict(line) for line in rows],
        EXACT: [asdict(line) for line in lines],
    }


def merged(kept: dict[str, Any], new: dict[str, Any], groups: Sequence[str]) -> dict[str, Any]:
    """Return kept results with those of one more run in place of the same groups.

    Of `EXACT` only lines of the same question are replaced, as some take hours.

    Raises
    ------
    ValueError
        If the two are from different machines or packages, and cannot share a table.
    """
    for part in ("machine", "peers"):
        if kept[part] != new[part]:
            raise ValueError(f"kept results are from another {part}: --anew drops them")
    rows = [
        line for line in kept["rows"] if line["group"] not in groups and line["group"] in GROUPS
    ]
    lines = {line["question"]: line for line in (*kept[EXACT], *new[EXACT])}
    return {**new, "rows": [*rows, *new["rows"]], EXACT: list(lines.values())}


def main() -> None:
    """Read the options and do what they say."""
    names = (*GROUPS, EXACT)
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=", ".join(names))
    parser.add_argument("--long", action="store_true", help="with questions that take hours")
    parser.add_argument("--write", action="store_true", help="keep results and renew the tables")
    parser.add_argument("--anew", action="store_true", help="with --write: drop what was kept")
    parser.add_argument("--render", action="store_true", help="renew the tables, measure nothing")
    options = parser.parse_args()
    unknown = sorted(set(options.groups) - set(names))
    if unknown:
        parser.error(f"no benchmark is called {unknown[0]!r}; expected: {', '.join(names)}")
    if options.render:
        render(json.loads(RESULTS.read_text(encoding="utf-8")))
        return
    groups = options.groups or names
    if options.write and options.anew:
        write(measured([], long=False))
    for group in groups:
        results = measured([group], long=options.long)
        if options.write:
            kept = json.loads(RESULTS.read_text(encoding="utf-8"))
            write(merged(kept, results, [group]))


def write(results: dict[str, Any]) -> None:
    """Keep results, and renew the tables."""
    text = json.dumps(results, indent=1, ensure_ascii=False)
    RESULTS.write_text(text + "\n", encoding="utf-8")
    render(results)


if __name__ == "__main__":
    main()
