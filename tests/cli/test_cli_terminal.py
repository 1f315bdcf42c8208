"""On a terminal and off it: colour, progress, encodings and help."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

from gcdesign.cli import progress
from gcdesign.cli.main import COMMANDS
from gcdesign.designs import family_names

Run = Callable[..., CompletedProcess[str]]
Document = Callable[[CompletedProcess[str]], dict[str, Any]]

ESCAPE = "\x1b"
SLOW = ("attack", "pg:q=9", "--eta", "17", "--time-limit", "2")


def test_colour_on_a_terminal(on_terminal: Run) -> None:
    answer = on_terminal("attack", "pg:q=2", "--profile", stream="stdout")
    assert answer.returncode == 0
    assert f"{ESCAPE}[32m{ESCAPE}[1mS*(η) for all η" in answer.stdout
    assert answer.stderr == ""


@pytest.mark.parametrize(
    "environment",
    [{"NO_COLOR": "1"}, {"TERM": "dumb"}, {"OMPI_COMM_WORLD_RANK": "0"}],
    ids=str,
)
@pytest.mark.parametrize("line", ["attack pg:q=2 --profile", "build pg --q 2", "curve pg:q=2"])
def test_no_colour_where_it_is_not_wanted(
    on_terminal: Run, line: str, environment: dict[str, str]
) -> None:
    answer = on_terminal(*line.split(), stream="stdout", **environment)
    assert answer.returncode == 0
    assert ESCAPE not in answer.stdout
    assert "PG(2,2)" in answer.stdout
    assert "…" not in answer.stdout.replace("sha256", "").split("written to")[0]


def test_json_has_no_colour(on_terminal: Run) -> None:
    answer = on_terminal("attack", "pg:q=2", "--eta", "2", "--json", stream="stdout")
    assert ESCAPE not in answer.stdout
    assert json.loads(answer.stdout)["lower"] == 5


def test_progress_goes_to_standard_error(on_terminal: Run) -> None:
    answer = on_terminal(*SLOW)
    assert answer.returncode == 3
    assert ESCAPE in answer.stderr
    assert re.search(r"η=17: .*between \d+ and \d+", answer.stderr)
    assert ESCAPE not in answer.stdout
    assert "between" not in answer.stdout
    assert answer.stderr.rstrip().endswith(f"{ESCAPE}[2K"), "the display is taken away"


def test_quiet_shows_no_progress(on_terminal: Run) -> None:
    answer = on_terminal(*SLOW, "--quiet")
    assert (answer.returncode, answer.stderr) == (3, "")
    assert re.match(r"\d+ ≤ S\*\(17\) ≤ \d+", answer.stdout)


def test_quick_work_shows_no_progress(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "LINE_SECONDS", 0.0)
    monkeypatch.setattr(progress, "SILENT_SECONDS", 3600.0)
    progress.BracketDisplay(quiet=False)("η=3", 14, 15)
    assert capsys.readouterr() == ("", "")


def test_slow_work_shows_lines_off_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "LINE_SECONDS", 0.0)
    monkeypatch.setattr(progress, "SILENT_SECONDS", 0.0)
    progress.BracketDisplay(quiet=False)("S=3", Fraction(1, 3), 15)
    progress.BracketDisplay(quiet=True)("S=3", 14, 15)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert re.fullmatch(r"gcdesign: S=3: between 0.3333 and 15 after \d+ s\n", captured.err)


def test_off_a_terminal_there_is_no_escape(spawn: Run) -> None:
    answer = spawn(*SLOW[:-1], "1")
    assert answer.returncode == 3
    assert ESCAPE not in answer.stdout + answer.stderr


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "utf-8"])
def test_any_encoding(spawn: Run, encoding: str) -> None:
    environment = dict(os.environ) | {"PYTHONIOENCODING": encoding}
    environment.pop("PYTHONUTF8", None)
    page = spawn("attack", "pg:q=2", "--eta", "2", env=environment, encoding="latin-1")
    assert (page.returncode, page.stderr) == (0, "")
    assert "S*(2) = 5" in page.stdout
    answer = spawn("attack", "pg:q=2", "--eta", "2", "--json", env=environment)
    assert json.loads(answer.stdout)["bounds"][0]["formula"].startswith("S* ≥ ")


def test_a_file_name_that_is_no_text(spawn: Run, folder: Path) -> None:
    name = os.fsdecode(b"\xff.csv")
    try:
        (folder / name).write_text("1,0\n0,1\n")
    except OSError:
        pytest.skip("this file system takes only names that are text")
    answer = spawn("info", name, "--json")
    assert answer.returncode == 0
    assert json.loads(answer.stdout)["file"] == name
    assert spawn("info", name).returncode == 0


# --- help -----------------------------------------------------------------------------------

HELPS = [(), *((name,) for name in COMMANDS), *(("build", name) for name in family_names())]


@pytest.mark.parametrize("arguments", HELPS, ids=" ".join)
def test_help(run: Run, arguments: tuple[str, ...]) -> None:
    for option in ("--help", "-h"):
        answer = run(*arguments, option)
        assert (answer.returncode, answer.stderr) == (0, "")
        lines = answer.stdout.splitlines()
        assert lines[0].startswith(" ".join(("Usage: gcdesign", *arguments)))
        assert max(map(len, lines)) <= 80
        assert "\\b" not in answer.stdout
        assert "\b" not in answer.stdout
    if arguments:
        examples = [line for line in lines if line.startswith(("  gcdesign ", "  mpiexec "))]
        assert examples, "each example stands on a line of its own"


def test_help_keeps_the_thresholds_apart(run: Run) -> None:
    text = " ".join(run("attack", "--help").stdout.split())
    assert "Two thresholds that are not the same" in text


def test_version(run: Run) -> None:
    answer = run("--version")
    assert answer.returncode == 0
    assert answer.stdout.startswith("gcdesign 0.")
