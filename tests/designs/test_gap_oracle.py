"""GAP with its DESIGN package as an oracle: parameters, intersections, groups, isomorphism.

GAP gets the bare blocks, as 1-based lists, and answers everything in a single run.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from itertools import count
from math import comb, prod
from typing import Any

import pytest

from gcdesign.designs import (
    BlockDesign,
    Family,
    affine_geometry,
    complement,
    derived,
    dual,
    intersection_numbers,
    projective_geometry,
    residual,
    verify,
)
from gcdesign.designs.counting import pair_count_histogram
from gcdesign.designs.registry import families
from gcdesign.designs.symmetry import automorphism_group

Answers = dict[tuple[str, str], Any]

GEOMETRIES = {
    "PG(2,2)": (projective_geometry(2), "PGPointFlatBlockDesign(2,2,1)"),
    "PG(2,3)": (projective_geometry(3), "PGPointFlatBlockDesign(2,3,1)"),
    "PG(2,4)": (projective_geometry(4), "PGPointFlatBlockDesign(2,4,1)"),
    "PG(2,5)": (projective_geometry(5), "PGPointFlatBlockDesign(2,5,1)"),
    "AG(2,3)": (affine_geometry(3), "AGPointFlatBlockDesign(2,3,1)"),
    "AG(2,4)": (affine_geometry(4), "AGPointFlatBlockDesign(2,4,1)"),
    "PG(3,2) planes": (projective_geometry(2, 3, 2), "PGPointFlatBlockDesign(3,2,2)"),
    "PG(3,2) lines": (projective_geometry(2, 3, 1), "PGPointFlatBlockDesign(3,2,1)"),
    "AG(3,2) planes": (affine_geometry(2, 3, 2), "AGPointFlatBlockDesign(3,2,2)"),
}
PLANE, SPACE = projective_geometry(3), projective_geometry(2, 3, 2)
OPERATIONS = {
    "dual of AG(2,3)": (dual(affine_geometry(3)), "DualBlockDesign(AGPointFlatBlockDesign(2,3,1))"),
    "complement of PG(2,3)": (complement(PLANE), "ComplementBlocksBlockDesign(PG23)"),
    "residual of PG(2,3)": (residual(PLANE, 5), "ResidualBlockDesign(PG23, PG23.blocks[1])"),
    "derived of PG(3,2)": (derived(SPACE, 3), "DerivedBlockDesign(PG32, PG32.blocks[1])"),
    "residual of PG(3,2)": (residual(SPACE, 3), "ResidualBlockDesign(PG32, PG32.blocks[1])"),
}
EXAMPLES = {family.name: family.build(family.example) for family in families()}
DESIGNS = (
    {name: design for name, (design, _) in GEOMETRIES.items()}
    | {name: design for name, (design, _) in OPERATIONS.items()}
    | EXAMPLES
)

PROGRAM = """
if LoadPackage("design") <> true then Print("no DESIGN package\\n"); QUIT_GAP(0); fi;
SetPrintFormattingStatus("*stdout*", false);
PG23 := PGPointFlatBlockDesign(2,3,1);;
PG32 := PGPointFlatBlockDesign(3,2,2);;
study := function(name, v, blocks, other)
    local design, group, structure, sizes, say, pairs;
    say := function(what, value) Print(name, "|", what, "|", value, "\\n"); end;
    design := BlockDesign(v, blocks);
    say("lambdas", AllTDesignLambdas(design));
    structure := TSubsetStructure(design, 2);
    sizes := [Binomial(v, 2)];
    if IsBound(structure.partition) then sizes := List(structure.partition, Length); fi;
    say("pairs", List([1 .. Length(sizes)], i -> [structure.lambdas[i], sizes[i]]));
    pairs := Combinations([1 .. Length(blocks)], 2);
    say("intersections",
        Collected(List(pairs, p -> Size(Intersection(blocks[p[1]], blocks[p[2]])))));
    group := AutomorphismGroup(design);
    say("group", Size(group));
    say("orbits", Length(Orbits(group, [1 .. v])));
    if other <> fail then say("isomorphic", IsIsomorphicBlockDesign(design, other)); fi;
