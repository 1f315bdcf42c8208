"""The canonical file: JSON with a versioned schema, one block to a line."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from gcdesign.designs.design import BlockDesign, Size, check_size
from gcdesign.designs.formats.claims import confirm, parse_provenance
from gcdesign.designs.formats.text import block_texts, decode, naming, shown
from gcdesign.designs.verify import is_resolved
from gcdesign.errors import InputError

SCHEMA = "gcdesign.blockdesign/1"
"""Name and version of the schema that is written, and the only one that is read."""

REQUIRED = ("schema", "v", "b", "blocks")
OPTIONAL = ("provenance", "block_classes")


def dumps(design: BlockDesign) -> bytes:
    r"""Return the canonical bytes of a design: equal designs of equal origin give equal bytes.

    Examples
    --------
    >>> print(dumps(BlockDesign.from_blocks([[0, 1], [2]])).decode(), end="")
    {
    "schema": "gcdesign.blockdesign/1",
    "v": 3,
    "b": 2,
    "blocks": [
    [0,1],
    [2]
    ]
    }
    """
    head: dict[str, Any] = {"schema": SCHEMA, "v": design.v, "b": design.b}
    if design.provenance is not None:
        head["provenance"] = design.provenance.to_json()
    if design.block_classes is not None:
        head["block_classes"] = design.block_classes.tolist()
    lines = [
        f"{json.dumps(key)}: {json.dumps(value, default=int)},\n" for key, value in head.items()
    ]
    blocks = ",\n".join(f"[{points}]" for points in block_texts(design, ","))
    end = "\n]\n}\n" if blocks else "]\n}\n"
    return "".join(["{\n", *lines, '"blocks": [\n', blocks, end]).encode("ascii")


def loads(data: bytes, *, name: str) -> BlockDesign:
    """Read a design, strictly: nothing is repaired and nothing is ignored.

    A provenance that leads back to a family is believed only after the family's blocks were
    compared with the file's.

    Parameters
    ----------
    data
        The file's content.
    name
        The file's name, for messages.

    Raises
    ------
    InputError
        If the file is not exactly what the schema describes, or its provenance is false.
    LimitError
        If the design is too large, or too large to compare with its provenance.

    Examples
    --------
    >>> loads(b'{"schema": "gcdesign.blockdesign/1", "v": 3, "b": 1, "blocks": [[2, 0]]}',
    ...       name="small.json").blocks()
    [[0, 2]]
    """
    with naming(name):
        document = _checked(_parse(decode(data)))
        design = _design(document)
        if "provenance" not in document:
            return design
        claim = parse_provenance(document["provenance"])
        return design.with_provenance(confirm(claim, design, file_size=len(data)))


def _parse(text: str) -> Any:
    check_size(Size(0, max(text.count("[") - 2, 0), 0))  # a list takes more memory than its text
    try:
        return json.loads(text, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        raise InputError(
            f"not valid JSON at line {error.lineno}, column {error.colno}: {error.msg}"
        ) from None
    except RecursionError:
        raise InputError("not a design: the JSON is nested too deeply") from None
    except InputError:
        raise
    except ValueError:  # Python's limit on the digits of an integer
        raise InputError("not a design: it holds a number of thousands of digits") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        [(key, _)] = Counter(key for key, _ in pairs).most_common(1)
        raise InputError(f"key {shown(key)} occurs twice in one object")
    return result


def _checked(document: Any) -> dict[str, Any]:
    """Return the document if it is an object with the right keys; values are not yet judged."""
    if not isinstance(document, dict):
        raise InputError(f"expected a JSON object with schema {SCHEMA!r}")
    if document.get("schema") != SCHEMA:
        found = shown(document["schema"]) if "schema" in document else "missing"
        raise InputError(f"schema is {found}; this version of gcdesign reads {SCHEMA!r}")
    for key in document:
        if key not in REQUIRED + OPTIONAL:
            expected = ", ".join(REQUIRED + OPTIONAL)
            raise InputError(f"unknown key {shown(key)}; expected: {expected}")
    for key in REQUIRED:
        if key not in document:
            raise InputError(f"key {key!r} is missing")
    return document


def _design(document: dict[str, Any]) -> BlockDesign:
    v, b, blocks = (document[key] for key in ("v", "b", "blocks"))
    for key in ("v", "b"):
        if type(document[key]) is not int:
            raise InputError(f"{key} is {shown(document[key])}; expected a whole number")
    check_size(Size(v, b, 0))
    if not isinstance(blocks, list):
        raise InputError("blocks is no list; expected a list of lists of points")
    if b != len(blocks):
        raise InputError(f"b is {b} but {len(blocks)} blocks follow")
    for number, block in enumerate(blocks):
        if not isinstance(block, list):
            raise InputError(f"block {number} is {shown(block)}; expected a list of points")
        _check_integers(block, f"block {number}")
    classes = document.get("block_classes")
    if "block_classes" in document:
        _check_labels(classes, b)
    design = BlockDesign.from_blocks(blocks, points=v, block_classes=classes)
    _check_resolution(design)
    return design


def _check_integers(values: list[Any], where: str) -> None:
    if set(map(type, values)) - {int}:
        wrong = next(value for value in values if type(value) is not int)
        raise InputError(f"{where} holds {shown(wrong)}; expected whole numbers")


def _check_labels(classes: Any, b: int) -> None:
    if not isinstance(classes, list) or len(classes) != b:
        raise InputError(f"block_classes is no list of {b} numbers, one for each block")
    _check_integers(classes, "block_classes")
    wrong = next((label for label in classes if not 0 <= label < b), None)
    if wrong is not None:
        raise InputError(f"block_classes holds {shown(wrong)}; expected 0 to {b - 1}")


def _check_resolution(design: BlockDesign) -> None:
    """Refuse block classes that are not parallel: each must hold every point exactly once."""
    if design.block_classes is not None and not is_resolved(design):
        raise InputError(
            "block_classes is no resolution: the blocks of a class must hold each point exactly "
            "once; correct the classes or remove them"
        )
