"""gcdesign simulate and gcdesign trace: what they write, refuse and survive."""

from __future__ import annotations

import csv
import io
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import numpy as np
import pytest

Run = Callable[..., CompletedProcess[str]]
Document = Callable[[CompletedProcess[str]], dict[str, Any]]

SMALL = ("--data", "mixture:samples=96,features=3", "--workers", "6", "--steps", "12")


def test_runs_are_those_of_every_scheme_straggler_and_seed(run: Run, document: Document) -> None:
    found = document(
        run(
            "simulate",
            *SMALL,
            *["--scheme", "naive", "--scheme", "frc", "--stragglers", "1"],
            *["--stragglers", "2", "--seeds", "2", "--delay", "3", "--json"],
        )
    )
    asked = [(r["setup"]["scheme"], r["stragglers"], r["setup"]["seed"]) for r in found["runs"]]
    assert asked == [(n, s, seed) for n in ("naive", "frc") for s in (1, 2) for seed in (0, 1)]
    for one in found["runs"]:
        load = 1 if one["setup"]["scheme"] == "naive" else one["stragglers"] + 1
        late = 3 if one["setup"]["scheme"] == "naive" else 0
        assert one["seconds"] == pytest.approx(12 * (load + late))
        assert [e["step"] for e in one["evaluations"]] == [10, 12]
    losses = [one["evaluations"][-1]["loss"] for one in found["runs"]]
    assert losses == pytest.approx([losses[0]] * 8, rel=1e-9)  # exact codes: the same models


def test_an_adversary_silences_those_whose_loss_is_greatest(run: Run, document: Document) -> None:
    answer = run(
        *[
            "simulate",
            "--scheme",
            "ag:q=3",
            "--stragglers",
            "5",
            "--slow",
            "adversary",
            "--delay",
            "inf",
        ],
        *["--steps", "2", "--data", "mixture:samples=96,features=3", "--json"],
    )
    one = document(answer)["runs"][0]
    assert one["error"] == pytest.approx(6 / 5)  # err_5 of AG(2,3)
    assert len(one["setup"]["slow"].split(",")) == 5
    assert one["setup"]["delay"] == "inf"


def test_files_hold_every_step_and_the_models(run: Run, folder: Path) -> None:
    for suffix in ("csv", "json", "npz", "svg"):
        answer = run("simulate", *SMALL, "-o", f"out.{suffix}")
        assert (answer.returncode, answer.stderr) == (0, f"gcdesign: written: out.{suffix}\n")
    rows = list(csv.DictReader(io.StringIO((folder / "out.csv").read_text())))
    assert [row["step"] for row in rows] == [str(step) for step in range(1, 13)]
    assert [row["step"] for row in rows if row["auc"]] == ["10", "12"]
    assert float(rows[-1]["clock"]) == pytest.approx(24)
    assert json.loads((folder / "out.json").read_text())["schema"] == "gcdesign.simulate/1"
    with np.load(folder / "out.npz", allow_pickle=False) as archive:
        assert archive["parameters"].shape == (1, 3)
    again = run("simulate", *SMALL, "-o", "out.csv")
    assert again.returncode == 2
    assert "add --force" in again.stderr


def test_processes_do_the_same_runs(spawn: Run) -> None:
    options = ("simulate", *SMALL, "--seeds", "3", "--model", "exp:rate=1", "--json")
    alone, others = spawn(*options), spawn(*options, "--executor", "processes", "--threads", "2")
    assert alone.returncode == others.returncode == 0
    assert alone.stdout == others.stdout


