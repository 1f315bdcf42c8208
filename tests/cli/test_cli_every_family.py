"""The example of every family, through every command and against plain linear algebra."""

from __future__ import annotations

from collections.abc import Callable
from subprocess import CompletedProcess
from typing import Any

import numpy as np
import pytest

from gcdesign.adversary import Settings, threshold, worst_case_error
from gcdesign.codes import GradientCode, load_code
from gcdesign.codes.registry import all_names, code_size, declared, parse_code
from gcdesign.errors import InputError

Run = Callable[..., CompletedProcess[str]]
Document = Callable[[CompletedProcess[str]], dict[str, Any]]

EXAMPLES = [declared(name).example_spec for name in all_names()]


def least_error(code: GradientCode, silenced: list[int]) -> float:
    """Return the error of the best decoder of the survivors' real messages."""
    alive = np.setdiff1d(np.arange(code.workers), silenced)
    rows = code.dense_encoding()[alive]
    rows = np.concatenate([rows.real, -rows.imag]) if np.iscomplexobj(rows) else rows
    ones = np.ones(code.parts)
    weights = np.linalg.lstsq(rows.T, ones, rcond=None)[0]
    return float(((rows.T @ weights - ones) ** 2).sum())


@pytest.mark.parametrize("name", EXAMPLES)
def test_from_python(name: str) -> None:
    code = load_code(name)
    design = code.placement.design
    assert code_size(parse_code(name)) == (design.v, design.b, design.incidences)
    for silenced in ([], [0], [1, 2], list(range(code.workers // 2))):
        assert code.decode(silenced).error == pytest.approx(least_error(code, silenced), abs=1e-8)

    quick = Settings(method="greedy")
    lost = threshold(code.placement, 1, quick)
    assert lost.value == min(code.placement.replications)
    if code.is_complex:
        with pytest.raises(InputError, match="complex"):
            worst_case_error(code, 2, settings=quick)
        return
    worst = worst_case_error(code, 2, settings=quick)
    reached = least_error(code, list(worst.workers))
    assert float(worst.lower) == pytest.approx(reached, abs=1e-8)
    assert float(worst.upper) >= reached - 1e-8
    assert code.tolerates is None or code.tolerates < 2 or reached < 1e-9


@pytest.mark.parametrize("name", EXAMPLES)
def test_from_the_command_line(run: Run, document: Document, name: str) -> None:
    code = load_code(name)
    assert document(run("info", name, "--json"))["placement"]["workers"] == code.workers
    found = document(run("decode", name, "--silenced", "0", "--json"))
    assert found["error"] == pytest.approx(least_error(code, [0]), abs=1e-8)
    lost = document(run("attack", name, "--eta", "1", "--method", "greedy", "--json"))
    assert lost["lower"] == min(code.placement.replications)
    lied = document(run("attack", name, "--byzantine", "2", "--method", "greedy", "--json"))
    assert 0 <= lied["lower"] <= lied["upper"] <= code.parts
    mean = document(run("curve", name, "--model", "random", "--trials", "50", "--json"))
    assert len(mean["curves"][0]["mean"]) == code.workers + 1
    quick = ("--method", "bounds", "--json")
    lines = (("attack", name, "--stragglers", "1", *quick), ("curve", name, *quick))
    for answer in (run(*line) for line in lines):
        if code.is_complex:
            assert (answer.returncode, answer.stdout) == (2, "")
        else:
            assert document(answer)
