"""The JSON Schemas: every kind of document fits its own, and nothing else does."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest
from jsonschema import Draft202012Validator

Run = Callable[..., CompletedProcess[str]]
Document = Callable[[CompletedProcess[str]], dict[str, Any]]

FOLDER = Path(__file__).parents[2] / "docs" / "schemas"
OUTPUTS = (
    "array",
    "array-covering",
    "array-orthogonal",
    "attack",
    "berrut-bound",
    "berrut-curve",
    "berrut-decode",
    "berrut-demo",
    "berrut-encode",
    "build",
    "catalogue",
    "check",
    "curve",
    "decode",
    "doctor",
    "design",
    "draw",
    "experiments",
    "export",
    "extend",
    "families",
    "formula",
    "group",
    "info",
    "ldgm-evolve",
    "ldgm-gain",
    "ldgm-optimise",
    "ldgm-simulate",
    "isomorphic",
    "recommend",
    "report",
    "reproduce",
    "simulate",
    "train",
    "trace-fit",
    "trace-show",
    "reproduce",
    "resolve",
    "sets",
    "verify",
)
SCHEMAS = {
    name: json.loads((FOLDER / f"{name}-1.json").read_text(encoding="utf-8")) for name in OUTPUTS
}
FILES = {
    "real.csv": "0.5,1,0\n0,1,-1\n0.5,0,1\n",
    "idle.csv": "1,1,0\n0,0,0\n0,1,0\n",
    "zeros.csv": "0,0\n0,0\n",
    "empty.blocks": "# gcdesign blocks v=0 b=0\n",
    "no-blocks.blocks": "# gcdesign blocks v=3 b=0\n",
    "no-points.blocks": "# gcdesign blocks v=0 b=2\n\n\n",
    "repeated.blocks": "0 1\n0 1\n0 1\n",
    "irregular.csv": "1,1,0,0\n0,1,1,1\n1,0,0,1\n",
    "graph.blocks": "0 1\n1 2\n0 2\n2 3\n\n3\n",
}
FAMILIES = ("pg:q=2", "ag:q=2", "dual-ag:q=2", "frc:workers=4,stragglers=1", "uncoded:workers=1")
COMMANDS = (
    "info DESIGN",
    "check DESIGN --t 1",
    "attack DESIGN --eta 0",
    "attack DESIGN --profile",
    "attack DESIGN --profile --method bounds",
    "attack DESIGN --profile --method greedy",
    "attack DESIGN --stragglers 0",
    "attack DESIGN --error 0",
    "attack DESIGN --stragglers all",
    "attack DESIGN --stragglers all --method bounds",
    "attack DESIGN --stragglers all --method greedy",
    "attack DESIGN --stragglers all --decoder one-step",
    "attack DESIGN --byzantine 0",
    "decode DESIGN --silenced",
    "decode DESIGN --decoder constant --silenced",
    "decode DESIGN --decoder sum --silenced",
    "curve DESIGN",
    "curve DESIGN --model random --trials 20",
    "curve DESIGN --model random --trials 20 --decoder one-step",
    "transform dual DESIGN -o dual.json --force",
    "transform complement DESIGN -o complement.npz --force",
    "export DESIGN -o out.graphml --force",
    "info DESIGN --ranks --block-graph",
    "group DESIGN --duality",
    "isomorphic DESIGN ag:q=2",
    "resolve DESIGN --time-limit 9",
    "extend DESIGN --time-limit 9",
    "extend DESIGN --symmetric --time-limit 9",
    "sets DESIGN --arc 2 --time-limit 9",
    "sets DESIGN --transversal --time-limit 9",
    "sets DESIGN --blocking --time-limit 9",
)


@pytest.mark.parametrize("name", OUTPUTS)
def test_the_schema_is_one_and_strict(name: str) -> None:
    schema = SCHEMAS[name]
    Draft202012Validator.check_schema(schema)
    assert schema["$id"] == schema["properties"]["schema"]["const"] == f"gcdesign.{name}/1"
    for path, part in parts(schema, ""):
        if part.get("type") == "object":
            assert {"additionalProperties", "unevaluatedProperties"} & part.keys(), path
        for key, value in part.get("properties", {}).items():
            assert meaning(schema, value) or key in {"schema", "profile", "question"}, (path, key)


def parts(schema: Any, path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every subschema."""
    if isinstance(schema, dict):
        yield path, schema
        for key, value in schema.items():
            yield from parts(value, f"{path}/{key}")
    elif isinstance(schema, list):
        for index, value in enumerate(schema):
            yield from parts(value, f"{path}/{index}")


def meaning(schema: dict[str, Any], part: dict[str, Any]) -> bool:
    """Whether a subschema is described, or only narrows one that is: null, a type, items."""
    if "description" in part:
        return True
    if "$ref" in part:
        name = part["$ref"].removeprefix("#/$defs/")
        return name == "decoder" or "description" in schema["$defs"][name]
    return part.keys() <= {"type"} or part.keys() <= {"items"}


