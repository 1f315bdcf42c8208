"""Operations on several designs, and names in place that hold operations."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product
from math import comb

import networkx as nx
import numpy as np
import pytest

from gcdesign.codes.sources import is_name_in_place, load_code
from gcdesign.designs import BlockDesign, build, family, label, parse_spec, projective_geometry
from gcdesign.designs.design import Size
from gcdesign.designs.formats.document import dumps, loads
from gcdesign.designs.operation_table import OPERATIONS
from gcdesign.designs.registry import families, size_of
from gcdesign.errors import GcdesignError, InputError, LimitError

NAMES = [
    "dual(ag:q=3,dim=2,flats=1)",
    "complement(pg:q=2,dim=3,flats=1)",
    "residual(pg:q=3,dim=2,flats=1,block=4)",
    "derived(pg:q=2,dim=3,flats=2,block=1)",
    "union(pg:q=2,dim=2,flats=1,other=(multiple(pg:q=2,dim=2,flats=1,times=2)))",
    "multiple(ag:q=3,dim=2,flats=1,times=3)",
    "supplement(pg:q=2,dim=2,flats=1)",
    "fill(pg:q=2,dim=3,flats=2,other=(pg:q=2,dim=2,flats=1))",
    "point-derived(ag:q=2,dim=3,flats=2,point=5)",
    "point-residual(ag:q=2,dim=3,flats=2,point=5)",
    "wallis(ag:q=3,dim=2,flats=1)",
    "weight(ag:q=2,dim=2,flats=1,times=3)",
    "grouped(ag:q=3,dim=2,flats=1,point=0)",
    "completed(ag:q=3,dim=2,flats=1)",
    "class-unions(ag:q=5,dim=2,flats=1,other=(complete:points=5,size=2))",
    "meeting(dual(net:order=6,classes=3),meets=1)",
    "between(witt:points=22,pair=4+1,meets=0)",
    "derivation(pg:q=4,dim=2,flats=1,block=0,slopes=0+1+4)",
    "restriction(pg:q=3,dim=2,flats=1,kept=0+5+7+12)",
]


def multiset(design: BlockDesign) -> Counter[frozenset[int]]:
    return Counter(frozenset(block) for block in design.blocks())


def test_every_operation_has_a_name_here() -> None:
    assert {name.partition("(")[0] for name in NAMES} == set(OPERATIONS)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_builds_and_names_itself(name: str) -> None:
    design = build(parse_spec(name))
    assert design.provenance is not None
    assert design.provenance.spec == name
    assert parse_spec(name) == design.provenance
    again = loads(dumps(design), name="again.json")
    assert again == design
    assert again.provenance == design.provenance
    assert "\n" not in label(design)
    checked = BlockDesign.from_blocks(design.blocks(), points=design.v)
    assert checked == design  # rows are increasing and in range
    assert load_code(name).placement.workers == design.b


@pytest.mark.parametrize("name", NAMES)
def test_sizes_bound_what_is_made(name: str) -> None:
    size, design = size_of(parse_spec(name)), build(parse_spec(name))
    assert size.b >= design.b
    assert size.incidences >= design.incidences


def test_operations_against_sets() -> None:
    fano = build(parse_spec("pg:q=2"))
    solid = build(parse_spec("pg:q=2,dim=3,flats=2"))
    planes = multiset(solid)
    union = build(parse_spec("union(pg:q=2,other=(complement(pg:q=2)))"))
    assert multiset(union) == multiset(fano) + Counter(
        frozenset(range(7)) - block for block in multiset(fano)
    )
    supplement = build(parse_spec("supplement(pg:q=2)"))
    assert set(multiset(supplement)) == set(map(frozenset, combinations(range(7), 3))) - set(
        multiset(fano)
    )
    filled = build(parse_spec("fill(pg:q=2,dim=3,flats=2,other=(pg:q=2))"))
    assert multiset(filled) == Counter(
        frozenset(sorted(plane)[p] for p in line) for plane in planes for line in fano.blocks()
    )
    rest = [0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]
    derived = build(parse_spec("point-derived(pg:q=2,dim=3,flats=2,point=2)"))
    assert multiset(derived) == Counter(
        frozenset(rest.index(p) for p in plane if p != 2) for plane in planes if 2 in plane
    )
    residual = build(parse_spec("point-residual(pg:q=2,dim=3,flats=2,point=2)"))
    assert multiset(residual) == Counter(
        frozenset(rest.index(p) for p in plane) for plane in planes if 2 not in plane
    )
    kept = build(parse_spec("restriction(pg:q=2,dim=3,flats=2,kept=1+4+9)"))
    assert multiset(kept) == Counter(
        frozenset([1, 4, 9].index(p) for p in plane if p in (1, 4, 9)) for plane in planes
    )


def test_filling_keeps_blocks_of_other_sizes_first() -> None:
    mixed = BlockDesign.from_blocks([[0, 1, 2], [3, 4], [2, 5, 6]])
    filled = OPERATIONS["fill"].apply(mixed, BlockDesign.from_blocks([[0, 1], [1, 2]]))
    assert filled.blocks() == [[3, 4], [0, 1], [1, 2], [2, 5], [5, 6]]
    assert filled.provenance is None


def test_one_reading_of_every_name() -> None:
    """An operation's settings stand after those of its design: no family has one so called."""
    own = {p.name for operation in OPERATIONS.values() for p in operation.parameters}
    for declared in families():
        assert own.isdisjoint(p.name for p in declared.parameters)
    assert not set(OPERATIONS) & {declared.name for declared in families()}


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("dual(pg:q=3", "does not end with the parenthesis"),
        ("dual(pg:q=3))", "parentheses .* do not match"),
        ("dual()", "no family is called ''"),
        ("dual(pg:q=3,block=1)", "pg has no parameter 'block'"),
        ("residual(pg:q=3,block=1,block=2)", "'block' is given twice"),
        ("residual(pg:q=3,block=x)", "expected a whole number"),
        ("residual(pg:q=3,block=13)", "block 13 of 13; expected 0 to 12"),
        ("multiple(pg:q=3)", "multiple needs times: how often, 1 or more"),
        ("multiple(pg:q=3,times=0)", "times=0; expected 1 or more"),
        ("union(pg:q=2,other=pg:q=3)", "designs on 7 and on 13 points"),
        ("union(pg:q=2)", "union needs other"),
        ("supplement(multiple(pg:q=2,times=2))", "none of them repeated"),
        ("fill(pg:q=3,other=pg:q=2)", "no block has 7 points"),
        ("point-derived(pg:q=2,point=7)", "point 7 of 7; expected 0 to 6"),
        ("restriction(pg:q=2,kept=0+7)", "point 7 of 7; expected 0 to 6"),
        ("restriction(pg:q=2,kept=1+1)", "named twice"),
        ("wallis(pg:q=3)", "needs a design with parallel classes"),
        ("class-unions(ag:q=3,other=pg:q=2)", "3 blocks in a class, and a design on 7 points"),
        ("meeting(pg:q=2,meets=-1)", "meets=-1; expected 0 or more"),
        ("between(pg:q=2,pair=0+1,meets=-1)", "meets=-1; expected 0 or more"),
        ("between(pg:q=2,pair=0+0,meets=1)", "pair=0\\+0; expected two points"),
        ("between(pg:q=2,pair=0+7,meets=1)", "pair=0\\+7; expected two points, each from 0 to 6"),
        ("between(pg:q=2,pair=0+1+2,meets=1)", "expected two points"),
        ("between(pg:q=2,pair=1,meets=1)", "pair=1; expected two points"),
        ("between(pg:q=2,meets=1)", "between needs pair"),
        ("derivation(pg:q=3,slopes=0+1)", "v=13, b=13; expected a projective plane of square"),
        ("derivation(ag:q=4,slopes=0+1+2)", "v=16, b=20; expected a projective plane"),
        ("derivation(uncoded:workers=9,slopes=0+1+2)", "expected a projective plane"),
        ("derivation(union(pg:q=4,other=pg:q=4),slopes=0+1+4)", "b=42; expected"),
        ("derivation(pg:q=4,slopes=0+1)", "slopes=0\\+1; expected 3 points of block 0"),
        ("derivation(pg:q=4,slopes=0+1+1)", "slopes=0\\+1\\+1; expected 3 points"),
        ("derivation(pg:q=4,slopes=0+1+2)", "slopes=0\\+1\\+2; expected 3 points"),
        ("derivation(pg:q=4,block=21,slopes=0+1+4)", "block 21 of 21; expected 0 to 20"),
        ("derivation(pg:q=9,slopes=0+1+3+9)", "in no Baer subplane with these"),
        ("derivation(pg:q=4)", "derivation needs slopes"),
        ("mirror(pg:q=2)", "no family is called 'mirror'"),
        ("dual(" * 65 + "pg:q=2" + ")" * 65, "nested too deeply"),
    ],
)
def test_wrong_names(name: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        build(parse_spec(name))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "name", ["multiple(pg:q=31,times=100000000)", "supplement(pg:q=31)", "complement(pg:q=181)"]
)
def test_limits_come_before_memory(name: str) -> None:
    with pytest.raises(LimitError, match="limit"):
        build(parse_spec(name))


