"""The rooms: who may import whom, and how long a module may be."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "gcdesign"
MODULES = sorted(PACKAGE.rglob("*.py"))
LONGEST_MODULE = 450

MAY_IMPORT = {
    "checker": set[str](),
    "designs": set[str](),
    "codes": {"designs"},
    "adversary": {"designs", "codes"},
    "training": {"designs", "codes"},
    "papers": {"designs", "codes", "adversary", "training"},
    "figures": {"designs", "codes", "adversary", "training", "papers"},
    "cli": {"checker", "designs", "codes", "adversary", "training", "papers", "figures"},
}
ONLY_IN = {"matplotlib": "figures", "click": "cli", "rich": "cli"}
FACE = {"__init__.py", "__main__.py"}
TOOLS = {"errors", "compiled"}
"""Modules outside the rooms: they import nothing of gcdesign, and every room but one uses them."""
DOTTED = re.compile(r"gcdesign(\.\w+)+")


def imported(source: str) -> Iterator[tuple[int, str]]:
    """Yield (line, dotted name) of whatever a module imports, wherever the import stands.

    A string that is a dotted name inside gcdesign counts too: it is bound for import_module.
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = "." * node.level + (node.module or "")
            yield from ((node.lineno, f"{base}.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.Constant) and DOTTED.fullmatch(str(node.value)):
            yield node.lineno, str(node.value)


def offences(room: str, source: str) -> list[str]:
    """Return what breaks the law of the rooms in a module of one room."""
    found = []
    for line, name in imported(source):
        head, _, rest = name.partition(".")
        allowed = {room} | MAY_IMPORT[room]
        if room != "checker":
            allowed |= TOOLS | {"__version__"}
        if not head:
            found.append(f"line {line}: relative import of {name}")
        elif room == "checker" and head not in sys.stdlib_module_names | {"gcdesign"}:
            found.append(f"line {line}: checker imports {name}; only the standard library may")
        elif head == "gcdesign" and rest.partition(".")[0] not in allowed:
            found.append(f"line {line}: {room} imports {name}")
        elif ONLY_IN.get(head, room) != room:
            found.append(f"line {line}: {room} imports {name}; only {ONLY_IN[head]} may")
    return found


def rooms() -> set[str]:
    return {path.name for path in PACKAGE.iterdir() if path.is_dir() and any(path.glob("*.py"))}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_go_one_way(path: Path) -> None:
    parts = path.relative_to(PACKAGE).parts
    source = path.read_text(encoding="utf-8")
    if len(parts) > 1:
        assert offences(parts[0], source) == []
    elif parts[0].removesuffix(".py") in TOOLS:
        assert [name for _, name in imported(source) if name.startswith("gcdesign")] == []
    else:
        assert parts[0] in FACE, "a module outside the rooms"
        assert not any(name.startswith(".") for _, name in imported(source))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_modules_are_short(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST_MODULE


def test_every_folder_is_a_known_room() -> None:
    assert "designs" in rooms()
    assert rooms() <= MAY_IMPORT.keys()


def test_the_table_of_rooms_has_no_cycle() -> None:
    for room, lower in MAY_IMPORT.items():
        assert all(MAY_IMPORT[other] <= lower - {room} for other in lower)


@pytest.mark.parametrize(
    ("room", "source"),
    [
        ("designs", "from gcdesign.codes import Placement"),
        ("designs", "import gcdesign.cli.main"),
        ("designs", "from gcdesign import Placement"),
        ("designs", "import gcdesign"),
        ("codes", "def f():\n    from gcdesign.adversary import threshold"),
        ("codes", "if TYPE_CHECKING:\n    from gcdesign.figures import curve"),
        ("adversary", "from gcdesign.training import simulate"),
        ("codes", "import_module('gcdesign.adversary.thresholds.threshold')"),
        ("codes", "from . import placement"),
        ("cli", "from ..designs import build"),
        ("adversary", "def f():\n    import matplotlib.pyplot as plt"),
        ("cli", "from matplotlib import figure"),
        ("figures", "import click"),
        ("designs", "from rich.table import Table"),
        ("checker", "from gcdesign.errors import InputError"),
        ("checker", "from gcdesign.codes import Placement"),
        ("checker", "import numpy as np"),
    ],
)
def test_an_offence_is_seen(room: str, source: str) -> None:
    assert len(offences(room, source)) == 1


@pytest.mark.parametrize(
    ("room", "source"),
    [
        ("designs", "from gcdesign.errors import InputError\nfrom gcdesign import errors"),
        ("codes", "from gcdesign.designs import BlockDesign\nimport numpy as np"),
        ("figures", "from matplotlib.figure import Figure"),
        ("cli", "import click\nfrom rich.table import Table\nfrom gcdesign import __version__"),
        ("designs", "schema = 'gcdesign.build/1'"),
        ("adversary", "from gcdesign.compiled import compiled"),
        ("checker", "import json\nfrom gcdesign.checker.document import Claim"),
    ],
)
def test_what_is_allowed_passes(room: str, source: str) -> None:
    assert offences(room, source) == []


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_solver_leaves_interruptions_alone(path: Path) -> None:
    """CP-SAT otherwise takes Ctrl-C away from Python, and never gives it back."""
    source = path.read_text(encoding="utf-8")
    assert source.count("CpSolver()") == source.count("catch_sigint_signal = False")
