"""Any parameters at all: a family builds what its size says, or refuses in one line."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gcdesign.designs import BlockDesign, Family, build, parse_spec
from gcdesign.designs.registry import families
from gcdesign.designs.values import ParameterValue
from gcdesign.errors import GcdesignError

FAMILIES = list(families())
HUGE = (10**6, 10**9, 2**31, 10**18, -(10**18))
GRAPHS = ("petersen", "cycle:n=5", "regular:n=8,degree=3", "polarity:q=3", "complete:n=1", "star")
DESIGNS = ("pg:q=2", "uncoded:workers=3", "product:left=pg:q=2,right=pg:q=2", "pg:q=6", "none")
LARGEST = 20_000
"""Members with more incidences are not built here."""

SMALL = st.integers(-2, 12)
VALUES: dict[str, st.SearchStrategy[ParameterValue]] = {
    "whole": SMALL,
    "list": st.lists(SMALL, min_size=1, max_size=4).map(tuple),
    "graph": st.sampled_from(GRAPHS),
    "design": st.sampled_from(DESIGNS),
    "group": st.sampled_from(("Z1", "Z5", "Z6", "F4", "F6", "Z2xF3", "Z0", "Z9999999", "five")),
    "degrees": st.sampled_from(("x", "0.5x+0.5x^2", "0.3x", "x^99", "y", "0")),
    "blocks": st.sampled_from(("0", "0+1", "0+1/0+2", "1+0", "3+3", "0+99", "0+/1", "all")),
}


@st.composite
def members(draw: st.DrawFn) -> tuple[Family, dict[str, ParameterValue]]:
    declared = draw(st.sampled_from(FAMILIES))
    given_ones = [p for p in declared.parameters if not p.optional or draw(st.booleans())]
    return declared, {p.name: draw(VALUES[p.kind.name]) for p in given_ones}


def built(declared: Family, values: dict[str, ParameterValue]) -> BlockDesign | str | None:
    """Return the member, or the message of the refusal; None for one too large for a test."""
    try:
        size = declared.size_of(values)
        if size.incidences > LARGEST:
            return None
        design = declared.build(values)
    except GcdesignError as error:
        return str(error)
    assert size == (design.v, design.b, design.incidences)
    return design


@given(members())
@settings(max_examples=400, deadline=None)
def test_small_parameters(member: tuple[Family, dict[str, ParameterValue]]) -> None:
    found = built(*member)
    if isinstance(found, BlockDesign):
        assert BlockDesign(found.v, found.indptr, found.indices) == found
        assert found.provenance is not None
        assert build(parse_spec(found.provenance.spec)) == found
    elif found is not None:
        assert found
        assert "\n" not in found


@pytest.mark.parametrize("declared", FAMILIES, ids=lambda declared: declared.name)
def test_huge_parameters_end_at_once(declared: Family) -> None:
    """Without a limit before the work, each of these would take hours or all memory."""
    whole = [p.name for p in declared.parameters if p.kind.name == "whole" and p.name != "seed"]
    for name in whole:
        for value in HUGE:
            found = built(declared, {**declared.example, name: value})
            assert not isinstance(found, str) or "\n" not in found
