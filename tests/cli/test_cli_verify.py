"""``gcdesign verify``: what it says about a certificate, and by which exit code."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

Json = dict[str, Any]
Run = Callable[..., CompletedProcess[str]]
Document = Callable[[CompletedProcess[str]], Json]

SEARCH = "claims[3].proof: search by the program"
CHANGES: dict[str, tuple[Callable[[Json], Any], str]] = {
    "a claim": (lambda c: c["claims"][0].update(lower=5), "claims"),
    "a proof": (lambda c: c["claims"][0]["proof"].update(m=2), "claims"),
    "a placement": (lambda c: c["placements"][0]["blocks"][0].pop(), "placements"),
    "weights": (lambda c: c.update(weights=[[1, 1, 1]] * 7, claims=c["claims"][:3]), "weights"),
}


def write(certificate: Json, *, signed: bool = True) -> None:
    """Write a certificate over the one that is there, its digests made anew if asked."""
    if signed:
        for name in certificate["digests"]:
            text = json.dumps(certificate[name], sort_keys=True, separators=(",", ":"))
            certificate["digests"][name] = hashlib.sha256(text.encode()).hexdigest()
    Path("fano.cert.json").write_text(json.dumps(certificate), encoding="utf-8")


def test_the_page(run: Run, certificate: Json) -> None:
    answer = run("verify", "fano.cert.json", "pg:q=2")
    assert (answer.returncode, answer.stderr) == (0, "")
    head, sizes, *claims, search = answer.stdout.splitlines()
    assert head == "fano.cert.json: 1 of 4 claims rests on search by the program"
    assert sizes == "  N = 7 workers, K = 7 parts"
    assert [line.split()[0] for line in claims] == [f"claims[{i}]" for i in range(4)]
    assert "S*(3) = 6" in claims[0]
    assert claims[1].endswith("lemma")
    assert "min{S : err_S ≥ 8/5} = 4" in claims[2]
    assert "err_2 (one-step) = 14/25" in claims[3]
    assert search.endswith(SEARCH)
    certificate["claims"].pop()
    write(certificate)
    assert run("verify", "fano.cert.json").stdout.startswith("fano.cert.json: proved\n")


def test_json(run: Run, document: Document, certificate: Json) -> None:
    answer = run("verify", "fano.cert.json", "--json")
    found = document(answer)
    assert (answer.returncode, answer.stderr) == (0, "")
    assert (found["status"], found["problems"], found["file"]) == ("search", [], "fano.cert.json")
    assert (found["workers"], found["parts"], found["zero_one"]) == (7, 7, True)
    assert [claim["status"] for claim in found["claims"]] == [*["proved"] * 3, "search"]
    assert [claim["asked"] for claim in found["claims"]] == ["3", "3", "8/5", "2"]
    assert (found["claims"][1]["lower"], found["claims"][1]["upper"]) == (None, "1")
    assert found["claims"][3]["rests_on"] == [SEARCH]


def test_standard_input(run: Run, document: Document, certificate: Json) -> None:
    data = Path("fano.cert.json").read_bytes()
    found = document(run("verify", "-", "pg:q=2", "--json", stdin=data))
    assert (found["file"], found["status"]) == (None, "search")
    assert run("verify", "-", stdin=data).stdout.startswith("standard input: 1 of 4 claims")
    design = run("export", "pg:q=2", "--format", "json", "-o", "-").stdout.encode()
    assert run("verify", "fano.cert.json", "-", stdin=design).returncode == 0


@pytest.mark.parametrize("name", CHANGES)
def test_what_was_changed_is_named(
    run: Run, document: Document, certificate: Json, name: str
) -> None:
    change, member = CHANGES[name]
    change(certificate)
    write(certificate, signed=False)
    answer = run("verify", "fano.cert.json")
    assert (answer.returncode, answer.stderr) == (1, "")
    assert f"refused: digests.{member}: " in answer.stdout
    found = document(run("verify", "fano.cert.json", "--json"))
    assert found["status"] == "refused"
    assert f"digests.{member}: {member} has another digest" in found["problems"]


def test_a_refused_claim(run: Run, document: Document, certificate: Json) -> None:
    certificate["claims"][1]["upper"] = "9/10"
    write(certificate)
    answer = run("verify", "fano.cert.json")
    assert (answer.returncode, answer.stderr) == (1, "")
    assert answer.stdout.startswith("fano.cert.json: refused\n")
    assert "refused: claims[1].proof: it shows err_3 ≤ 1 only" in answer.stdout
    assert "refused: claims[2].proof.claim: claims[1] is refused itself" in answer.stdout
    found = document(run("verify", "fano.cert.json", "--json"))
    assert [claim["status"] for claim in found["claims"]] == [
        "proved",
        "refused",
        "refused",
        "search",
    ]
    assert found["claims"][1]["problem"] == found["problems"][0]


@pytest.mark.parametrize("design", ["pg:q=3", "ag:q=2", "turned.blocks", "real.csv", "wider.mtx"])
def test_another_design(run: Run, document: Document, certificate: Json, design: str) -> None:
    blocks = certificate["placements"][0]["blocks"]
    turned = "".join(" ".join(map(str, block)) + "\n" for block in [*blocks[1:], blocks[0]])
    Path("turned.blocks").write_text(turned)
    rows = [[int(p in block) for p in range(7)] for block in blocks]
    rows[3][3] = 2
    Path("real.csv").write_text("".join(",".join(map(str, row)) + "\n" for row in rows))
    entries = "".join(f"{w + 1} {p + 1}\n" for w, block in enumerate(blocks) for p in block)
    head = "%%MatrixMarket matrix coordinate pattern general\n7 8 21\n"
    Path("wider.mtx").write_text(head + entries)
    answer = run("verify", "fano.cert.json", design)
    assert (answer.returncode, answer.stderr) == (1, "")
    assert f"refused: placements[0]: it is not that of {design}" in answer.stdout
    found = document(run("verify", "fano.cert.json", design, "--json"))
    assert (found["status"], len(found["problems"])) == ("refused", 1)


def test_real_weights_are_compared_exactly(run: Run, certificate: Json) -> None:
    Path("real.csv").write_text("0.5,1,0\n0,1,-1\n0.1,0,1\n")
    tenth = "/".join(map(str, (0.1).as_integer_ratio()))
    certificate["placements"] = [{"parts": 3, "blocks": [[0, 1], [2, 1], [0, 2]]}]
    certificate["claims"] = [
        {
            "question": "error",
            "stragglers": 3,
            "decoder": "optimal",
            "lower": 3,
            "upper": 3,
            "workers": [0, 1, 2],
            "placement": 0,
            "proof": {"by": "all parts"},
        }
    ]
    for first, code in ((tenth, 0), ("1/10", 1)):
        certificate["weights"] = [["1/2", 1], [-1, 1], [first, 1]]
        write(certificate)
        assert run("verify", "fano.cert.json", "real.csv").returncode == code


def test_what_a_file_says_is_not_shown_unseen(run: Run, certificate: Json) -> None:
    """Neither its name nor its words can move the cursor or add a line."""
    certificate["claims"][0]["proof"]["by"] = "pairs\x1b[2J\nclaims[9]  proved"
    certificate["claims"][1]["proof"] = {"by": "\x1b[31m" * 100}
    write(certificate)
    odd = "a\nb\x1b.json"
    Path("fano.cert.json").rename(odd)
    answer = run("verify", odd)
    assert (answer.returncode, answer.stderr) == (1, "")
    lines = answer.stdout.splitlines()
    assert len(lines) == 2 + 4 + 1 + 3
    assert all(line.isprintable() and len(line) < 400 for line in lines)


def test_a_limit(run: Run, certificate: Json) -> None:
    answer = run("verify", "fano.cert.json", "--time-limit", "0")
    assert answer.returncode == 0
    assert answer.stdout.startswith("fano.cert.json: 4 of 4 claims rest on search")
    assert "takes longer than the limit of 0 s" in answer.stdout


@pytest.mark.parametrize("code", ["cyclic", "cyclic-mds", "cyclic-mds:real=0"])
def test_thresholds_of_codes_with_weights(run: Run, code: str) -> None:
    family, _, more = code.partition(":")
    name = ",".join([f"{family}:workers=5,stragglers=2", *filter(None, [more])])
    run("attack", name, "--eta", "2", "--certificate", "proof.json")
    answer = run("verify", "proof.json", name)
    assert (answer.returncode, answer.stderr) == (0, "")
    assert answer.stdout.startswith("proof.json: proved\n")
