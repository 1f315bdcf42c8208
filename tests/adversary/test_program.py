"""The exported integer program, read back by parsers of its own and solved by HiGHS."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations
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
        patch.setattr("gcdesign.adversary.thresholds.greedy.SWAPS", 20)
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


@dataclass
class PseudoBoolean:
    """Rows Σ factor · variable ≥ right, and an objective or None, by variable numbers."""

    variables: int
    objective: dict[int, int] | None
    rows: list[tuple[dict[int, int], int]]

    def least(self) -> int | None:
        """Return the least objective over all solutions (0 without one), None without solutions."""
        values = [
            sum(factor for x, factor in (self.objective or {}).items() if bits >> (x - 1) & 1)
            for bits in range(1 << self.variables)
            if all(
                sum(factor for x, factor in terms.items() if bits >> (x - 1) & 1) >= right
                for terms, right in self.rows
            )
        ]
        return min(values, default=None)


def parse_opb(text: str) -> PseudoBoolean:
    head, *lines = text.splitlines()
    counted = re.fullmatch(r"\* #variable= (\d+) #constraint= (\d+)", head)
    assert counted
    objective: dict[int, int] | None = None
    rows: list[tuple[dict[int, int], int]] = []
    for line in lines:
        body = re.fullmatch(r"(min:)?((?: ?[+-]\d+ x\d+)*) ?(?:>= (-?\d+) )?;", line)
        assert body, line
        terms = {int(x): int(factor) for factor, x in re.findall(r"([+-]\d+) x(\d+)", body[2])}
        if body[1]:
            assert objective is None
            assert not rows
            objective = terms
        else:
            rows.append((terms, int(body[3])))
    assert len(rows) == int(counted[2])
    assert max((x for terms, _ in rows for x in terms), default=0) <= int(counted[1])
    return PseudoBoolean(int(counted[1]), objective, rows)


@pytest.mark.parametrize("seed", range(6))
def test_pseudo_boolean_claims_hold_exactly_when_true(seed: int) -> None:
    rng = np.random.default_rng(seed)
    placement = GradientCode.from_matrix(rng.random((5, 6)) < 0.4).placement
    holders = [set(placement.holders_of(j).tolist()) for j in range(6)]
    for eta in range(7):
        true = min(len(set().union(*some)) for some in combinations(holders, eta))
        assert parse_opb(write_program(placement, eta, "opb")).least() == true
        for workers in range(6):
            claim = parse_opb(write_program(placement, eta, "opb", workers=workers))
            assert claim.objective is None
            assert (claim.least() is not None) == (true <= workers)


@pytest.mark.parametrize("format_", FORMATS)
def test_claims_for_other_solvers(format_: Literal["mps", "lp"]) -> None:
    placement = load_code("pg:q=2").placement
    for workers, holds in ((4, False), (5, True)):
        program = parse(write_program(placement, 2, format_, workers=workers), format_)
        assert (program.solve() is not None) == holds


@pytest.mark.parametrize("workers", [-1, 8])
def test_no_such_number_of_workers(workers: int) -> None:
    with pytest.raises(InputError, match=f"workers={workers}; expected 0 to N=7"):
        write_program(load_code("pg:q=2").placement, 2, "opb", workers=workers)


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
        assert parse_opb(write_program(placement, eta, "opb")).least() == 0


@pytest.mark.parametrize("eta", [-1, 8])
def test_no_such_number_of_parts(eta: int) -> None:
    with pytest.raises(InputError, match=f"eta={eta}"):
        write_program(load_code("pg:q=2").placement, eta, "lp")
