"""Files that are no certificates: one clear error that names the place, and nothing else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import gcdesign
from gcdesign.checker import CertificateError, check
from gcdesign.checker.document import read

Json = Any
Kit = Any


def at(document: Json, path: str) -> tuple[Json, Any]:
    """Return the container and the key of a place such as ``claims.0.proof.m``."""
    *steps, last = [int(s) if s.isdigit() else s for s in path.split(".")]
    for step in steps:
        document = document[step]
    return document, last


CHANGED: dict[str, tuple[str, Json, str]] = {
    "schema": ("schema", "gcdesign.certificate/2", "schema"),
    "a schema that is a list": ("schema", [], "schema"),
    "generator": ("generator", 3, "generator"),
    "no placements": ("placements", [], "placements"),
    "placements of another type": ("placements", {}, "placements"),
    "10^12 parts": ("placements.0.parts", 10**12, "placements[0].parts"),
    "-1 parts": ("placements.0.parts", -1, "placements[0].parts"),
    "parts: true": ("placements.0.parts", True, "placements[0].parts"),
    "a part out of range": ("placements.0.blocks.1.0", 7, "placements[0].blocks[1][0]"),
    "a part below 0": ("placements.0.blocks.1.0", -1, "placements[0].blocks[1][0]"),
    "a part twice": ("placements.0.blocks.2", [1, 1], "placements[0].blocks[2]"),
    "a block that is a number": ("placements.0.blocks.2", 5, "placements[0].blocks[2]"),
    "weights that do not fit": ("weights", [[1]], "weights"),
    "a weight that is a float": ("weights", [[0.5, 1, 1]] * 7, "type float"),
    "a weight not in lowest terms": ("weights", [["2/4", 1, 1]] * 7, "weights[0][0]"),
    "a weight over 1": ("weights", [["2/1", 1, 1]] * 7, "weights[0][0]"),
    "a weight over 0": ("weights", [["2/0", 1, 1]] * 7, "weights[0][0]"),
    "a weight over a negative number": ("weights", [["1/-2", 1, 1]] * 7, "weights[0][0]"),
    "a weight with a sign": ("weights", [["+1/2", 1, 1]] * 7, "weights[0][0]"),
    "a weight with other digits": ("weights", [["１/２", 1, 1]] * 7, "weights[0][0]"),
    "a weight with spaces": ("weights", [[" 1/2", 1, 1]] * 7, "weights[0][0]"),
    "a weight with a 0 ahead": ("weights", [["01/2", 1, 1]] * 7, "weights[0][0]"),
    "a weight as a word": ("weights", [["half", 1, 1]] * 7, "weights[0][0]"),
    "a weight that is too long": ("weights", [["1/" + "3" * 4001, 1, 1]] * 7, "weights[0][0]"),
    "no claims": ("claims", [], "claims"),
    "a claim that is a list": ("claims.0", [], "claims[0]"),
    "question": ("claims.0.question", "threshhold", "claims[0].question"),
    "a question that is an object": ("claims.0.question", {}, "claims[0].question"),
    "eta > K": ("claims.0.eta", 8, "claims[0].eta"),
    "eta as a fraction": ("claims.0.eta", "1/2", "claims[0].eta"),
    "lower as a string": ("claims.0.lower", "6", "claims[0].lower"),
    "lower as a list": ("claims.0.lower", [6], "claims[0].lower"),
    "workers out of range": ("claims.0.workers.0", 7, "claims[0].workers[0]"),
    "a worker twice": ("claims.0.workers.0", 6, "claims[0].workers"),
    "placement out of range": ("claims.0.placement", 1, "claims[0].placement"),
    "lemma: 1": ("claims.0.lemma", 1, "claims[0].lemma"),
    "another member": ("claims.0.note", "x", "claims[0]"),
    "digests": ("digests", None, "digests"),
    "another digest": ("digests.more", "x", "digests"),
    "a huge number": ("claims.0.eta", 10**4001, "4000 digits"),
}

REFUSED: dict[str, tuple[str, Json, str]] = {
    "lower > N": ("claims.0", {"lower": 8, "upper": 8}, "claims[0].lower"),
    "lower > upper": ("claims.0", {"lower": 6, "upper": 5}, "claims[0].lower"),
    "a proof that is null": ("claims.0.proof", None, "claims[0].proof"),
    "a proof that is a number": ("claims.0.proof", 1, "claims[0].proof"),
    "a proof of no kind": ("claims.0.proof", {"m": 1}, "claims[0].proof.by"),
    "a proof of unknown kind": ("claims.0.proof.by", "magic", "claims[0].proof.by"),
    "a kind that is a list": ("claims.0.proof.by", ["pairs"], "claims[0].proof.by"),
    "a proof of errors": ("claims.0.proof", {"by": "all parts"}, "claims[0].proof.by"),
    "m = 0": ("claims.0.proof.m", 0, "claims[0].proof.m"),
    "m as a word": ("claims.0.proof.m", "one", "claims[0].proof.m"),
    "m of 3999 digits": ("claims.0.proof.m", 10**3999, "claims[0].proof"),
    "no m": ("claims.0.proof", {"by": "pairs"}, "claims[0].proof"),
    "an m too many": ("claims.0.proof", {"by": "copies", "m": 1}, "claims[0].proof"),
    "a claim on itself": (
        "claims.0.proof",
        {"by": "monotone", "claim": 0},
        "claims[0].proof.claim",
    ),
    "σ² < 0": (
        "claims.0.proof",
        {"by": "spectral", "second_squared": -1},
        "claims[0].proof.second_squared",
    ),
    "σ² as a float": (
        "claims.0.proof",
        {"by": "spectral", "second_squared": "2.0"},
        "claims[0].proof.second_squared",
    ),
    "a tree of words": (
        "claims.0.proof",
        {"by": "cases", "tree": [0, [1, 0, "x"], 0]},
        "claims[0].proof.tree[1][2]",
    ),
    "a tree that decides twice": (
        "claims.0.proof",
        {"by": "cases", "tree": [0, 0, [0, 0, 0]]},
        "claims[0].proof.tree[2][0]",
    ),
    "a tree of short lists": (
        "claims.0.proof",
        {"by": "cases", "tree": [0, [1], 0]},
        "claims[0].proof.tree[1]",
    ),
    "no permutation": (
        "claims.0.proof",
        {"by": "cases", "tree": {"orbit": [[0] * 7], "part": 0, "in": 0, "out": 0}},
        "claims[0].proof.tree.orbit[0]",
    ),
    "no automorphism": (
        "claims.0.proof",
        {"by": "cases", "tree": {"orbit": [[1, 0, *range(2, 7)]], "part": 0, "in": 0, "out": 0}},
        "claims[0].proof.tree.orbit[0]",
    ),
}


@pytest.fixture
def fano(kit: Kit) -> Json:
    return json.loads(json.dumps(kit.catalogue()["pairs"]))


@pytest.mark.parametrize("name", CHANGED)
@pytest.mark.parametrize("as_file", [False, True])
def test_what_is_no_certificate(fano: Json, name: str, as_file: bool, tmp_path: Path) -> None:
    path, value, place = CHANGED[name]
    container, key = at(fano, path)
    container[key] = value
    if name == "a huge number":
        sys.set_int_max_str_digits(0)
    try:
        data: Json = json.dumps(fano).encode() if as_file else fano
        with pytest.raises(CertificateError) as refusal:
            check(data)
    finally:
        sys.set_int_max_str_digits(sys.int_info.default_max_str_digits)
    wanted = "is a float" if as_file and place == "type float" else place
    assert wanted in str(refusal.value)
    assert str(refusal.value).isprintable()
    assert len(str(refusal.value)) < 300


@pytest.mark.parametrize("name", REFUSED)
def test_claims_that_are_refused_by_place(fano: Json, kit: Kit, name: str) -> None:
    path, value, place = REFUSED[name]
    container, key = at(fano, path)
    container[key] = container[key] | value if path == "claims.0" else value
    report = check(kit.sign(fano))
    assert report.status == "refused"
    (problem,) = report.problems
    assert problem.startswith(f"{place}: ")


@pytest.mark.parametrize("missing", ["schema", "generator", "weights", "claims", "digests"])
def test_members_are_missing(fano: Json, missing: str) -> None:
    del fano[missing]
    with pytest.raises(CertificateError, match=missing):
        check(fano)


TEXTS = {
    "nothing": (b"", "no JSON"),
    "a word": (b"gcdesign", "no JSON"),
    "cut off": (b'{"schema": "gcdesign.certificate/1", "claims": [', "no JSON"),
    "deep": (b"[" * 100_000, "nested too deeply"),
    "deep and closed": (b"[" * 100_000 + b"]" * 100_000, "nested too deeply"),
    "deep objects": (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "nested too deeply"),
    "NaN": (b'{"schema": NaN}', "NaN is a float"),
    "infinity": (b'{"schema": -Infinity}', "-Infinity is a float"),
    "a float": (b'{"schema": 1e999999}', "1e999999 is a float"),
    "a key twice": (b'{"schema": 1, "schema": 2}', '"schema" occurs twice'),
    "many digits": (b"[" + b"9" * 1_000_000 + b"]", "4000 digits"),
    "binary": (bytes(range(256)), "UTF-8"),
    "UTF-16": ('{"schema": 1}'.encode("utf-16"), "UTF-8"),
    "a list": (b"[1, 2]", "expected a certificate"),
    "another schema": (b'{"schema": "gcdesign.blockdesign/1"}', "expected a certificate"),
    "null": (b"null", "expected a certificate"),
}


@pytest.mark.parametrize("name", TEXTS)
def test_texts(name: str, tmp_path: Path) -> None:
    data, reason = TEXTS[name]
    file = tmp_path / "x.json"
    file.write_bytes(data)
    for source in (data, file, str(file)):
        with pytest.raises(CertificateError, match=reason):
            check(source)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for name in ("missing.json", ".", "\0", "x" * 300):
        with pytest.raises(CertificateError, match="cannot be read"):
            check(f"{tmp_path}/{name}")


def test_a_file_without_end() -> None:
    if not Path("/dev/zero").exists():
        pytest.skip("no /dev/zero on this system")
    with pytest.raises(CertificateError, match="larger than"):
        check("/dev/zero")


def cycle() -> Json:
    value: Json = []
    value.append(value)
    return value


def doubling() -> Json:
    value: Json = []
    for _ in range(60):
        value = [value, value]
    return value


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (cycle, "nested too deeply"),
        (doubling, "too many"),
        (lambda: {1: 2}, "no string"),
        (lambda: (1, 2), "tuple"),
        (lambda: 1.5, "float"),
        (object, "object"),
    ],
)
def test_values_that_no_file_could_hold(
    fano: Json, make: Callable[[], Json], reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gcdesign.checker.reading.MAX_VALUES", 100_000)
    fano["claims"][0]["proof"] = make()
    with pytest.raises(CertificateError, match=reason):
        check(fano)


def test_a_deep_tree_is_walked(kit: Kit) -> None:
    """And where it fails is named, though not step by step."""
    parts = 400
    tree: Json = 0
    for part in reversed(range(parts - 1)):
        tree = [part, 0, tree]
    lemma = {
        "question": "threshold",
        "eta": parts,
        "lower": 1,
        "placement": 0,
        "lemma": True,
        "proof": {"by": "cases", "tree": tree},
    }
    document = kit.certificate([list(range(parts))], lemma)
    assert check(document).status == "proved"
    assert check(json.dumps(document).encode()).status == "proved"
    spoilt: Json = "x"
    for part in reversed(range(parts - 1)):
        spoilt = [part, 0, spoilt]
    lemma["proof"] = {"by": "cases", "tree": spoilt}
    (problem,) = check(kit.certificate([list(range(parts))], lemma)).problems
    assert problem.startswith("claims[0].proof.tree[2][2]")
    assert "…" in problem
    assert len(problem) < 300


# --- limits -----------------------------------------------------------------------------------


def test_what_takes_too_long_rests_on_search(kit: Kit) -> None:
    blocks = [sorted({w, (w * w + 3) % 40, (w * 7 + 1) % 40}) for w in range(40)]
    claim = kit.as_lemma(kit.error(kit.fano, 1, {"by": "exhaustion"}))
    claim |= {"stragglers": 20, "upper": 15}
    for asked, reason in ((20, "sets"), (6, "limit of 0.05 s")):
        claim["stragglers"] = asked
        report = check(kit.certificate(blocks, claim, parts=40), limit=0.05)
        assert report.status == "search"
        (place,) = report.findings[0].rests_on
        assert place.startswith("claims[0].proof: ")
        assert reason in place


def test_what_rests_on_search_is_passed_on(fano: Json, kit: Kit) -> None:
    first, second = (kit.threshold(kit.fano, eta, None) for eta in (3, 4))
    first["proof"] = {"by": "search", "engine": "pairs", "nodes": 486}
    second["proof"] = {"by": "monotone", "claim": 0}
    third = kit.threshold(kit.fano, 3, {"by": "pairs", "m": 1})
    report = check(kit.certificate(kit.fano, first, second, third))
    assert [f.status for f in report.findings] == ["search", "search", "proved"]
    assert report.findings[0].rests_on == ("claims[0].proof: search by the program",)
    assert report.findings[1].rests_on == ("claims[0]: rests on search itself",)
    assert (report.status, report.problems) == ("search", ())


def test_what_is_refused_is_passed_on(kit: Kit) -> None:
    first, second = (kit.threshold(kit.fano, eta, None) for eta in (3, 4))
    first["proof"], second["proof"] = {"by": "copies"}, {"by": "monotone", "claim": 0}
    report = check(kit.certificate(kit.fano, first, second))
    assert [f.status for f in report.findings] == ["refused", "refused"]
    assert report.problems[1] == "claims[1].proof.claim: claims[0] is refused itself"


def test_a_later_claim_is_no_proof(kit: Kit) -> None:
    first, second = (kit.threshold(kit.fano, eta, {"by": "pairs", "m": 1}) for eta in (4, 3))
    first["proof"] = {"by": "monotone", "claim": 1}
    report = check(kit.certificate(kit.fano, first, second))
    assert [f.status for f in report.findings] == ["refused", "proved"]


def test_a_claim_on_another_placement_is_no_proof(kit: Kit) -> None:
    lemma = kit.as_lemma(kit.threshold(kit.fano, 3, {"by": "pairs", "m": 1})) | {"placement": 1}
    claim = kit.threshold(kit.fano, 3, {"by": "monotone", "claim": 0})
    more = [{"parts": 7, "blocks": kit.fano}]
    (problem,) = check(kit.certificate(kit.fano, lemma, claim, more=more)).problems
    assert problem == "claims[1].proof.claim: claims[0] is about another placement"


# --- alone ------------------------------------------------------------------------------------

ALONE = """
import runpy, sys
sys.path.insert(0, {root!r})
sys.argv = ["checker", {file!r}]
try:
    runpy.run_module("gcdesign.checker", run_name="__main__")
