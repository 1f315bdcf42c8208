"""``gcdesign doctor``: versions, extras, threads, and whether the engines work on this machine."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Any, Literal

import click

from gcdesign import __version__
from gcdesign.cli.options import json_option, quiet_option
from gcdesign.cli.page import Page

EXTRA = re.compile(r"extra == ['\"]([\w-]+)['\"]")
FOR_DEVELOPERS = {"test", "lint", "docs", "release"}
HEADINGS = {
    "machine": "this machine",
    "library": "libraries",
    "extra": "extras, for those who need them",
    "test": "tests",
}


@dataclass(frozen=True)
class Finding:
    """One line of the report.

    Attributes
    ----------
    kind
        ``"library"``, ``"extra"``, ``"machine"`` or ``"test"``.
    name
        What was looked at.
    state
        ``"ok"``, ``"absent"`` for what only some need, or ``"broken"``.
    detail
        The version, the number, or what went wrong.
    remedy
        What to do, or nothing.
    """

    kind: Literal["library", "extra", "machine", "test"]
    name: str
    state: Literal["ok", "absent", "broken"]
    detail: str
    remedy: str = ""


@click.command(
    cls=Page,
    name="doctor",
    exits={0: "everything works", 1: "something is broken"},
    environment={"NUMBA_CACHE_DIR": "where compiled code is kept between runs"},
    see_also=("completion",),
)
@json_option
@quiet_option
def command(as_json: bool, quiet: bool) -> int:
    r"""Say what is installed, and try the engines on questions with known answers.

    An extra that is absent is not broken: only some need it.

    \b
    Example:
      gcdesign doctor
    """
    from gcdesign.cli.output import print_json

    findings = [*_machine(), *_libraries(), *_tests()]
    healthy = all(finding.state != "broken" for finding in findings)
    if as_json:
        print_json(
            {
                "schema": "gcdesign.doctor/1",
                "healthy": healthy,
                "findings": [vars(finding) for finding in findings],
            }
        )
    else:
        _print_page(findings, healthy)
    return 0 if healthy else 1


def _machine() -> list[Finding]:
    available = getattr(os, "sched_getaffinity", None)
    cores = len(available(0)) if available else os.cpu_count() or 1
    return [
        Finding("machine", "gcdesign", "ok", _program()),
        Finding("machine", "Python", "ok", f"{platform.python_version()} on {platform.system()}"),
        Finding("machine", "threads", "ok", f"{cores}, unless --threads says otherwise"),
        _cache(),
    ]


def _program() -> str:
    """Return the version, and where the package is if it runs from there without installation."""
    note = "" if _version("gcdesign") else f", not installed: run from {Path(__file__).parents[2]}"
    return f"{__version__}{note}"


def _cache() -> Finding:
    """Say whether compiled code is kept between runs; without it each run compiles anew."""
    folder = Path(os.environ.get("NUMBA_CACHE_DIR") or Path(__file__).parents[1])
    if os.access(folder, os.W_OK):
        return Finding("machine", "compiled code", "ok", f"kept in {folder}")
    return Finding(
        "machine",
        "compiled code",
        "ok",
        f"{folder} cannot be written, so it is kept in the user's cache directory if there is one",
        "set NUMBA_CACHE_DIR to a directory of your own to choose the place",
    )


def _libraries() -> list[Finding]:
    """Look up every requirement; an extra is there when all its libraries are."""
    needed, extras = _requirements()
    findings = []
    for name in needed:
        found = _version(name)
        findings.append(
            Finding("library", name, "ok", found)
            if found
            else Finding("library", name, "broken", "not installed", f"pip install {name}")
        )
    for extra, names in sorted(extras.items()):
        absent = [name for name in names if not _version(name)]
        shown = ", ".join(f"{name} {_version(name)}" for name in names if name not in absent)
        findings.append(
            Finding("extra", extra, "ok", shown)
            if not absent
            else Finding(
                "extra",
                extra,
                "absent",
                f"not installed: {', '.join(absent)}",
                f"pip install 'gcdesign[{extra}]'",
            )
        )
    return findings


def _requirements() -> tuple[list[str], dict[str, list[str]]]:
    """Return what the package needs here, and what each of its extras needs; nothing if unknown."""
    from packaging.requirements import Requirement

    needed: list[str] = []
    extras: dict[str, list[str]] = {}
    declared = requires("gcdesign") if _version("gcdesign") else None
    for requirement in map(Requirement, declared or []):
        marker = requirement.marker
        if marker is None or marker.evaluate({"extra": ""}):
            needed.append(requirement.name)
            continue
        extra = EXTRA.search(str(marker))
        if extra is None or extra[1] in FOR_DEVELOPERS or not marker.evaluate({"extra": extra[1]}):
            continue
        extras.setdefault(extra[1], []).append(requirement.name)
    return sorted(needed), extras


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _tests() -> list[Finding]:
    """Put a question with a known answer to each engine."""
    findings = []
    for name, (question, test, expected) in QUESTIONS.items():
        try:
            found = test()
        except Exception as error:  # whatever it is, it is what the user came to hear
            detail = " ".join(f"{type(error).__name__}: {error}".split())
            findings.append(Finding("test", name, "broken", detail[:300]))
            continue
        if found == expected:
            findings.append(Finding("test", name, "ok", f"{question} = {found}"))
        else:
            detail = f"{question} = {found}; it is {expected}"
            findings.append(Finding("test", name, "broken", detail, "please report this"))
    return findings


def _solver() -> int:
    from gcdesign.adversary.bounds import placement_facts
    from gcdesign.adversary.running.settings import Settings, Watch
    from gcdesign.adversary.thresholds.greedy import PartAttack
    from gcdesign.adversary.thresholds.solver import solve_threshold
    from gcdesign.codes import load_code

    placement = load_code("pg:q=3").placement
    everything = PartAttack(tuple(range(5)), tuple(range(13)))
    answer = solve_threshold(
        placement,
        placement_facts(placement),
        5,
        lower=0,
        start=everything,
        watch=Watch(Settings(threads=1, time_limit=60)),
    )
    return answer.lower


def _search() -> str:
    from gcdesign.adversary import worst_case_error
    from gcdesign.codes import load_code

    return str(worst_case_error(load_code("graph-code:graph=petersen"), 5).value)


def _symmetry() -> int:
    from gcdesign.designs.registry import build, parse_spec
    from gcdesign.designs.symmetry import automorphism_group

    return automorphism_group(build(parse_spec("pg:q=3"))).order


def _certificate() -> str:
    from gcdesign.adversary import Settings, threshold
    from gcdesign.adversary.certificates import certificate
    from gcdesign.checker.judge import check
    from gcdesign.codes import load_code

    code = load_code("pg:q=2")
    result = threshold(code.placement, 3, settings=Settings(proofs=True))
    return check(certificate(code.placement, [result])).findings[0].status


def _picture() -> str:
    from gcdesign.designs.registry import build, parse_spec
    from gcdesign.figures import incidence_figure, render

    return render(incidence_figure(build(parse_spec("pg:q=2"))), "svg")[:5].decode()


QUESTIONS: dict[str, tuple[str, Callable[[], Any], Any]] = {
    "solver": ("S*(5) of PG(2,3) by CP-SAT", _solver, 11),
    "search": ("err_5 of the Petersen graph code", _search, "2"),
    "symmetry": ("automorphisms of PG(2,3) by nauty", _symmetry, 5616),
    "certificate": ("a certificate, checked by the standard library", _certificate, "proved"),
    "picture": ("the first bytes of a picture", _picture, "<?xml"),
}
"""What is asked of each engine, how, and the known answer."""


def _print_page(findings: list[Finding], healthy: bool) -> None:
    width = max(len(finding.name) for finding in findings)
    kind = ""
    for finding in findings:
        if finding.kind != kind:
            kind = finding.kind
            click.echo(f"{HEADINGS[kind]}")
        state = "" if finding.state == "ok" else f"{finding.state.upper()}  "
        click.echo(f"  {finding.name:<{width}}  {state}{finding.detail}")
        if finding.remedy:
            click.echo(f"  {'':<{width}}  {finding.remedy}")
    click.echo("\neverything works" if healthy else "\nsomething is broken: see above")