def test_a_small_file_cannot_ask_for_a_large_design() -> None:
    text = dumps(build(parse_spec("multiple(pg:q=2,times=2)"))).replace(
        b'"times": 2', b'"times": 2000000'
    )
    with pytest.raises(GcdesignError, match="limit"):
        loads(text, name="small.json")


def test_names_that_are_files_stay_files() -> None:
    assert is_name_in_place("dual(pg:q=2)")
    kept = "+".join(map(str, range(91)))  # too long for the name of a file
    plane = projective_geometry(9)
    assert is_name_in_place(f"restriction(pg:q=9,kept={kept})")
    assert load_code(f"restriction(pg:q=9,kept={kept})").placement.design.blocks() == plane.blocks()
    assert not is_name_in_place("a" * 5000)
    assert not is_name_in_place("notes (old).json")


@pytest.mark.parametrize("size", [8, 30, 52])
def test_a_complete_design_that_is_too_large_is_counted_as_far_as_said(size: int) -> None:
    with pytest.raises(LimitError, match=r"has (\d+) incidences or more") as refused:
        build(parse_spec(f"complete:points=60,size={size}"))
    counted = int(str(refused.value).split(" incidences")[0].split()[-1])
    assert 5 * 10**8 < counted <= comb(60, size) * size


def test_complete_designs() -> None:
    for v in range(1, 8):
        for k in range(1, v + 1):
            design = family("complete").build({"points": v, "size": k})
            assert [tuple(b) for b in design.blocks()] == list(combinations(range(v), k))
            size = family("complete").size_of({"points": v, "size": k})
            assert size == Size(design.v, design.b, design.incidences)
    with pytest.raises(LimitError, match="limit"):
        family("complete").size_of({"points": 10_000_000, "size": 5_000_000})
    assert np.array_equal(np.unique(family("complete").build({"points": 9, "size": 4}).v), [9])