finally:
    names = {{name.partition(".")[0] for name in sys.modules}}
    assert names - {{"gcdesign", "__main__"}} <= sys.stdlib_module_names, names
"""


def alone(file: Path) -> subprocess.CompletedProcess[str]:
    """Run the checker in a Python without any site-packages."""
    root = str(Path(gcdesign.__file__).parents[1])
    return subprocess.run(
        [sys.executable, "-I", "-S", "-c", ALONE.format(root=root, file=str(file))],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=os.environ | {"PYTHONIOENCODING": "utf-8"},
        check=False,
        timeout=60,
    )


def test_the_checker_runs_without_any_package(fano: Json, kit: Kit, tmp_path: Path) -> None:
    file = tmp_path / "fano.json"
    file.write_text(json.dumps(fano))
    answer = alone(file)
    assert (answer.returncode, answer.stderr) == (0, "")
    assert answer.stdout.splitlines() == ["claims[0]: S*(3) = 6: proved", "proved"]
    fano["claims"][0]["proof"] = {"by": "copies"}
    file.write_text(json.dumps(kit.sign(fano)))
    answer = alone(file)
    assert (answer.returncode, answer.stderr) == (1, "")
    assert "refused: claims[0].proof: it shows S*(3) ≥ 3 only" in answer.stdout
    file.write_text("{")
    answer = alone(file)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr.count("\n") == 1


def test_reading_alone_proves_nothing(fano: Json) -> None:
    found = read(fano)
    assert (found.codes[0].workers, found.codes[0].parts) == (7, 7)
    assert found.claims[0].question == "threshold"
