"""The examples run, hold, and would say so if they did not."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from types import ModuleType

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
SCRIPTS = sorted(EXAMPLES.glob("*.py"))
VERIFY = EXAMPLES / "verify_block_design_paper.py"


def run(script: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(script)],
        cwd=folder,
        env={**os.environ, "PYTHONUTF8": "1"},
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )


def loaded(script: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(script.stem, script)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_example_runs_and_holds(script: Path, tmp_path: Path) -> None:
    if "import torch" in script.read_text("utf-8"):
        pytest.importorskip("torch", reason="PyTorch is not installed")
    answer = run(script, tmp_path)
    assert answer.stderr == ""
    assert "✗" not in answer.stdout
    assert answer.returncode == 0
    assert answer.stdout.strip()
    assert list(tmp_path.iterdir()) == []


def test_there_are_examples_and_the_readme_lists_them() -> None:
    assert VERIFY in SCRIPTS
    readme = (EXAMPLES / "README.md").read_text("utf-8")
    assert [script.name for script in SCRIPTS if f"`{script.name}`" not in readme] == []


def test_a_statement_that_fails_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    module = loaded(VERIFY)
    departure = module.check_departure
    for name in [name for name in vars(module) if name.startswith("check_")]:
        monkeypatch.setattr(module, name, lambda *_: None)
    monkeypatch.setattr(module, "check_affine", departure)
    assert module.main() == 0
    assert capsys.readouterr().out.count("✓") == 2
    monkeypatch.setattr(module, "error_of", lambda *_: Fraction(1))
    assert module.main() == 1
    told = capsys.readouterr().out
    assert (told.count("✓"), told.count("✗")) == (1, 1)


def test_brute_force_of_the_example_is_right() -> None:
    module = loaded(VERIFY)
    blocks = [[0, 1], [1, 2]]  # errors by hand, with v = 2/3, 2/3 for no straggler
    assert module.all_errors(blocks, 3) == [Fraction(1, 3), 1, 1, 3]
    assert module.error_of([[0], [0], [1]], 3, 0b001) == 1
    assert not module.independent([[0], [0], [1]], 3)
    assert module.thresholds(blocks, 3) == [0, 1, 2, 2]
