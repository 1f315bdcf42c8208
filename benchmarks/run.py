"""Run all benchmarks; with --write, keep the results and renew the tables in the documents.

``python benchmarks/run.py --write`` measures, writes ``benchmarks/results.json`` and the tables
of ``docs/benchmarks.md``; ``--render`` renews the tables from the results as they are.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
from collections.abc import Sequence
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

import adversary
import berrut
import cluster
import decoding
import designs
import exact
import graphs
import groups
import ldgm
import lying
import planes
import startup
import training
from measuring import Row

RESULTS = Path(__file__).with_name("results.json")
PAGE = Path(__file__).parents[1] / "docs" / "benchmarks.md"
BEGIN, END = "<!-- benchmarks: begin -->", "<!-- benchmarks: end -->"
PACKAGES = ("gcdesign", "click", "numpy", "ortools", "scipy")
GROUPS = {
    "startup": startup.measure,
    "planes": planes.measure,
    "designs": designs.measure,
    "graphs": graphs.measure,
    "groups": groups.measure,
    "adversary": adversary.measure,
    "decoding": decoding.measure,
    "lying": lying.measure,
    "ldgm": ldgm.measure,
    "berrut": berrut.measure,
    "cluster": cluster.measure,
    "training": training.measure,
}
"""Benchmarks that give ratios."""

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
    lines = [
        f"Measured on {on['cores']} cores of {on['cpu']}, {on['system']}, {on['python']}, "
        f"{packages}.",
        "",
        "| what | against | unit | gcdesign | reference | ratio (least to most) | target |",
        "|---|---|---|---:|---:|---:|---|",
    ]
    lines += [_table_line(Row(**entry)) for entry in results["rows"]]
    if results[EXACT]:
        lines += ["", *exact.markdown([exact.Line(**entry) for entry in results[EXACT]])]
    return "\n".join(lines) + "\n"


def _table_line(line: Row) -> str:
    subject = line.subject + (f" ({line.note})" if line.note else "")
    target = {
        None: "",
        True: f"≤ {line.target}, met",
        False: f"≤ {line.target}, **not met**",
    }[line.met]
    cells = (
        subject,
        line.reference,
        line.unit,
        f"{line.subject_median:.3g}",
        f"{line.reference_median:.3g}",
        f"{line.ratio:.3g} ({line.least:.3g} to {line.most:.3g})",
        target,
    )
    return f"| {' | '.join(cells)} |"


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
    rows = [line for name in groups if name != EXACT for line in GROUPS[name]()]
    lines = exact.measure(long=long) if EXACT in groups else []
    return {
        "schema": "gcdesign.benchmarks/1",
        "machine": machine(),
        "rows": [asdict(line) for line in rows],
        EXACT: [asdict(line) for line in lines],
    }


def merged(kept: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """Return kept results with the lines of one more run in place of those of the same subject.

    Raises
    ------
    ValueError
        If the two are from different machines or packages, and cannot share a table.
    """
    if kept["machine"] != new["machine"]:
        raise ValueError("kept results are from other packages or another machine: write all anew")
    result = dict(new)
    for part, names in (("rows", ("group", "subject")), (EXACT, ("question",))):
        lines = {tuple(line[name] for name in names): line for line in kept[part]}
        lines |= {tuple(line[name] for name in names): line for line in new[part]}
        result[part] = list(lines.values())
    return result


def main() -> None:
    """Read the options and do what they say."""
    names = (*GROUPS, EXACT)
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=", ".join(names))
    parser.add_argument("--long", action="store_true", help="with questions that take hours")
    parser.add_argument("--write", action="store_true", help="keep results and renew the tables")
    parser.add_argument("--render", action="store_true", help="renew the tables, measure nothing")
    options = parser.parse_args()
    unknown = sorted(set(options.groups) - set(names))
    if unknown:
        parser.error(f"no benchmark is called {unknown[0]!r}; expected: {', '.join(names)}")
    if options.render:
        render(json.loads(RESULTS.read_text(encoding="utf-8")))
        return
    results = measured(options.groups or names, long=options.long)
    if options.write:
        if options.groups:
            results = merged(json.loads(RESULTS.read_text(encoding="utf-8")), results)
        text = json.dumps(results, indent=1, ensure_ascii=False)
        RESULTS.write_text(text + "\n", encoding="utf-8")
        render(results)


if __name__ == "__main__":
    main()
