"""The exported integer program, read back by parsers of its own and solved by HiGHS."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import pytest
from scipy.optimize import Bounds, LinearConstraint, milp

from gcdesign.adversary import threshold_profile, write_program
from gcdesign.codes import GradientCode, load_code
from gcdesign.designs import BlockDesign
from gcdesign.errors import InputError

Terms = dict[str, float]
FORMATS: list[Literal["mps", "lp"]] = ["mps", "lp"]


@pytest.fixture(autouse=True, scope="module")
def few_swaps() -> Iterator[None]:
    """Weaken the quick attack, which takes most of the time and leaves the solver little to do."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gcdesign.adversary.greedy.SWAPS", 20)
        yield


@dataclass
class Program:
    """Minimise an objective subject to rows of terms, a sense and a right side."""

    objective: Terms = field(default_factory=dict)
    rows: dict[str, tuple[Terms, str, float]] = field(default_factory=dict)
    binary: set[str] = field(default_factory=set)

    def solve(self) -> float | None:
        names = sorted(
            {*self.objective, *self.binary, *(x for t, *_ in self.rows.values() for x in t)}
        )
        at = {name: i for i, name in enumerate(names)}
        matrix = np.zeros((len(self.rows), len(names)))
        low, high = np.full(len(self.rows), -np.inf), np.full(len(self.rows), np.inf)
        for i, (terms, sense, right) in enumerate(self.rows.values()):
            for name, factor in terms.items():
                matrix[i, at[name]] = factor
            if sense in (">=", "="):
                low[i] = right
            if sense in ("<=", "="):
                high[i] = right
        cost = np.array([self.objective.get(name, 0.0) for name in names])
        assert self.binary == set(names)
        answer = milp(
            cost,
            constraints=LinearConstraint(matrix, low, high),
            integrality=np.ones(len(names), dtype=int),
            bounds=Bounds(0, 1),
        )
        return float(answer.fun) if answer.success else None


def parse_terms(text: str) -> Terms:
    found = re.findall(r"([+-]?)\s*(\d+(?:\.\d+)?)?\s*([A-Za-z]\w*)", text)
    return {name: float(sign + (factor or "1")) for sign, factor, name in found}


def parse_lp(text: str) -> Program:
    program, section = Program(), ""
    for raw in text.splitlines():
        line = raw.split("\\")[0].strip()
        if not line:
            continue
        if line.lower() in ("minimize", "subject to", "bounds", "binaries", "binary", "end"):
            section = line.lower()
        elif section == "minimize":
            program.objective |= parse_terms(line.partition(":")[2])
        elif section == "subject to":
            name, _, body = line.partition(":")
            left, sense, right = re.split(r"(>=|<=|=)", body)
            program.rows[name] = parse_terms(left), sense, float(right)
        elif section in ("binaries", "binary"):
            program.binary |= set(line.split())
        elif section == "bounds":
            assert re.fullmatch(r"0 <= \w+ <= 1", line), line
        else:
            raise AssertionError(f"{section}: {line}")
    assert section == "end"
    return program


def parse_mps(text: str) -> Program:
    program, section, senses = Program(), "", dict[str, str]()
    terms: dict[str, Terms] = {}
    right: Terms = {}
    integers, whole = False, set[str]()
    for line in text.splitlines():
        words = line.split()
        if not words or line.startswith("*"):
            continue
        if not line[0].isspace():
            section = words[0]
        elif section == "ROWS":
            senses[words[1]] = {"N": "", "G": ">=", "L": "<=", "E": "="}[words[0]]
        elif "'MARKER'" in words:
            integers = "'INTORG'" in words
        elif section == "COLUMNS":
            whole |= {words[0]} if integers else set()
            for row, factor in zip(words[1::2], words[2::2], strict=True):
                terms.setdefault(row, {})[words[0]] = float(factor)
        elif section == "RHS":
            right |= {r: float(x) for r, x in zip(words[1::2], words[2::2], strict=True)}
        elif section == "BOUNDS":
            assert words[0] == "BV" or (words[0] == "UP" and float(words[3]) == 1), line
            program.binary.add(words[2])
    assert section == "ENDATA"
    assert program.binary >= whole
    for row, sense in senses.items():
        if sense:
            program.rows[row] = terms.get(row, {}), sense, right.get(row, 0.0)
        else:
            program.objective = terms.get(row, {})
    return program


def parse(text: str, format_: str) -> Program:
    return parse_lp(text) if format_ == "lp" else parse_mps(text)


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("name", ["pg:q=2", "ag:q=2", "dual-ag:q=2", "frc:workers=6,stragglers=2"])
def test_another_solver_finds_the_same(name: str, format_: Literal["mps", "lp"]) -> None:
    placement = load_code(name).placement
    for result in threshold_profile(placement):
        eta = int(result.asked)
        program = parse(write_program(placement, eta, format_), format_)
        assert program.solve() == pytest.approx(result.value)
        assert len(program.rows) == 1 + placement.design.incidences
        assert set(program.objective) == {f"y{w}" for w in range(placement.workers)}
        lost = program.rows["lost"]
        assert lost == ({f"x{j}": 1.0 for j in range(placement.parts)}, ">=", float(eta))


@pytest.mark.parametrize("format_", FORMATS)
def test_random_placements(format_: Literal["mps", "lp"]) -> None:
    rng = np.random.default_rng(0)
    for parts in (5, 8):
        placement = GradientCode.from_matrix(rng.random((7, parts)) < 0.4).placement
        for result in threshold_profile(placement)[1::2]:
            program = parse(write_program(placement, int(result.asked), format_), format_)
            assert program.solve() == pytest.approx(result.value)


@pytest.mark.parametrize("format_", FORMATS)
def test_every_incidence_is_a_row(format_: Literal["mps", "lp"]) -> None:
    design = BlockDesign.from_blocks([[0, 2], [], [1, 2]], points=4)
    placement = GradientCode.from_design(design).placement
    program = parse(write_program(placement, 2, format_), format_)
    expected = {
        f"w{w}_p{j}": ({f"x{j}": -1.0, f"y{w}": 1.0}, ">=", 0.0)
        for w, block in enumerate(design.blocks())
        for j in block
    }
    assert {name: row for name, row in program.rows.items() if name != "lost"} == expected


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize(("blocks", "parts"), [([], 0), ([], 2), ([[], []], 0), ([[]], 1)])
def test_next_to_nothing(format_: Any, blocks: list[list[int]], parts: int) -> None:
    placement = GradientCode.from_design(BlockDesign.from_blocks(blocks, points=parts)).placement
    for eta in range(parts + 1):
        assert write_program(placement, eta, format_)


@pytest.mark.parametrize("eta", [-1, 8])
def test_no_such_number_of_parts(eta: int) -> None:
    with pytest.raises(InputError, match=f"eta={eta}"):
        write_program(load_code("pg:q=2").placement, eta, "lp")
