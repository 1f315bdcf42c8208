"""What people read: the pages hold the numbers, and the thresholds are told apart."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

Run = Callable[..., CompletedProcess[str]]


def page(answer: CompletedProcess[str]) -> str:
    """Return a page with its white space evened out."""
    assert answer.returncode == 0, answer.stderr
    assert answer.stderr == ""
    assert "\x1b" not in answer.stdout
    return " ".join(answer.stdout.split())


def test_the_main_job_in_two_lines(run: Run) -> None:
    built = page(run("build", "pg", "--q", "5"))
    assert "PG(2,5)" in built
    assert "v = 31 points, b = 31 blocks, r = 6, k = 6, λ = 1" in built
    assert "N = 31 workers, K = 31 parts, load L = 6, replication R = 6" in built
    assert "pg-q5.json" in built
    text = page(run("attack", "--eta", "3"))
    assert "S*(3) = 15 exact" in text
    assert "pg-q5.json, last built here" in text
    assert "v = 31 points, b = 31 blocks, r = 6, k = 6, λ = 1" in text
    assert "loses 3 parts altogether" in text
    assert re.search(r"parts lost 3: 0–2\b", text)
    assert re.search(r"workers silenced 15: 0\b", text)
    for bound in ("pair counting ≥ 15", "spectral ≥ 27/2", "copies ≥ 3", "all holders ≤ 18"):
        assert bound in text
    # 16 survivors: 31 − 36·16/(6 + 15) = 25/7, each weighted 6/(6 + 15) = 2/7.
    assert "err = 25/7 ≈ 3.57143 of K = 31" in text
    assert "2/7" in text


def test_the_page_tells_the_thresholds_apart(run: Run) -> None:
    lost = page(run("attack", "pg:q=3", "--eta", "3"))
    assert "S*(3) = 9 exact" in lost
    assert "the error reaches 3 already at S = 8" in lost
    inexact = page(run("attack", "pg:q=3", "--error", "3"))
    assert "min{S : err_S ≥ 3} = 8 exact" in inexact
    assert "S*" not in inexact.replace("S* ≥", "")


def test_an_error_page(run: Run) -> None:
    text = page(run("attack", "ag:q=3", "--stragglers", "5"))
    assert "err_5 = 6/5 ≈ 1.2 exact" in text
    assert "squared error under optimal decoding" in text
    assert re.search(r"least harmful 0, by silencing ", text)
    assert "closed form: parallel classes" in text


def test_a_bracket_is_called_one(run: Run) -> None:
    text = page(run("attack", "pg:q=7", "--eta", "10", "--method", "bounds"))
    assert re.match(r"39 ≤ S\*\(10\) ≤ \d+ bracket", text)
    assert "exact" not in text


def test_profiles(run: Run) -> None:
    text = page(run("attack", "pg:q=2", "--profile"))
    assert "S*(η) for all η: 8 of 8 values exact" in text
    assert re.findall(r"(\d+) (\d+) exact", text) == [
        (str(eta), str(value)) for eta, value in enumerate([0, 3, 5, 6, 6, 7, 7, 7])
    ]
    errors = page(run("attack", "pg:q=2", "--stragglers", "all"))
    assert "err_S for all S: 8 of 8 values exact" in errors
    assert "4 8/5 ≈ 1.6 exact" in errors


def test_info_check_and_decode(run: Run) -> None:
    text = page(run("info", "ag:q=3"))
    assert "4 parallel classes" in text
    assert "0 (12 pairs), 1 (54 pairs)" in text
    assert "err = 0 if a class is whole" in text
    assert "yes, a 2-(31, 6, 1) design" in page(run("check", "pg:q=5"))
    decoded = page(run("decode", "ag:q=3", "--silenced", "0,1,3,6,9"))
    assert "error 6/5 ≈ 1.2" in decoded
    assert re.search(r"weight 0\.2 +2\b", decoded)
    assert re.search(r"weight 0\.4 +4, 5, 7, 8, 10, 11\b", decoded)


@pytest.mark.parametrize(
    ("text", "t", "reason"),
    [
        ("0 1\n0 2\n0 3\n", "2", "lie in 0 blocks, others in 1"),
        ("0 1\n0 1 2\n", "2", "differ in size"),
        ("0 1\n1 2\n0 2\n", "3", "fewer than 3"),
    ],
)
def test_check_says_why_not(run: Run, folder: Path, text: str, t: str, reason: str) -> None:
    (folder / "x.blocks").write_text(text)
    answer = run("check", "x.blocks", "--t", t)
    assert (answer.returncode, answer.stderr) == (1, "")
    assert reason in answer.stdout


def test_a_table_of_curves_is_never_cut_off(run: Run, regular_matrix: str) -> None:
    answer = run("curve", "pg:q=3", regular_matrix, "--method", "bounds")
    assert answer.returncode == 0
    assert "…" not in answer.stdout
    head, plane, matrix, *_ = answer.stdout.splitlines()
    assert head.split()[-9:] == [f"0.{tenth}" for tenth in range(1, 10)]
    # err_S/K of PG(2,3) at S = 1, 2, 3, 5, …: 1/65, 3/91, 9/169, 15/143, …
    assert plane.split()[1:5] == ["0.015", "0.033", "0.053", "0.105"]
    assert all(re.fullmatch(r"0\.\d{3}–\d\.\d{3}", cell) for cell in matrix.split()[-9:])


def test_the_ends_of_an_open_bracket_are_told_apart(run: Run) -> None:
    Path("near.csv").write_text("0,0.5,0\n1024,0.5,1\n0,1024,0.001\n", encoding="utf-8")
    answer = run("attack", "near.csv", "--stragglers", "1")
    assert answer.returncode == 3
    ends = re.match(r"(\S+) ≤ err_1 ≤ (\S+) +bracket", answer.stdout)
    assert ends is not None
    assert float(ends[1]) < 1 < float(ends[2])


def test_an_error_asked_for_is_shown_as_it_is(run: Run) -> None:
    answer = run("attack", "pg:q=3", "--error", "1.800000000000000000000000001")
    assert "= 7 exact" in page(answer)
    assert "1800000000000000000000000001/1000000000000000000000000000" in answer.stdout
