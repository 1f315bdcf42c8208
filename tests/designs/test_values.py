"""Values of parameters: written, read again, and refused."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gcdesign.designs.values import (
    DESIGN,
    GRAPH,
    LIST,
    WHOLE,
    Kind,
    ParameterValue,
    json_value,
    parse_settings,
    settings_text,
    shown_value,
)
from gcdesign.errors import InputError

KINDS = {"one": WHOLE, "some": LIST, "design": DESIGN, "graph": GRAPH}
NUMBERS = st.integers(-(10**9), 10**9)
SIMPLE = st.sampled_from(["pg:q=5", "petersen", "pg:q=3,dim=3", "product:left=(a:b=1,c=2),right=d"])


@given(NUMBERS, st.lists(NUMBERS, min_size=1, max_size=6), SIMPLE, SIMPLE)
def test_what_is_written_is_read_again(one: int, some: list[int], design: str, graph: str) -> None:
    values: dict[str, ParameterValue] = {
        "one": one,
        "some": tuple(some),
        "design": design,
        "graph": graph,
    }
    text = settings_text(tuple(values.items()))
    assert parse_settings(text, KINDS, where=text) == values
    for name, value in values.items():
        assert KINDS[name].parse(shown_value(value)) == value
        assert KINDS[name].from_json(json_value(value)) == value
        assert KINDS[name].holds(value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("some=", r"^some= in .*; expected whole numbers such as 0\+1\+3$"),
        ("some=1+", r"expected whole numbers"),
        ("some=1,2", r"^'2' in .*; expected name=value"),
        ("one=1+2", r"^one=1\+2 in .*; expected a whole number$"),
        ("design=", r"expected a name in place, such as"),
        ("design=()", r"expected a name in place, such as"),
        ("graph=((petersen))", r"expected a graph, such as petersen"),
        ("design=(pg:q=5", r"^the parentheses in .* do not match$"),
        ("design=pg:q=5)", r"do not match$"),
        ("design=" + "(" * 65 + ")" * 65, r"are nested too deeply$"),
        ("design=" + "(" * 100_000, r"are nested too deeply$"),
        ("one=1,one=2", r"given twice"),
    ],
)
def test_malformed(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_settings(text, KINDS, where="here")


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (WHOLE, True),
        (WHOLE, 1.0),
        (WHOLE, 1 << 63),
        (WHOLE, [1]),
        (WHOLE, "1"),
        (LIST, 1),
        (LIST, []),
        (LIST, [1, "2"]),
        (LIST, [True]),
        (LIST, [1 << 70]),
        (DESIGN, 5),
        (DESIGN, ""),
        (GRAPH, None),
        (GRAPH, ["petersen"]),
    ],
)
def test_json_of_another_kind(kind: Kind, value: Any) -> None:
    assert kind.from_json(value) is None
