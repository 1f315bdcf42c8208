"""How a design is named: in place, by file, by standard input, or as the one last built."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

from gcdesign.codes import load_code
from gcdesign.codes.registry import CodeFamily, code_families
from gcdesign.designs import projective_geometry
from gcdesign.designs.formats import encode
from gcdesign.designs.registry import Family, families
from gcdesign.designs.values import shown_value

Run = Callable[..., CompletedProcess[str]]
Document = Callable[[CompletedProcess[str]], dict[str, Any]]

LAST = ".gcdesign-last.json"
FANO = {  # the triples {i, i+1, i+3} mod 7, in every form
    "fano.blocks": "".join(f"{i} {(i + 1) % 7} {(i + 3) % 7}\n" for i in range(7)),
    "fano.txt": "# a comment\n" + "".join(f"{i} {(i + 1) % 7} {(i + 3) % 7}\n" for i in range(7)),
    "fano.csv": "".join(
        ",".join(str(int((j - i) % 7 in (0, 1, 3))) for j in range(7)) + "\n" for i in range(7)
    ),
    "fano.mtx": "%%MatrixMarket matrix coordinate pattern general\n7 7 21\n"
    + "".join(f"{i + 1} {(i + d) % 7 + 1}\n" for i in range(7) for d in (0, 1, 3)),
    "fano.json": json.dumps(
        {
            "schema": "gcdesign.blockdesign/1",
            "v": 7,
            "b": 7,
            "blocks": [[i, (i + 1) % 7, (i + 3) % 7] for i in range(7)],
        }
    ),
}


def only_line(answer: CompletedProcess[str]) -> str:
    """Return the one line with which a command refused."""
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr.startswith("gcdesign: ")
    assert answer.stderr.count("\n") == 1
    return answer.stderr


# --- in place -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "v", "b", "k", "label"),
    [
        ("pg:q=5", 31, 31, 6, "PG(2,5)"),
        ("pg:q=3,dim=3", 40, 40, 13, "PG(3,3)"),
        ("pg:q=3,dim=3,flats=1", 40, 130, 4, "PG(3,3), 1-flats"),
        ("ag:q=3", 9, 12, 3, "AG(2,3)"),
        ("dual-ag:q=4", 20, 16, 5, "dual AG(2,4)"),
        ("frc:workers=9,stragglers=2", 9, 9, 3, "FRC (N=9, S=2)"),
        ("uncoded:workers=31", 31, 31, 1, "uncoded (31 workers)"),
    ],
)
def test_in_place(
    run: Run, document: Document, name: str, v: int, b: int, k: int, label: str
) -> None:
    found = document(run("info", name, "--json"))
    design = found["design"]
    assert (design["v"], design["b"], design["k"], found["label"]) == (v, b, k, label)
    assert found["file"] is None


@pytest.mark.parametrize("family", list(families()), ids=lambda family: family.name)
def test_every_family_in_place_and_by_build(run: Run, document: Document, family: Family) -> None:
    values = family.example
    name = family.example_spec
    written = {key: shown_value(value) for key, value in values.items()}
    options = [piece for key, value in written.items() for piece in (f"--{key}", value)]
    built = document(run("build", family.name, *options, "--json"))
    in_place, last = (document(run("info", *n, "--json")) for n in ([name], []))
    assert built["design"] == in_place["design"] == last["design"]
    assert last["file"] == built["file"]


@pytest.mark.parametrize("family", list(code_families()), ids=lambda family: family.name)
def test_every_family_of_codes_by_build_and_back_from_its_file(
    run: Run, document: Document, family: CodeFamily
) -> None:
    values = family.example
    name = f"{family.name}:" + ",".join(f"{key}={value}" for key, value in values.items())
    code = load_code(name)
    options = [piece for key, value in values.items() for piece in (f"--{key}", str(value))]
    built = document(run("build", family.name, *options, "--json"))
    assert code.provenance is not None
    assert built["code"] == code.provenance.spec
    again = load_code(built["file"])
    assert (again.dense_encoding() == code.dense_encoding()).all()
    in_place = document(run("info", name, "--json"))
    assert (in_place["code"], in_place["tolerates"]) == (built["code"], code.tolerates)
    assert in_place["zero_one"] is (code.weights is None)
    last = document(run("info", "--json"))
    assert last | {"file": None} == in_place


# --- files ----------------------------------------------------------------------------------


@pytest.mark.parametrize("file", [*FANO, "fano.npz"])
def test_files_and_standard_input(run: Run, document: Document, folder: Path, file: str) -> None:
    if file == "fano.npz":
        run("export", "pg:q=2", "-o", file)
    else:
        (folder / file).write_text(FANO[file])
    for arguments, stdin in (((file,), b""), (("-",), (folder / file).read_bytes())):
        answer = run("attack", *arguments, "--eta", "3", "--json", stdin=stdin)
        found = document(answer)
        assert (found["lower"], found["status"]) == (6, "exact")
        assert found["file"] == (file if arguments == (file,) else None)


@pytest.mark.parametrize("form", ["csv", "mtx", "npz"])
def test_real_weights(run: Run, document: Document, folder: Path, form: str) -> None:
    """Two workers that send g₀ + 2g₁ and g₁: either alone leaves an error, by hand."""
    rows = [[1.0, 2.0], [0.0, 1.0]]
    file = folder / f"code.{form}"
    if form == "csv":
        file.write_text("1,2\n0,1\n")
    elif form == "mtx":
        head = "%%MatrixMarket matrix coordinate real general\n2 2 3\n"
        file.write_text(head + "1 1 1\n1 2 2\n2 2 1\n")
    else:
        import numpy as np
        from scipy.sparse import csr_array, save_npz

        save_npz(file, csr_array(np.array(rows)))
    found = document(run("info", file.name, "--json"))
    assert (found["zero_one"], found["incidences"], found["structure"]) == (False, 3, None)
    decoded = document(run("decode", file.name, "--silenced", "1", "--json"))
    # The least of (v − 1)² + (2v − 1)² is 1/5, at v = 3/5.
    assert decoded["error"] == pytest.approx(0.2)
    assert decoded["weights"] == pytest.approx([0.6, 0])
    worst = document(run("attack", file.name, "--stragglers", "1", "--json"))
    assert (worst["lower"], worst["workers"]) == (pytest.approx(1), [0])


def test_a_file_with_the_name_of_a_family(run: Run, document: Document, folder: Path) -> None:
    (folder / "pg:q=2.csv").write_text(FANO["fano.csv"])
    assert document(run("info", "./pg:q=2.csv", "--json"))["design"]["v"] == 7
    answer = run("build", "uncoded", "--workers", "3", "-o", "ag:q=3.json")
    assert answer.returncode == 0
    assert document(run("info", "--json"))["design"]["v"] == 3


# --- standard input -------------------------------------------------------------------------


def test_build_into_a_pipe(run: Run, document: Document, folder: Path) -> None:
    piped = run("build", "pg", "--q", "4", "-o", "-")
    assert (piped.returncode, piped.stderr) == (0, "")
    assert list(folder.iterdir()) == []
    found = document(run("attack", "-", "--eta", "6", "--json", stdin=piped.stdout.encode()))
    assert (found["label"], found["lower"], found["file"]) == ("PG(2,4)", 15, None)


def test_the_summary_of_build_into_a_pipe(run: Run, document: Document) -> None:
    summary = run("build", "pg", "--q", "3", "--json").stdout.encode()
    found = document(run("attack", "-", "--eta", "2", "--json", stdin=summary))
    assert (found["label"], found["lower"], found["file"]) == ("PG(2,3)", 7, "pg-q3.json")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty"),
        (b" \n\n", "empty"),
        (bytes(range(256)), "standard input"),
        (b"hello world\n", "standard input"),
        (b"{", "JSON"),
        (b'{"v":' * 100_000, "nested"),
        (b"[" * 100_000, "nested"),
        (b'{"schema": "gcdesign.attack/1"}', "schema"),
        (b'{"schema": "gcdesign.build/1", "file": "gone.json"}', "gone.json"),
        (b'{"schema": "gcdesign.build/1", "file": 7}', "schema"),
        (b'{"schema": "gcdesign.build/1", "file": "a\\u0000b"}', "schema"),
        (b"PK\x03\x04 no archive", "standard input"),
        (b"%%MatrixMarket matrix coordinate complex hermitian\n1 1 1\n1 1 1 0\n", "hermitian"),
        (b"1,0\n1\n", "standard input"),
    ],
    ids=repr,
)
def test_bad_standard_input(run: Run, folder: Path, data: bytes, reason: str) -> None:
    assert reason in only_line(run("attack", "-", "--eta", "1", stdin=data))
    assert list(folder.iterdir()) == []


def test_closed_standard_input(spawn: Run) -> None:
    answer = spawn("attack", "-", "--eta", "1", through='exec "$@" <&-')
    assert "standard input is empty" in only_line(answer)


# --- the design last built ------------------------------------------------------------------


def test_nothing_was_built_yet(run: Run) -> None:
    message = only_line(run("attack", "--eta", "3"))
    assert "no design was built in this directory yet" in message
    assert "gcdesign build pg --q 5" in message


def test_last_built_follows_build_and_transform(run: Run, document: Document) -> None:
    def last() -> str:
        return str(document(run("info", "--json"))["label"])

    run("build", "pg", "--q", "3", "-o", "plane.npz")
    assert document(run("info", "--json"))["file"] == "plane.npz"
    run("build", "pg", "--q", "3")
    assert last() == "PG(2,3)"
    run("build", "ag", "--q", "2", "-o", "-")
    run("export", "ag:q=2", "-o", "ag.json")
    assert last() == "PG(2,3)"
    run("transform", "residual")
    assert last() == "residual of PG(2,3) at block 0"
    run("build", "pg", "--q", "3")  # the same bytes are there already
    assert last() == "PG(2,3)"


def test_last_built_is_gone(run: Run, folder: Path) -> None:
    run("build", "pg", "--q", "2")
    (folder / "pg-q2.json").unlink()
    message = only_line(run("info"))
    assert "pg-q2.json" in message
    assert "gone" in message


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "7", '{"file": 3}', '{"file": "a\\u0000b"}', "[" * 100_000, "\ud800"],
    ids=lambda text: ascii(text[:20]),
)
def test_last_built_is_damaged(run: Run, folder: Path, text: str) -> None:
    (folder / LAST).write_bytes(text.encode(errors="surrogatepass"))
    message = only_line(run("attack", "--eta", "1"))
    assert LAST in message
    assert "delete it" in message
    assert run("attack", "pg:q=2", "--eta", "1").returncode == 0
    run("build", "pg", "--q", "2")
    assert run("attack", "--eta", "1").returncode == 0


def test_last_built_is_no_file(run: Run, folder: Path) -> None:
    (folder / LAST).symlink_to("/dev/zero")
    assert "no design was built" in only_line(run("info"))
    (folder / LAST).unlink()
    (folder / LAST).mkdir()
    assert "no design was built" in only_line(run("info"))
    answer = run("build", "pg", "--q", "2")
    assert (answer.returncode, answer.stderr.count("\n")) == (0, 1)
    assert "not remembered" in answer.stderr
    assert (folder / "pg-q2.json").read_bytes() == encode(projective_geometry(2), "json")
    quiet = run("build", "pg", "--q", "2", "--quiet")
    assert (quiet.returncode, quiet.stderr) == (0, "")


def test_a_directory_that_cannot_be_written(spawn: Run, folder: Path) -> None:
    """The design goes elsewhere; that it is not remembered is only a notice."""
    locked = folder / "locked"
    locked.mkdir(mode=0o555)
    if os.geteuid() == 0:  # who may write in any directory but those of the kernel
        locked = Path("/sys")
        if not locked.is_dir():
            pytest.skip("no directory here that root may not write in")
    before = sorted(locked.iterdir())
    target = folder / "plane.json"
    answer = spawn("build", "pg", "--q", "2", "-o", str(target), "--json", cwd=locked)
    assert answer.returncode == 0
    assert answer.stderr.startswith("gcdesign: not remembered as the design last built here")
    assert "permission denied" in answer.stderr
    assert answer.stderr.count("\n") == 1
    assert json.loads(answer.stdout)["file"] == str(target)
    assert target.read_bytes() == encode(projective_geometry(2), "json")
    refused = only_line(spawn("build", "pg", "--q", "2", cwd=locked))
    assert "cannot write pg-q2.json: permission denied" in refused
    assert sorted(locked.iterdir()) == before