@pytest.mark.parametrize("q", [2, 3, 4, 5])
def test_wallis_has_mcfarlands_parameters(q: int) -> None:
    design = build(parse_spec(f"wallis(ag:q={q})"))
    v, k = q * q * (q + 2), q * (q + 1)
    assert design.parameters.as_tuple() == (v, v, k, k, q)
    meetings = np.unique(design.dense_incidence().astype(int) @ design.dense_incidence().T)
    assert meetings.tolist() == [q, k]


def test_wallis_of_a_hadamard_design_has_menons_parameters() -> None:
    design = build(parse_spec("wallis(hadamard-three:order=8)"))
    assert design.parameters.as_tuple() == (64, 64, 28, 28, 12)


def test_the_gewirtz_graph() -> None:
    """Its defining numbers: 56 vertices, valency 10, no triangle, two common neighbours."""
    design = build(parse_spec("meeting(point-residual(witt:points=22),meets=0)"))
    matrix = design.dense_incidence().astype(int)
    assert np.array_equal(matrix, matrix.T)
    assert set(np.unique((matrix @ matrix)[matrix == 1])) == {0}
    away = (matrix == 0) & ~np.eye(56, dtype=bool)
    assert set(np.unique((matrix @ matrix)[away])) == {2}
    assert matrix.sum(axis=0).tolist() == [10] * 56


def test_unions_of_lines_of_an_affine_plane() -> None:
    design = build(parse_spec("class-unions(ag:q=7,other=pg:q=2)"))
    assert design.parameters.as_tuple() == (49, 56, 24, 21, 10)
    lines = multiset(build(parse_spec("ag:q=7")))
    for block in list(multiset(design))[:10]:
        assert sum(line <= block for line in lines) == 3


def test_higmans_design_from_octads_of_the_icosahedron() -> None:
    """[I, J − A] generates Golay's code, A being the adjacency matrix of the icosahedron."""
    apart = 1 - nx.to_numpy_array(nx.icosahedral_graph(), dtype=np.dtype(int))
    rows = np.hstack([np.eye(12, dtype=int), apart])
    words = (np.array(list(product((0, 1), repeat=12))) @ rows) % 2
    code = {int("".join(map(str, word)), 2) for word in words.tolist()}
    octads = [word for word in code if word.bit_count() == 8]
    assert (len(code), len(octads)) == (4096, 759)
    first = [o for o in octads if o & 1 and not o & 2]
    second = [o for o in octads if o & 2 and not o & 1]
    blocks = [
        frozenset(i for i, a in enumerate(first) if (a & b).bit_count() in (0, 4)) for b in second
    ]
    by_hand = BlockDesign.from_blocks(blocks)
    made = build(parse_spec("between(witt:points=24,pair=5+17,meets=0+4)"))
    for design in (by_hand, made):
        sets = [frozenset(block) for block in design.blocks()]
        assert {len(block) for block in sets} == {50}
        assert {len(a & b) for a, b in combinations(sets, 2)} == {14}
        assert len(sets) == design.v == 176


def test_its_group_is_that_of_higman_and_sims() -> None:
    """Of order 44 352 000, on each two points alike (Higman 1969)."""
    pytest.importorskip("pynauty")
    from gcdesign.designs.symmetry import automorphism_group

    group = automorphism_group(build(parse_spec("between(witt:points=24,pair=0+1,meets=0+4)")))
    assert group.order == 44_352_000
    assert group.point_transitive
    assert group.block_transitive


def test_a_biplane_between_two_points() -> None:
    design = build(parse_spec("between(witt:points=22,pair=0+1,meets=0)"))
    blocks = [set(block) for block in design.blocks()]
    assert {len(a & b) for a, b in combinations(blocks, 2)} == {2}
    assert (design.v, len(blocks)) == (16, 16)