def test_an_interrupted_run_goes_on_from_its_checkpoint(folder: Path, run: Run) -> None:
    command = [
        "simulate",
        *SMALL[:-1],
        "1000000",
        "--checkpoint",
        "run.npz",
        "--evaluate-every",
        "0",
        "--json",
    ]
    process = subprocess.Popen(
        [sys.executable, "-m", "gcdesign", *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
    )
    file = folder / "run.npz"
    for _ in range(600):
        if file.exists():
            break
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (3, "")
    done = json.loads(out)["runs"][0]
    assert not done["finished"]
    assert done["steps"] >= 100
    more = done["steps"] + 5
    answer = run("simulate", *SMALL[:-1], str(more), "--checkpoint", "run.npz", "--json")
    assert answer.returncode == 0
    assert json.loads(answer.stdout)["runs"][0]["steps"] == more
    answer = run("simulate", *SMALL, "--checkpoint", "run.npz", "--delay", "1")
    assert answer.returncode == 2
    assert "is of a run with" in answer.stderr


def test_slow_workers_who_are_not_slow_are_noticed(run: Run) -> None:
    answer = run("simulate", *SMALL, "--slow", "0,3")
    assert answer.returncode == 0
    assert "--slow 0,3 changes nothing without --delay or --factor" in answer.stderr
    assert not run("simulate", *SMALL, "--slow", "0,3", "--factor", "2").stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--scheme nix", "no scheme is called 'nix'"),
        ("--scheme cyclic --workers 4 --stragglers 4", "stragglers=4"),
        ("--scheme pg:q=2 --workers 8", "PG(2,2) has 7 workers, and 8 are asked for"),
        ("--model nix", "'nix' is no model"),
        ("--slow sometimes", "slow workers 'sometimes'"),
        ("--slow 40 --delay 1", "slow worker 40; expected 0 to 11"),
        ("--delay -1", "'-1'; expected a number, 0 or more"),
        ("--delay x", "'x'; expected a number, 0 or more"),
        ("--factor 0", "'0'; expected a number above 0"),
        ("--rate inf", "'inf'; expected a number above 0"),
        ("--test-share 2", "'2'; expected a share from 0 to 1"),
        ("--batch 0", "batch=0.0"),
        ("--steps 0", "0 is not in the range"),
        ("--data nix", "nix: expected data in a file"),
        ("--problem softmax --data plane", "whole numbers"),
        ("--problem logistic --data plane", "those of logistic regression are 0 and 1"),
        ("--times-only --finish-late", "need the gradients' run"),
        ("--times-only -o out.npz", "ends in '.npz'"),
        ("-o out.txt", "ends in '.txt'; expected one of"),
        ("-o absent/out.csv", "no such directory"),
        ("--checkpoint a.npz --seeds 2", "--checkpoint keeps one run"),
        ("--checkpoint absent/a.npz", "no such directory"),
        ("--delay 1 --slow ,", "slow workers ','; expected random"),
        ("--scheme=", "no scheme is called ''"),
        ("--checkpoint a.json", "expected a name that ends in .npz"),
        ("--checkpoint a.npz --times-only", "--checkpoint keeps one run"),
    ],
)
def test_wrong_options_are_one_line(run: Run, options: str, message: str) -> None:
    answer = run("simulate", *options.split())
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr.count("\n") == 1
    assert message in answer.stderr


def test_a_time_limit_ends_a_run_with_what_is_done(run: Run, document: Document) -> None:
    answer = run("simulate", *SMALL[:-1], "10000000", "--times-only", "--time-limit", "0", "--json")
    assert answer.returncode == 3
    one = document(answer)["runs"][0]
    assert not one["finished"]
    assert one["evaluations"] == []
    assert one["error"] is None


def test_a_trace_is_drawn(run: Run, folder: Path) -> None:
    rows = np.random.default_rng(0).exponential(size=(40, 4)) + 0.5
    (folder / "times.csv").write_text("\n".join(",".join(map(str, r)) for r in rows.tolist()))
    for action in ("show", "fit"):
        answer = run("trace", action, "times.csv", "-o", f"{action}.svg")
        assert (answer.returncode, answer.stderr) == (0, f"gcdesign: written: {action}.svg\n")
        assert b"<svg" in (folder / f"{action}.svg").read_bytes()
    answer = run("trace", "fit", "times.csv", "-o", "fit.txt")
    assert answer.returncode == 2


def test_unknown_times_are_told(run: Run, folder: Path) -> None:
    (folder / "times.csv").write_text("1,2\n3,\n4,inf\n")
    answer = run("trace", "fit", "times.csv")
    assert "4 times for a load of 1, 1 messages never came" in answer.stdout
    assert answer.stderr == "gcdesign: 1 times are unknown and left out: the fits are too fast\n"
    answer = run("trace", "show", "absent.csv")
    assert (answer.returncode, answer.stdout) == (2, "")
    assert "cannot be read" in answer.stderr


def test_slow_spells_are_told_as_options(run: Run, document: Document, folder: Path) -> None:
    times = 1 + np.random.default_rng(0).exponential(0.1, size=(60, 4))
    times[20:40, 1] *= 9
    (folder / "times.csv").write_text("\n".join(",".join(map(str, r)) for r in times.tolist()))
    shown = run("trace", "fit", "times.csv").stdout
    assert "as a chain: --slow markov:enter=0.00" in shown
    assert "the others: --model shifted-exp:shift=1.0" in shown
    slow = document(run("trace", "fit", "times.csv", "--json"))["slow"]
    assert slow["leave"] == pytest.approx(1 / 20)
    options = ["--slow", f"markov:enter={slow['enter']},leave={slow['leave']}"]
    options += ["--factor", str(slow["factor"]), "--model", slow["others"]["law"]]
    assert run("simulate", *SMALL, *options).returncode == 0


@pytest.mark.parametrize("action", ["show", "fit", "record"])
def test_the_help_of_a_part_keeps_its_lines(run: Run, action: str) -> None:
    lines = run("trace", action, "--help").stdout.splitlines()
    assert not any("\\b" in line or "\b" in line for line in lines)
    examples = [line for line in lines if f"gcdesign trace {action} " in line]
    assert any(line.startswith("  ") for line in examples)
