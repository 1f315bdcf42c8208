"""What an installed package must bring: data, types, one version, its dependencies."""

from __future__ import annotations

import ast
import json
import re
import sys
import tomllib
from importlib.metadata import entry_points, version
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

import gcdesign

ROOT = Path(__file__).parents[2]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def test_types_are_shipped() -> None:
    assert files("gcdesign").joinpath("py.typed").is_file()


def test_stored_polynomials_are_shipped() -> None:
    data = files("gcdesign.designs").joinpath("data/primitive_polynomials.json")
    document = json.loads(data.read_text(encoding="utf-8"))
    assert document["schema"] == "gcdesign.primitive-polynomials/1"
    assert document["polynomials"]["4"] == [1, 1]


def test_installed_version_is_the_declared_one() -> None:
    assert version("gcdesign") == PROJECT["version"]


def test_face_tells_the_same_version() -> None:
    assert gcdesign.__version__ == PROJECT["version"]


def test_python_versions_agree() -> None:
    assert PROJECT["requires-python"] == ">=3.11"
    assert sys.version_info >= (3, 11)


def test_console_script_is_declared() -> None:
    scripts = entry_points(group="console_scripts", name="gcdesign")
    assert {script.value for script in scripts} == {"gcdesign.cli:main"}


def imported_packages() -> set[str]:
    names: set[str] = set()
    for path in (ROOT / "gcdesign").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names.update(alias.name.partition(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names.add(node.module.partition(".")[0])
    return names - set(sys.stdlib_module_names) - {"gcdesign"}


def test_every_import_is_a_declared_dependency() -> None:
    texts = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["torch"]]
    declared = {re.split(r"[<>=!~\[; ]", text)[0] for text in texts}
    assert imported_packages() <= declared


@pytest.mark.parametrize("name", ["LICENSE", "README.md", "CHANGELOG.md", "CONTRIBUTING.md"])
def test_documents_are_there(name: str) -> None:
    assert (ROOT / name).read_text(encoding="utf-8").strip()


@pytest.mark.parametrize("marker", ["run", "certificate", "test"])
def test_readme_holds_the_commands_that_ci_runs(marker: str) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    block = re.search(rf"^<!-- ci: {marker} -->\n```\w*\n(.+?)^```$", readme, re.M | re.S)
    assert block is not None
    assert block[1].strip()