@pytest.mark.parametrize("design", [*FILES, *FAMILIES])
def test_every_command_fits_on_odd_designs(
    run: Run, document: Document, folder: Path, design: str
) -> None:
    """Matrices of zeros, idle workers, no points, no blocks: still JSON, still the schema."""
    if design in FILES:
        (folder / design).write_text(FILES[design])
    for line in COMMANDS:
        arguments = line.replace("DESIGN", design).split()
        if arguments[-1] == "--silenced":
            arguments.append("")
        answer = run(*arguments, "--json")
        if answer.returncode != 2:
            kind = {"transform": "build"}.get(arguments[0], arguments[0])
            assert document(answer)["schema"] == f"gcdesign.{kind}/1"
        else:
            assert answer.stdout == ""
            allowed = "one-step" in line or "--t" in arguments or "extend" in arguments
            assert design == "real.csv" or allowed, arguments


FREE = {
    "about",
    "parameters",
    "intersection_numbers",
    "symbols",
    "numbers",
    "settings",
    "modulo",
    "smith",
}
"""Objects whose keys are the user's or the family's own."""

EXAMPLES = {
    "array-covering": "array covering --levels 3,2,2 --json",
    "array-orthogonal": "array orthogonal --factors 3 --levels 2 --json",
    "build": "build pg --q 2 --json",
    "families": "families pg --json",
    "info": "info pg:q=2 --json",
    "check": "check pg:q=2 --json",
    "attack": "attack pg:q=2 --eta 2 --json",
    "attack profile": "attack pg:q=2 --profile --json",
    "attack byzantine": "attack pg:q=2 --byzantine 2 --json",
    "curve": "curve pg:q=2 --json",
    "berrut-bound": "berrut bound --parts 2 --workers 5 --json",
    "berrut-bound returned": "berrut bound --parts 2 --workers 5 --returned 0,2 --json",
    "berrut-curve": "curve --berrut parts=2,workers=5 --json",
    "berrut-decode": "berrut decode inputs.csv --parts 2 --workers 5 --returned 0,3 --json",
    "berrut-demo": "berrut demo --parts 2 --workers 5 --function square --json",
    "berrut-encode": "berrut encode inputs.csv --workers 5 -o coded.npz --json",
    "curve random": "curve pg:q=2 --model random --json",
    "recommend": "recommend --workers 7 --load 3 --stragglers 1 --json",
    "decode": "decode pg:q=2 --silenced 0 --json",
    "export": "export pg:q=2 -o plane.mtx --json",
    "draw": "draw pg:q=2 -o plane.svg --json",
    "doctor": "doctor --json",
    "formula": "formula pg --set q=2 --set m=2 --json",
    "report": "report pg:q=2 --json",
    "reproduce": "reproduce kadhe-fig1a --set q=2 --json",
    "experiments": "reproduce --json",
    "simulate": "simulate --data mixture:samples=60,features=4 --steps 3 --json",
    "simulate times": "simulate --times-only --steps 3 --json",
    "trace-fit": "trace fit times.csv --json",
    "trace-show": "trace show times.csv --json",
    "verify": "verify fano.cert.json --json",
}


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.usefixtures("certificate")
def test_a_spoilt_document_does_not_fit(
    run: Run, document: Document, folder: Path, name: str
) -> None:
    (folder / "times.csv").write_text("# scheme=naive\n0.5,0.75\n0.25,inf\n")
    (folder / "inputs.csv").write_text("1,2\n3,4\n")
    found = document(run(*EXAMPLES[name].split()))
    validator = Draft202012Validator(SCHEMAS[name.partition(" ")[0]])
    assert validator.is_valid(found)
    for key in found:
        assert not validator.is_valid({k: v for k, v in found.items() if k != key}), key
        assert not validator.is_valid(found | {key: {"a": [None]}}), key
    assert not validator.is_valid(found | {"surplus": None})
    for key, value in found.items():
        if isinstance(value, dict) and key not in FREE:
            assert not validator.is_valid(found | {key: value | {"surplus": "x"}}), key


@pytest.mark.parametrize(
    "change",
    [
        {"place": "claim 0"},
        {"question": "attack"},
        {"asked": 3},
        {"lower": "6/0"},
        {"status": "exact"},
        {"rests_on": [""]},
        {"problem": False},
        {"surplus": 1},
    ],
    ids=str,
)
@pytest.mark.usefixtures("certificate")
def test_a_claim_of_the_wrong_form_does_not_fit(
    run: Run, document: Document, change: dict[str, Any]
) -> None:
    found = document(run(*EXAMPLES["verify"].split()))
    found["claims"][0] |= change
    assert not Draft202012Validator(SCHEMAS["verify"]).is_valid(found)


@pytest.mark.parametrize(
    "change",
    [
        {"question": "error"},
        {"question": "error-threshold"},
        {"decoder": "optimal"},
        {"status": "proved"},
        {"lower": 2.5},
        {"lower_exact": 5},
        {"lower_exact": None},
        {"upper_exact": "5/0"},
        {"upper": -1},
        {"workers": [0, 0]},
        {"workers": [-1]},
        {"profile": True},
        {"stragglers": 2},
        {"least": {"value": 1, "workers": []}},
        {"seconds": None},
        {"schema": "gcdesign.attack/2"},
    ],
    ids=str,
)
def test_an_attack_of_the_wrong_form_does_not_fit(
    run: Run, document: Document, change: dict[str, Any]
) -> None:
    found = document(run(*EXAMPLES["attack"].split()))
    assert not Draft202012Validator(SCHEMAS["attack"]).is_valid(copy.deepcopy(found) | change)
