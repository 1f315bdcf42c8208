"""The wheel holds exactly the tracked files of the package."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NO_NETWORK = (
    "No matching distribution found",
    "Could not find a version",
    "No module named pip",
)


def git_files(*options: str) -> set[str]:
    command = ["git", "ls-files", "-z", *options, "--", "gcdesign"]
    answer = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if answer.returncode:
        pytest.skip("not a git checkout")
    return {name for name in answer.stdout.split("\0") if name}


def build_wheel(target: Path) -> Path:
    """Build with hatchling if it is installed, else let pip fetch it into a place of its own."""
    if importlib.util.find_spec("hatchling"):
        command = ["-m", "hatchling", "build", "-t", "wheel", "-d", str(target)]
    else:
        command = ["-m", "pip", "wheel", "--no-deps", "--retries=0", "-w", str(target), "."]
    answer = subprocess.run(
        [sys.executable, *command], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if any(sign in answer.stderr for sign in NO_NETWORK):
        pytest.skip("hatchling is neither installed nor to be had from a package index")
    assert answer.returncode == 0, answer.stderr
    (wheel,) = target.glob("*.whl")
    return wheel


def test_wheel_holds_the_tracked_files(tmp_path: Path) -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    tracked = {name for name in git_files() if (ROOT / name).exists()}
    with zipfile.ZipFile(build_wheel(tmp_path)) as wheel:
        names = wheel.namelist()
        licences = [name for name in names if name.endswith(".dist-info/licenses/LICENSE")]
    # What is beside the package, such as man pages, scripts/check_distribution.py looks into.
    packed = {name for name in names if ".dist-info/" not in name and ".data/" not in name}
    assert packed - git_files("--others") == tracked
    assert len(licences) == 1