end;;
"""


def call(name: str, design: BlockDesign, other: str) -> str:
    blocks = [[point + 1 for point in block] for block in design.blocks()]
    return f'study("{name}", {design.v}, {blocks}, {other});\n'


@pytest.fixture(scope="module")
def answers() -> Answers:
    """Return (design, question) → answer for all designs, or skip."""
    gap = shutil.which("gap")
    if gap is None:
        pytest.skip("GAP is not installed")
    others = {name: other for name, (_, other) in (GEOMETRIES | OPERATIONS).items()}
    calls = [call(name, design, others.get(name, "fail")) for name, design in DESIGNS.items()]
    answer = subprocess.run(
        [gap, "-q", "-A", "--quitonbreak"],
        input=PROGRAM + "".join(calls) + "quit;\n",
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    if "no DESIGN package" in answer.stdout:
        pytest.skip("GAP's DESIGN package is not installed")
    assert answer.returncode == 0, answer.stdout + answer.stderr
    rows = (line.split("|") for line in answer.stdout.splitlines() if line.count("|") == 2)
    return {(name, what): json.loads(value) for name, what, value in rows}


def linear_group_order(n: int, q: int) -> int:
    return prod(int(q**n - q**i) for i in range(n))


def projective_group_order(n: int, p: int, e: int) -> int:
    """Return |PΓL(n, q)|, the group of PG(n − 1, q) by the fundamental theorem."""
    q = int(p**e)
    return e * linear_group_order(n, q) // (q - 1)


def affine_group_order(m: int, p: int, e: int) -> int:
    """Return |AΓL(m, q)|, the group of AG(m, q) for q > 2 and of its planes for q = 2."""
    q = int(p**e)
    translations: int = q**m
    return e * translations * linear_group_order(m, q)


@pytest.mark.parametrize("name", DESIGNS)
def test_lambdas(name: str, answers: Answers) -> None:
    design = DESIGNS[name]
    expected = []
    for t in count():
        verified = verify(design, t) if t <= design.v else None
        if verified is None or not verified.holds:
            break
        expected.append(verified.lambda_)
    assert answers[name, "lambdas"] == expected


@pytest.mark.parametrize("name", DESIGNS)
def test_pairs_of_points(name: str, answers: Answers) -> None:
    design = DESIGNS[name]
    found = dict(answers[name, "pairs"])
    assert pair_count_histogram(design) == found
    assert sum(found.values()) == comb(design.v, 2)


@pytest.mark.parametrize("name", DESIGNS)
def test_pairs_of_blocks(name: str, answers: Answers) -> None:
    assert intersection_numbers(DESIGNS[name]) == dict(answers[name, "intersections"])


@pytest.mark.parametrize("name", GEOMETRIES | OPERATIONS)
def test_isomorphic_to_the_design_that_gap_builds(name: str, answers: Answers) -> None:
    assert answers[name, "isomorphic"] is True


@pytest.mark.parametrize(
    ("name", "order"),
    [
        ("PG(2,2)", projective_group_order(3, 2, 1)),
        ("PG(2,3)", projective_group_order(3, 3, 1)),
        ("PG(2,4)", projective_group_order(3, 2, 2)),
        ("PG(2,5)", 372_000),
        ("AG(2,3)", affine_group_order(2, 3, 1)),
        ("AG(2,4)", affine_group_order(2, 2, 2)),
        ("PG(3,2) planes", projective_group_order(4, 2, 1)),
        ("PG(3,2) lines", projective_group_order(4, 2, 1)),
        ("AG(3,2) planes", affine_group_order(3, 2, 1)),
    ],
)
def test_order_of_the_automorphism_group(name: str, order: int, answers: Answers) -> None:
    assert answers[name, "group"] == order


@pytest.mark.parametrize("name", DESIGNS)
def test_groups_are_those_that_gap_finds(name: str, answers: Answers) -> None:
    group = automorphism_group(DESIGNS[name])
    assert group.order == answers[name, "group"]
    assert len(set(group.point_orbits.tolist())) == answers[name, "orbits"]


@pytest.mark.parametrize("family", list(families()), ids=lambda family: str(family.name))
def test_a_family_called_point_transitive_is(family: Family, answers: Answers) -> None:
    if family.point_transitive:
        assert answers[family.name, "orbits"] == 1


def test_groups_of_the_planes_of_order_9(answers: Answers) -> None:
    """Of the Hall plane 311 040, of the Hughes plane 33 696 (Room and Kirkpatrick 1971)."""
    assert answers["hall-plane", "group"] == answers["translation-plane", "group"] == 311_040
    assert answers["hughes-plane", "group"] == 33_696
