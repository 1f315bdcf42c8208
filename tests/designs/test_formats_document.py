"""The canonical JSON file: exact bytes, strict reading, claims about provenance."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from gcdesign.designs import (
    BlockDesign,
    Family,
    Provenance,
    affine_geometry,
    build,
    complement,
    derived,
    dual,
    parse_spec,
    projective_geometry,
    residual,
)
from gcdesign.designs.formats.document import SCHEMA, dumps, loads
from gcdesign.designs.formats.sizes import work
from gcdesign.designs.registry import families
from gcdesign.errors import InputError, LimitError

SCHEMA_FILE = Path(__file__).parents[2] / "docs" / "schemas" / "blockdesign-1.json"

PATH = BlockDesign.from_blocks([[0, 1], [1, 2]])


def document(**changes: Any) -> dict[str, Any]:
    """Return a small valid document, changed; None removes a key."""
    base = {"schema": SCHEMA, "v": 3, "b": 2, "blocks": [[0, 1], [1, 2]]} | changes
    return {key: value for key, value in base.items() if value is not None}


def refusal(data: bytes | dict[str, Any], error: type[Exception] = InputError) -> str:
    """Return the one-line message with which some content is refused."""
    content = data if isinstance(data, bytes) else json.dumps(data).encode()
    with pytest.raises(error) as caught:
        loads(content, name="bad.json")
    message = str(caught.value)
    assert type(caught.value) is error
    assert message.startswith("bad.json: ")
    assert "\n" not in message
    assert len(message) < 500
    return message


def claimed(provenance: Any, design: BlockDesign = PATH) -> bytes:
    """Return the file of a design with a provenance of the test's choosing."""
    content = json.loads(dumps(design))
    content["provenance"] = provenance
    return json.dumps(content).encode()


def test_exact_bytes() -> None:
    assert dumps(affine_geometry(2)).decode() == (
        "{\n"
        '"schema": "gcdesign.blockdesign/1",\n'
        '"v": 4,\n'
        '"b": 6,\n'
        '"provenance": {"family": "ag", "parameters": {"q": 2, "dim": 2, "flats": 1}},\n'
        '"block_classes": [0, 0, 1, 1, 2, 2],\n'
        '"blocks": [\n[0,2],\n[1,3],\n[0,3],\n[1,2],\n[0,1],\n[2,3]\n]\n'
        "}\n"
    )


def test_keys_are_in_order_and_optional_ones_omitted() -> None:
    assert list(json.loads(dumps(PATH))) == ["schema", "v", "b", "blocks"]
    assert list(json.loads(dumps(affine_geometry(3)))) == [
        "schema",
        "v",
        "b",
        "provenance",
        "block_classes",
        "blocks",
    ]


@pytest.mark.parametrize(
    "design",
    [PATH, BlockDesign.from_blocks([]), BlockDesign.from_blocks([[], []], points=2)],
    ids=["path", "nothing", "empty blocks"],
)
def test_plain_designs_return(design: BlockDesign) -> None:
    again = loads(dumps(design), name="x")
    assert again == design
    assert again.provenance is None


def test_provenance_and_classes_return() -> None:
    design = affine_geometry(3)
    again = loads(dumps(design), name="x")
    assert again.provenance == design.provenance
    assert again.parallel_classes == design.parallel_classes
    assert dumps(again) == dumps(design)


@pytest.mark.parametrize(
    "design",
    [
        projective_geometry(2),
        affine_geometry(3),
        residual(complement(dual(affine_geometry(2))), 1),
        dual(PATH),
        BlockDesign.from_blocks([]),
    ],
    ids=["pg", "ag", "chain", "unknown origin", "nothing"],
)
def test_written_files_obey_the_published_schema(design: BlockDesign) -> None:
    schema = json.loads(SCHEMA_FILE.read_text())
    Draft202012Validator.check_schema(schema)
    assert list(Draft202012Validator(schema).iter_errors(json.loads(dumps(design)))) == []


@pytest.mark.parametrize(
    "changes",
    [{"v": -1}, {"b": None}, {"schema": SCHEMA[:-1] + "2"}, {"more": 1}, {"blocks": [[0, 0]]}],
)
def test_the_published_schema_refuses_what_the_reader_refuses(changes: dict[str, Any]) -> None:
    content = document(**changes)
    assert list(Draft202012Validator(json.loads(SCHEMA_FILE.read_text())).iter_errors(content))
    refusal(content)


