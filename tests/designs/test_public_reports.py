"""What users of other programs have met, and the right answers.

Each test is a report from a public tracker or list: a check that passes what it should not, a file
that comes back changed, copies of a block that get lost.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from gcdesign.designs import (
    BlockDesign,
    complement,
    dual,
    intersection_numbers,
    projective_geometry,
    verify,
)
from gcdesign.designs.formats import FORMATS, encode, read
from gcdesign.designs.symmetry import (
    automorphism_group,
    canonical_form,
    certificate,
    isomorphism,
)
from gcdesign.designs.tools import extend, incidence_rank, p_rank
from gcdesign.designs.tools.extension import strength
from gcdesign.errors import InputError

READABLE = [known.name for known in FORMATS if known.read]
FANO = projective_geometry(2)


def returned(design: BlockDesign, form: str) -> BlockDesign:
    found = read(encode(design, form), kind=form, name="x")
    assert isinstance(found, BlockDesign)
    return found


# --- 1: a t-design check that ignores uncovered t-sets ------------------------------------


def test_points_in_no_block_count() -> None:
    design = BlockDesign.from_blocks([[0, 1], [1, 2], [0, 2]], points=6)
    assert not verify(design, 1).holds
    assert (verify(design, 1).least, verify(design, 1).most) == (0, 2)
    assert not verify(design, 2).holds
    assert design.parameters.r is None
    with pytest.raises(InputError, match="nothing to extend"):
        strength(design)


def test_triples_in_no_block_count() -> None:
    # Every triple that is covered is covered once, and many are not.
    assert (verify(FANO, 3).least, verify(FANO, 3).most) == (0, 1)
    assert not verify(FANO, 3).holds


# --- 3: export to another system fails ----------------------------------------------------


@pytest.mark.parametrize("form", READABLE)
def test_the_fano_plane_returns_from_every_format(form: str) -> None:
    again = returned(FANO, form)
    assert again.blocks() == FANO.blocks()
    assert (p_rank(again, 2), incidence_rank(again)) == (4, 7)
    matrix = again.dense_incidence().astype(int)
    assert (matrix.T @ matrix == 2 * np.eye(7) + 1).all()


# --- 5: a block that holds a point twice --------------------------------------------------

TWICE = {
    "json": '{"schema": "gcdesign.blockdesign/1", "v": 3, "b": 1, "blocks": [[0, 1, 1]]}',
    "mtx": "%%MatrixMarket matrix coordinate pattern general\n1 3 3\n1 1\n1 2\n1 2\n",
    "blocks": "0 1 1\n",
    "alist": "3 1\n1 3\n1 1 1\n3\n1\n1\n1\n1 2 2\n",
    "gap": "BlockDesign( 3, [ [ 1, 2, 2 ] ] )",
    "designtheory": '<block_design v="3"><blocks><block><z>0</z><z>1</z><z>1</z></block></blocks>'
    "</block_design>",
    "sage": "[[0, 1, 1]]",
    "lajolla": "1 2 2\n",
    "sparse6": ":BcF",
    "graphml": '<graphml><key id="k" attr.name="bipartite"/><graph><node id="a"><data key="k">0'
    '</data></node><node id="b"><data key="k">1</data></node><edge source="a" target="b"/>'
    '<edge source="b" target="a"/></graph></graphml>',
}


@pytest.mark.parametrize("form", TWICE)
def test_a_block_that_holds_a_point_twice_is_refused(form: str) -> None:
    with pytest.raises(InputError, match="twice"):
        read(TWICE[form].encode(), kind=form, name="x")


def test_a_point_given_twice_is_refused_in_python_too() -> None:
    with pytest.raises(InputError, match="block 1 holds point 2 twice"):
        BlockDesign.from_blocks([[0, 1], [2, 2]])


# --- 19: a design is a multiset of blocks -------------------------------------------------

DOUBLED = BlockDesign.from_blocks([*FANO.blocks(), *FANO.blocks()], points=7)


@pytest.mark.parametrize("form", READABLE)
def test_repeated_blocks_return_from_every_format(form: str) -> None:
    assert returned(DOUBLED, form).blocks() == DOUBLED.blocks()


def test_repeated_blocks_count_in_every_answer() -> None:
    assert DOUBLED.parameters.as_tuple() == (7, 14, 6, 3, 2)
    assert verify(DOUBLED).lambda_ == 2
    assert intersection_numbers(DOUBLED) == {1: 84, 3: 7}
    assert dual(dual(DOUBLED)) == DOUBLED
    assert complement(DOUBLED).b == 14
    group = automorphism_group(DOUBLED)
    assert (group.order, group.block_swaps) == (168, 2**7)
    form = Counter(map(tuple, canonical_form(DOUBLED).blocks()))
    assert sorted(form.values()) == [2] * 7
    # Two Fano planes on one set of points with 0, 1, or 3 common lines, and 7: none alike.
    renamed = [[{0: 1, 1: 0}.get(p, p) for p in block] for block in FANO.blocks()]
    other = BlockDesign.from_blocks([*FANO.blocks(), *renamed], points=7)
    assert verify(other).lambda_ == 2
    assert isomorphism(DOUBLED, other) is None


def test_trivial_systems_are_no_finds() -> None:
    triples = BlockDesign.from_blocks([[0, 1, 2]])  # k = v, and k = t
    assert strength(triples) == (2, 1)
    with pytest.raises(InputError, match="nothing to extend"):
        extend(BlockDesign.from_blocks([[0], [1], [2]]))


# --- 20: identical hypergraphs judged non-isomorphic --------------------------------------


def test_certificates_are_equal_for_isomorphic_hypergraphs_and_only_then() -> None:
    blocks = [[0, 1, 2], [2, 3], [3, 4, 5, 0], [1, 5], [1, 5]]
    first = BlockDesign.from_blocks(blocks)
    assert isomorphism(first, first) is not None
    rng = np.random.default_rng(5)
    for _ in range(30):
        names = rng.permutation(6)
        rows = [[int(names[p]) for p in rng.permutation(block)] for block in blocks]
        other = BlockDesign.from_blocks([rows[i] for i in rng.permutation(5)], points=6)
        found = isomorphism(first, other)
        assert found is not None
        assert found.holds(first, other)
        assert certificate(first) == certificate(other)
        assert canonical_form(first) == canonical_form(other)
    without = BlockDesign.from_blocks(blocks[:-1], points=6)
    assert certificate(without) != certificate(first)
