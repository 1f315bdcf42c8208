"""Run tests under every Python that is installed here, or with the lowest versions of libraries.

    python scripts/try_versions.py              # each Python from the lowest supported on
    python scripts/try_versions.py --lowest     # the lowest Python, the lowest libraries
    python scripts/try_versions.py -- tests/cli # other tests than the usual ones

It needs uv (the extra `release`), and downloads no interpreter.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
USUAL = ["tests/codes", "tests/figures", "tests/checker", "tests/training", "tests/papers"]
Version = tuple[int, ...]


def lowest_python() -> Version:
    """Return the lowest supported version, (3, 11), from ``requires-python``."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return version(project["requires-python"].removeprefix(">="))


def version(text: str) -> Version:
    """Return ``(3, 13)`` for ``"3.13.0"``; words behind the numbers are left out."""
    return tuple(int(piece) for piece in text.split(".")[:2])


def pythons() -> dict[Version, str]:
    """Return the interpreters that are installed and supported, by version."""
    command = ["uv", "python", "list", "--only-installed", "--output-format", "json"]
    answer = subprocess.run(command, capture_output=True, text=True, check=True)
    found = {
        version(one["version"]): str(one["path"])
        for one in reversed(json.loads(answer.stdout))
        if one["implementation"] == "cpython"
    }
    return {key: found[key] for key in sorted(found) if key >= lowest_python()}


def attempt(python: str, tests: list[str], *, lowest: bool) -> bool:
    """Install everything into an empty environment, run the tests, say whether they passed."""
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"VIRTUAL_ENV": folder, "PYTHONPATH": str(ROOT)}
        install = ["uv", "pip", "install", "--quiet"]
        resolution = ["--resolution", "lowest-direct"] if lowest else []
        steps = [
            ["uv", "venv", "--quiet", "--clear", "--python", python, folder],
            [*install, *resolution, "-r", "pyproject.toml", "--extra", "test"],
            [*install, "--no-deps", "."],
            [f"{folder}/bin/python", "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests],
        ]
        codes = (
            subprocess.run(step, cwd=ROOT, env=environment, check=False).returncode
            for step in steps
        )
        return not any(codes)


def main(arguments: list[str]) -> int:
    """Try them all; the exit code is 1 if one failed."""
    options, _, tests = (" ".join(arguments)).partition("-- ")
    lowest = "--lowest" in options
    chosen = pythons()
    if not chosen:
        print(f"no Python from {'.'.join(map(str, lowest_python()))} on is installed")
        return 1
    if lowest:
        chosen = dict([min(chosen.items())])
    passed = {
        number: attempt(path, tests.split() or USUAL, lowest=lowest)
        for number, path in chosen.items()
    }
    for number, good in passed.items():
        print(f"Python {'.'.join(map(str, number))}: {'passed' if good else 'FAILED'}")
    return 0 if all(passed.values()) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
