"""``gcdesign completion``: scripts that shells read, and what they complete."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

Run = Callable[..., CompletedProcess[str]]


def completed(words: str) -> list[str]:
    """Ask as bash does for completions of the last word."""
    environment = os.environ | {
        "COMP_WORDS": words,
        "COMP_CWORD": str(words.count(" ")),
        "_GCDESIGN_COMPLETE": "bash_complete",
    }
    answer = subprocess.run(
        [sys.executable, "-m", "gcdesign"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    return answer.stdout.split()


def test_commands_families_options_and_designs_are_completed() -> None:
    assert completed("gcdesign att") == ["plain,attack"]
    assert "plain,pg" in completed("gcdesign build p")
    assert "plain,--q" in completed("gcdesign build pg --")
    assert completed("gcdesign attack dual") == ["plain,dual-ag:"]
    assert completed("gcdesign attack my-matrix") == ["file,my-matrix"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_is_one_that_the_shell_reads(run: Run, folder: Path, shell: str) -> None:
    answer = run("completion", shell)
    assert answer.returncode == 0
    assert "_GCDESIGN_COMPLETE" in answer.stdout
    if shutil.which(shell):
        (folder / "script").write_text(answer.stdout, encoding="utf-8")
        flag = "--no-execute" if shell == "fish" else "-n"
        subprocess.run([shell, flag, "script"], check=True, cwd=folder, timeout=60)


def test_an_unknown_shell_is_refused(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("completion", "csh").returncode == 2
    monkeypatch.setenv("SHELL", "/bin/csh")
    answer = run("completion")
    assert answer.returncode == 2
    assert "no script for the shell 'csh'; expected one of: bash, zsh, fish" in answer.stderr


SOURCED = {
    "bash": """
        source ./script
        COMP_WORDS=(gcdesign att) COMP_CWORD=1
        _gcdesign_completion gcdesign
        echo "${COMPREPLY[@]}"
    """,
    "fish": 'source ./script; complete -C "gcdesign att"',
}


@pytest.mark.parametrize("shell", SOURCED)
def test_a_shell_that_has_read_the_script_completes(run: Run, folder: Path, shell: str) -> None:
    places = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    if not (shutil.which(shell) and shutil.which("gcdesign", path=places)):
        pytest.skip(f"{shell} or the command gcdesign is not installed")
    (folder / "script").write_text(run("completion", shell).stdout, encoding="utf-8")
    answer = subprocess.run(
        [shell, "-c", SOURCED[shell]],
        env=os.environ | {"PATH": places, "HOME": str(folder)},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert answer.stdout.split()[0] == "attack", answer.stderr