def test_any_order_within_a_block_is_read_and_numpy_parameters_are_written() -> None:
    import numpy as np

    assert loads(json.dumps(document(blocks=[[1, 0], [2, 1]])).encode(), name="x") == PATH
    design = residual(projective_geometry(2), np.int64(1))  # type: ignore[arg-type]
    assert loads(dumps(design), name="x") == design


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"schema": None}, "schema is missing; this version of gcdesign reads"),
        ({"schema": "gcdesign.blockdesign/2"}, "this version of gcdesign reads"),
        ({"schema": 1}, "this version of gcdesign reads"),
        ({"comment": "x"}, "unknown key 'comment'"),
        ({"block_class": "x" * 10_000}, "unknown key"),
        ({"v": None}, "key 'v' is missing"),
        ({"blocks": None}, "key 'blocks' is missing"),
        ({"v": "3"}, "v is '3'; expected a whole number"),
        ({"v": 3.0}, "v is 3.0; expected a whole number"),
        ({"v": True}, "v is True"),
        ({"b": [2]}, "b is [2]"),
        ({"v": -3}, "negative size"),
        ({"b": 3}, "b is 3 but 2 blocks follow"),
        ({"blocks": {"0": [1]}}, "expected a list of lists"),
        ({"blocks": [[0, 1], 1]}, "block 1 is 1; expected a list of points"),
        ({"blocks": [[0, 1], [1, 3]]}, "block 1 names point 3; expected points 0 to 2"),
        ({"blocks": [[0, 1], [-1, 2]]}, "block 1 names point -1"),
        ({"blocks": [[0, 1], [2, 1, 2]]}, "block 1 holds point 2 twice"),
        ({"blocks": [[0, 1], [1, 2.0]]}, "block 1 holds 2.0; expected whole numbers"),
        ({"blocks": [[0, True], [1, 2]]}, "block 0 holds True"),
        ({"blocks": [[0, "1"], [1, 2]]}, "block 0 holds '1'"),
        ({"blocks": [[0, None], [1, 2]]}, "block 0 holds None"),
        ({"blocks": [[0, [1]], [1, 2]]}, "block 0 holds [1]"),
        ({"blocks": [[0, float("nan")], [1, 2]]}, "block 0 holds nan"),
        ({"blocks": [[0, 10**30], [1, 2]]}, "block 0 names point 1000000000000000000000"),
        ({"block_classes": 5}, "block_classes is no list of 2 numbers"),
        ({"block_classes": [0]}, "block_classes is no list of 2 numbers"),
        ({"block_classes": [0, 0.0]}, "block_classes holds 0.0"),
        ({"block_classes": [0, 2]}, "block_classes holds 2; expected 0 to 1"),
        ({"block_classes": [0, -1]}, "block_classes holds -1"),
        ({"block_classes": [0, 10**30]}, "expected 0 to 1"),
        ({"block_classes": [0, 0]}, "block_classes is no resolution"),
        ({"block_classes": [0, 1]}, "block_classes is no resolution"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_documents_that_are_refused(changes: dict[str, Any], expected: str) -> None:
    assert expected in refusal(document(**changes))


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", "the file is empty"),
        (b" \n", "the file is empty"),
        (b"\xef\xbb\xbf{}", "byte order mark"),
        (b'{"schema": "\xff"}', "not UTF-8 text at byte 12"),
        (dumps(PATH).decode().encode("utf-16"), "not UTF-8"),
        (dumps(PATH)[:-5], "not valid JSON at line 7, column 6"),
        (dumps(PATH) + b"{}", "not valid JSON at line 10"),
        (b"[]", "expected a JSON object"),
        (b"null", "expected a JSON object"),
        (b'{"v": 1, "v": 2}', "key 'v' occurs twice"),
        (b'{"a\\nb": 1, "a\\nb": 2}', "key 'a\\nb' occurs twice"),
        (b'{"v": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "nested too deeply"),
        (b'{"v": ' + b'{"v": ' * 100_000, "nested too deeply"),
        (b'{"v": ' + b"9" * 5000 + b"}", "thousands of digits"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_content_that_is_refused(data: bytes, expected: str) -> None:
    assert expected in refusal(data)


@pytest.mark.parametrize("number", ["2.0", "1e3", "1E0", "NaN", "Infinity", "-Infinity", "1e999"])
def test_numbers_that_are_not_whole_are_refused(number: str) -> None:
    plain = json.dumps(document())
    assert "expected a whole number" in refusal(plain.replace('"v": 3', f'"v": {number}').encode())
    assert "expected whole numbers" in refusal(plain.replace("[0, 1]", f"[0, {number}]").encode())


@pytest.mark.parametrize("v", [10_000_001, 10**12, 10**100])
def test_sizes_are_judged_before_memory_is_taken(v: int) -> None:
    assert f"has {v} points; the limit is 10000000" in refusal(document(v=v), LimitError)


def test_messages_are_cut_short() -> None:
    for changes in ({"v": 10**4000}, {"blocks": [[0, 1], [10**4000]]}):
        with pytest.raises((InputError, LimitError)) as caught:
            loads(json.dumps(document(**changes)).encode(), name="bad.json")
        assert len(str(caught.value)) < 1100


def test_too_many_lists_are_refused_before_they_are_parsed() -> None:
    data = b'{"blocks": [' + b"[],[]" * 5_000_002 + b"]}"
    assert "blocks; the limit is 10000000" in refusal(data, LimitError)


def test_names_of_files_stay_on_one_line() -> None:
    with pytest.raises(InputError) as caught:
        loads(b"", name="two\nlines.json")
    assert str(caught.value) == "'two\\nlines.json': the file is empty"


# --- provenance ---------------------------------------------------------------------------


def test_a_false_claim_is_refused_and_the_remedy_named() -> None:
    content = json.loads(dumps(projective_geometry(5)))
    content["blocks"][3] = [0, 1, 2, 3, 4, 5]
    message = refusal(content)
    assert "the file claims to be pg:q=5,dim=2,flats=1, but block 3 differs" in message
    assert "remove 'provenance' to read the blocks as a plain design" in message
    del content["provenance"]
    assert loads(json.dumps(content).encode(), name="x").provenance is None


def test_false_sizes_and_classes_are_named() -> None:
    assert "that has v=31, not 3" in refusal(claimed({"family": "pg", "parameters": {"q": 5}}))
    short = projective_geometry(5).blocks()[:-1]
    fewer = BlockDesign.from_blocks(short, points=31)
    assert "that has b=31, not 30" in refusal(
        claimed({"family": "pg", "parameters": {"q": 5}}, fewer)
    )
    content = json.loads(dumps(affine_geometry(2)))
    content["block_classes"] = [1, 1, 0, 0, 2, 2]
    assert "the class of block 0 differs" in refusal(content)


def test_defaults_are_filled_in() -> None:
    design = loads(
        claimed({"family": "pg", "parameters": {"q": 2}}, projective_geometry(2)), name="x"
    )
    assert design.provenance == projective_geometry(2).provenance


def test_a_resolution_of_a_family_without_one_is_kept() -> None:
    design = build(parse_spec("uncoded:workers=3"))
    content = json.loads(dumps(design)) | {"block_classes": [0, 0, 0]}
    assert loads(json.dumps(content).encode(), name="x").parallel_classes == ((0, 1, 2),)


def test_operations_on_unknown_designs_are_believed() -> None:
    design = residual(dual(PATH), 1)
    again = loads(dumps(design), name="x")
    assert again.provenance == Provenance.of("residual", Provenance.of("dual"), block=1)


def test_a_false_chain_is_refused() -> None:
    content = json.loads(dumps(derived(complement(projective_geometry(2)), 3)))
    content["provenance"]["parameters"]["block"] = 4
    assert "claims to be derived(complement(pg:q=2,dim=2,flats=1),block=4)" in refusal(content)


PG = {"family": "pg", "parameters": {"q": 5}}


@pytest.mark.parametrize(
    ("provenance", "expected"),
    [
        (None, "expected an object with 'family' and 'parameters'"),
        ("pg:q=5", "expected an object"),
        ([], "expected an object"),
        ({"family": "pg"}, "expected an object with 'family' and 'parameters'"),
        (PG | {"more": 1}, "unknown key 'more'"),
        ({"family": "x" * 100_000, "parameters": {}}, "is called 'xxx"),
        ({"family": "../pg", "parameters": {}}, "is called '../pg'"),
        ({"family": "os", "parameters": {}}, "is called 'os'"),
        ({"family": ["pg"], "parameters": {}}, "is called ['pg']"),
        ({"family": "pg", "parameters": [5]}, "the parameters of pg are no object"),
        ({"family": "pg", "parameters": {}}, "pg needs q"),
        ({"family": "pg", "parameters": {"r": 5}}, "pg has no parameter 'r'"),
        ({"family": "pg", "parameters": {"q": "5"}}, "q is '5'; expected a whole number"),
        ({"family": "pg", "parameters": {"q": 5.0}}, "q is 5.0"),
        ({"family": "pg", "parameters": {"q": True}}, "q is True"),
        ({"family": "pg", "parameters": {"q": None}}, "q is None"),
        ({"family": "pg", "parameters": {"q": 10**400}}, "expected a whole number"),
        ({"family": "pg", "parameters": {"q": 6}}, "q=6 is no prime power"),
        ({"family": "pg", "parameters": {"q": -5}}, "q=-5"),
        ({"family": "pg", "parameters": {"q": 5, "dim": 1}}, "dim=1"),
        ({"family": "pg", "parameters": {"q": 5, "flats": -(2**62)}}, "flats="),
        ({"family": "frc", "parameters": {"workers": -4, "stragglers": 1}}, "workers=-4"),
        ({"family": "frc", "parameters": {"workers": 4, "stragglers": 2}}, "no multiple"),
        (PG | {"of": PG}, "the family pg is made of nothing"),
        ({"family": "dual", "parameters": {}, "of": None}, "expected an object"),
        ({"family": "dual", "parameters": {"block": 1}}, "dual has no parameter 'block'"),
        ({"family": "derived", "parameters": {"design": 1}}, "no parameter 'design'"),
        ({"family": "derived", "parameters": {"block": 31}, "of": PG}, "block 31 of 31"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_claims_that_are_refused(provenance: Any, expected: str) -> None:
    assert expected in refusal(claimed(provenance))


def nested(count: int, name: str, origin: dict[str, Any] | None) -> dict[str, Any]:
    value: dict[str, Any] = {"family": name, "parameters": {}}
    if origin is not None:
        value["of"] = origin
    for _ in range(count - 1):
        value = {"family": name, "parameters": {}, "of": value}
    return value


@pytest.mark.parametrize("count", [65, 300])
def test_long_chains_are_refused(count: int) -> None:
    assert "more than 64 operations" in refusal(claimed(nested(count, "dual", PG)))


def test_names_and_files_take_equally_many_operations() -> None:
    design = build(parse_spec("dual(" * 64 + "pg:q=2" + ")" * 64))
    assert loads(dumps(design), name="design.json") == design


@pytest.mark.parametrize(
    "provenance",
    [
        {"family": "pg", "parameters": {"q": 701}},
        {"family": "pg", "parameters": {"q": 2, "dim": 12}},
        {"family": "pg", "parameters": {"q": 2, "dim": 10**15}},
        {"family": "pg", "parameters": {"q": 10**18, "dim": 24, "flats": 11}},
        {"family": "ag", "parameters": {"q": 2, "dim": 10, "flats": 5}},
        {"family": "dual-ag", "parameters": {"q": 701}},
        {"family": "dual", "parameters": {}, "of": {"family": "ag", "parameters": {"q": 701}}},
        {"family": "frc", "parameters": {"workers": 20_000, "stragglers": 19_999}},
        {"family": "uncoded", "parameters": {"workers": 10_000_000}},
        nested(1, "complement", {"family": "uncoded", "parameters": {"workers": 20_000}}),
        nested(64, "complement", {"family": "uncoded", "parameters": {"workers": 1_000}}),
        nested(63, "dual", {"family": "pg", "parameters": {"q": 64}}),
    ],
    ids=lambda value: str(value)[:70],
)
def test_large_claims_of_small_files_are_refused_at_once(provenance: dict[str, Any]) -> None:
    started = time.process_time()
    message = refusal(claimed(provenance), LimitError)
    assert "provenance cannot be rebuilt" in message
    assert "remove 'provenance'" in message
    assert time.process_time() - started < 0.5


@pytest.mark.parametrize("declared", list(families()), ids=lambda declared: declared.name)
def test_work_is_what_building_a_family_takes(declared: Family) -> None:
    design = declared.build(declared.example)
    claim = Provenance(declared.name, tuple(declared.example.items()))
    assert work(claim) == design.incidences


@pytest.mark.parametrize("name", ["pg", "ag", "dual-ag"])
@pytest.mark.parametrize(("dim", "flats"), [(2, 1), (3, 1), (3, 2), (4, 2)])
def test_work_of_geometries(name: str, dim: int, flats: int) -> None:
    claim = Provenance.of(name, q=3, dim=dim, flats=flats)
    assert work(claim) == build(claim).incidences


def test_real_derived_designs_stay_within_the_work_that_is_allowed() -> None:
    design = derived(projective_geometry(23), 7)  # one part in 24 of what is rebuilt
    assert loads(dumps(design), name="x").provenance == design.provenance
