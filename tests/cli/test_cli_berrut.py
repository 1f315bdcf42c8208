"""``gcdesign berrut`` and ``curve --berrut``: files, documents, refusals."""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import numpy as np
import pytest

from gcdesign.codes.computing import BerrutCode

Run = Callable[..., CompletedProcess[str]]
Document = Callable[[CompletedProcess[str]], dict[str, Any]]

CODE = ("--parts", "3", "--workers", "7")


@pytest.fixture
def data(folder: Path) -> np.ndarray[Any, Any]:
    """Three inputs of 2 × 2 numbers, in ``data.npy``."""
    inputs = np.random.default_rng(0).normal(size=(3, 2, 2))
    np.save(folder / "data.npy", inputs)
    return inputs


@pytest.mark.parametrize("suffix", [".npz", ".npy"])
def test_there_and_back(
    run: Run, document: Document, folder: Path, data: np.ndarray[Any, Any], suffix: str
) -> None:
    answer = run("berrut", "encode", "data.npy", "--workers", "7", "-o", f"coded{suffix}", "--json")
    found = document(answer)
    assert (found["shape"], found["dtype"], found["file"]) == ([2, 2], "float64", f"coded{suffix}")
    assert found["coincidences"] == [[0, 1], [1, 3], [2, 5]]
    written = (folder / f"coded{suffix}").read_bytes()
    assert found["sha256"] == hashlib.sha256(written).hexdigest()
    code = BerrutCode(3, 7)
    coded = code.encode(data)
    if suffix == ".npz":
        with np.load(folder / "coded.npz", allow_pickle=False) as stored:
            own = [stored[f"worker-{worker}"] for worker in range(7)]
    else:
        own = list(np.load(folder / "coded.npy", allow_pickle=False))
    assert all((own[worker] == coded[worker]).all() for worker in range(7))
    ask = ("berrut", "decode", f"coded{suffix}", *CODE, "--returned", "0,2,6", "-o", "back.npy")
    found = document(run(*ask, "--json"))
    assert found["quality"]["returned"] == [0, 2, 6]
    assert found["quality"]["norms"] == "estimated"
    expected = code.decode({w: coded[w] for w in (0, 2, 6)})
    assert (np.load(folder / "back.npy") == expected).all()
    assert found["values"] == expected.tolist()


def test_files_of_single_workers(run: Run, folder: Path) -> None:
    for worker, value in ((0, 1.0), (4, 2.5)):
        np.save(folder / f"y{worker}.npy", np.array([value]))
    text = run("berrut", "decode", "4=y4.npy", "0=y0.npy", *CODE).stdout
    expected = BerrutCode(3, 7).decode({0: [1.0], 4: [2.5]})
    for part in range(3):
        assert f"part {part}          {expected[part, 0]:.6g}" in text
    assert "returned        2: 0, 4" in text


def test_results_that_are_broken_are_left_out_if_asked(
    run: Run, document: Document, folder: Path
) -> None:
    (folder / "results.csv").write_text("1,2\nnan,2\n3,inf\n4,5\n")
    ask = ("berrut", "decode", "results.csv", *CODE, "--returned", "0,2,4,6")
    refused = run(*ask)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr == (
        "gcdesign: workers 2, 4: NaN or infinity in the result; leave it out or repair it\n"
    )
    found = document(run(*ask, "--leave-out", "--json"))
    assert (found["left_out"], found["quality"]["returned"]) == ([2, 4], [0, 6])


def test_wrong_results_are_suspected(run: Run, document: Document, folder: Path) -> None:
    code = BerrutCode(3, 12)
    values = np.sin(code.beta)
    values[5] += 30
    np.save(folder / "results.npy", values)
    ask = ("berrut", "decode", "results.npy", "--parts", "3", "--workers", "12", "--liars", "2")
    found = document(run(*ask, "--json"))
    assert (found["suspects"], found["fits"]) == ([5], True)
    assert 5 not in found["quality"]["returned"]
    assert np.abs(np.array(found["values"]) - np.sin(code.alpha)).max() < 0.2
    assert "suspects        5; the rest fits" in run(*ask).stdout
    refused = run(*ask, "--returned", "0,1,2,3,4")
    assert "5 results with up to 2 suspects; expected 4 or more" in refused.stderr


def test_given_norms_make_a_bound_and_say_what_is_enough(run: Run, document: Document) -> None:
    ask = ("berrut", "bound", "--parts", "4", "--workers", "20", "--curvature", "2", "--slope", "1")
    found = document(run(*ask, "--returned", "0,1,2,3", "--tolerance", "0.5", "--json"))
    quality = found["quality"]
    assert (quality["norms"], quality["enough"]) == ("given", False)
    assert quality["short_by"] == quality["needed"] - 4
    rows = document(run(*ask, "--json"))["stragglers"]
    assert [row["stragglers"] for row in rows] == list(range(20))
    assert rows[0]["worst"]["curvature"] < rows[0]["formula"]["curvature"]
    assert rows[10]["worst"] is None
    assert "results are enough" in run(*ask, "--tolerance", "0.5").stdout


def test_a_demonstration(run: Run, document: Document) -> None:
    ask = (
        "berrut",
        "demo",
        "--parts",
        "3",
        "--workers",
        "9",
        "--stragglers",
        "2",
        "--trials",
        "40",
    )
    found = document(run(*ask, "--function", "cube", "--json"))
    kinds = [code["kind"] for code in found["codes"]]
    assert kinds == ["berrut", "berrut", "lagrange", "repetition", "uncoded"]
    assert found["codes"][2]["mean"][0] < 1e-9 < found["codes"][0]["mean"][0]
    assert found["codes"][4]["decoded"] == [0]
    assert found["collapse"][-1]["textbook_error"] > 1
    assert document(run(*ask, "--json"))["collapse"] == []
    assert "Lagrange coding over the reals" in run(*ask, "--function", "gram").stdout


@pytest.mark.parametrize("suffix", [".png", ".csv", ".json"])
def test_curves(run: Run, folder: Path, suffix: str) -> None:
    ask = ("curve", "--berrut", "parts=3,workers=8", "--function", "square", "--trials", "10")
    answer = run(*ask, "-o", f"curve{suffix}")
    assert (answer.returncode, answer.stdout) == (0, "")
    assert answer.stderr == f"gcdesign: 5 curves written to curve{suffix}\n"
    content = (folder / f"curve{suffix}").read_bytes()
    if suffix == ".csv":
        lines = content.decode().splitlines()
        assert lines[0] == "label,N,K,S,S/N,mean,worst,decoded,sets,complete"
        assert len(lines) == 1 + 4 * 8 + 3
    assert content.startswith({".png": b"\x89PNG", ".csv": b"label", ".json": b"{"}[suffix])


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("encode data.npy --workers 7", "-o FILE is missing"),
        ("encode data.npy --workers 0 -o c.npz", "workers=0; expected a whole number"),
        ("encode data.npy --workers 5000 -o c.npz", "5000 nodes; coded computing takes at most"),
        ("encode data.npy --workers 7 -o c.txt", "the suffix '.txt'; expected one of"),
        ("encode data.npy --workers 7 -o c.csv", "an array of shape (7, 2, 2)"),
        ("encode nothing.npy --workers 7 -o c.npz", "nothing.npy: cannot be read"),
        ("encode data.txt --workers 7 -o c.npz", "data.txt: the suffix '.txt'"),
        ("encode scalar.npy --workers 7 -o c.npz", "a single number"),
        ("encode words.npy --workers 7 -o c.npz", "expected floating-point numbers"),
        ("encode pickled.npy --workers 7 -o c.npz", "holds Python objects, which are never"),
        ("encode huge.npy --workers 7 -o c.npz", "it declares shape (1000000, 1000000)"),
        ("encode several.npz --workers 7 -o c.npz", "holds the arrays ['a', 'b']; expected one"),
        ("encode broken.npz --workers 7 -o c.npz", "broken.npz: not a usable zip archive"),
        ("encode words.csv --workers 7 -o c.npz", "line 2: 'a,b'; expected numbers"),
        ("encode ragged.csv --workers 7 -o c.npz", "line 2 has 1 numbers; the first 2"),
        ("encode blank.csv --workers 7 -o c.npz", "blank.csv: holds no numbers"),
        ("encode nan.csv --workers 7 -o c.npz", "an input is NaN or infinite"),
        ("encode folder --workers 7 -o c.npz", "'folder' is a directory"),
        ("decode several.npz --parts 3 --workers 7", "holds 'a'; expected members worker-0"),
        ("decode data.npy --parts 3 --workers 7", "data.npy has 3 rows; expected 7 workers"),
        ("decode data.npy --parts 3 --workers 7 --returned 0,1", "or 2 of --returned"),
        ("decode data.npy --parts 3 --workers 7 --returned 0,1,1", "names worker 1 twice"),
        ("decode numbered.npz --parts 3 --workers 7 --returned 1,5,5", "names worker 5 twice"),
        ("decode data.npy --parts 3 --workers 7 --returned 0,1,7", "unknown worker 7"),
        ("decode data.npy --parts 0 --workers 3", "parts=0"),
        ("decode data.npy data.npy --parts 3 --workers 7", "does not say whose result it is"),
        ("decode 0=data.npy 0=data.npy --parts 3 --workers 7", "worker 0 has two results"),
        ("decode 0=data.npy 1=scalar.npy --parts 3 --workers 7", "worker 1 returned shape ()"),
        ("decode numbered.npz --parts 3 --workers 2", "unknown worker 5"),
        ("decode numbered.npz --parts 3 --workers 7 --returned 4", "no such result"),
        ("decode numbered.npz --parts 3 --workers 7 --degree -1", "degree=-1"),
        ("decode numbered.npz --parts 3 --workers 7 --tolerance -1", "tolerance=-1"),
        ("decode numbered.npz --parts 3 --workers 7 --curvature nan", "curvature=nan"),
        ("bound --parts 3 --workers 7 --returned 9", "unknown worker 9"),
        ("bound --parts 3 --workers 7 --curvature -2", "curvature=-2"),
        ("bound --parts 3 --workers 7 --slope nan", "slope=nan"),
        ("bound --parts 3 --workers 7 --tolerance 1", "say nothing without --curvature"),
        ("bound --parts 3 --workers 7 --curvature 1e308 --slope 1e308 --json", "overflows"),
        ("demo --size 100000000", "size=100000000 for 4 inputs; expected 20000000 numbers"),
        ("demo --parts 1 --workers 4000 --size 9999", "9999 numbers for each of 4000 workers"),
        ("bound --parts 3 --workers 7 --part-nodes random", "'random'"),
        ("demo --stragglers 20", "stragglers=20; expected 0 to 19"),
        ("demo --function tan", "no function is called 'tan'"),
        ("demo --size 0", "size=0"),
        ("enkode data.npy", "enkode"),
    ],
)
@pytest.mark.usefixtures("data")
def test_refusals(run: Run, folder: Path, line: str, message: str) -> None:
    (folder / "folder").mkdir()
    np.save(folder / "scalar.npy", np.float64(1))
    np.save(folder / "words.npy", np.array(["a", "b"]))
    np.savez(folder / "several.npz", a=np.zeros(3), b=np.ones(3))
    np.savez(folder / "numbered.npz", **{"worker-5": np.zeros(3), "1": np.ones(3)})  # type: ignore[arg-type]
    (folder / "broken.npz").write_bytes(b"PK\x03\x04 and nothing else")
    (folder / "words.csv").write_text("1,2\na,b\n")
    (folder / "ragged.csv").write_text("1,2\n3\n")
    (folder / "blank.csv").write_text("# nothing\n")
    (folder / "nan.csv").write_text("1,2\n3,nan\n")
    header = b"{'descr': '|O', 'fortran_order': False, 'shape': (1,), }"
    start = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little")
    (folder / "pickled.npy").write_bytes(start + header + pickle.dumps([1]))
    wide = b"{'descr': '<f8', 'fortran_order': False, 'shape': (1000000, 1000000), }"
    start = b"\x93NUMPY\x01\x00" + len(wide).to_bytes(2, "little")
    (folder / "huge.npy").write_bytes(start + wide + b"few")
    before = set(folder.iterdir())
    answer = run("berrut", *line.split())
    assert (answer.returncode, answer.stdout) == (2, ""), answer.stderr
    assert message in answer.stderr
    assert answer.stderr.startswith("gcdesign: ")
    assert answer.stderr.count("\n") == 1
    assert set(folder.iterdir()) == before


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("curve --berrut parts=3", "expected parts=4,workers=20"),
        ("curve --berrut parts=3,workers=x", "'workers=x'"),
        ("curve --berrut parts=3,workers=8 pg:q=2", "draws its own codes"),
        ("curve --berrut parts=3,workers=8 --model random", "draws its own codes"),
        ("curve --berrut parts=3,workers=8 --time-limit 5", "draws its own codes"),
        ("curve --berrut parts=3,workers=8 --function tan", "no function"),
        ("curve pg:q=2 --function sin", "--function is what --berrut computes"),
        ("curve --berrut parts=3,workers=8 -o curve.txt", "'.txt'"),
    ],
)
def test_curves_that_are_refused(run: Run, folder: Path, line: str, message: str) -> None:
    answer = run(*line.split())
    assert (answer.returncode, answer.stdout) == (2, "")
    assert message in answer.stderr


def test_files_are_never_replaced_unasked(run: Run, folder: Path) -> None:
    (folder / "data.csv").write_text("1,2\n3,4\n")
    ask = ("berrut", "encode", "data.csv", "--workers", "4", "-o", "coded.csv")
    assert run(*ask).returncode == 0
    assert run(*ask).returncode == 0  # with the same content it counts as written
    (folder / "coded.csv").write_text("mine\n")
    refused = run(*ask)
    assert (refused.returncode, (folder / "coded.csv").read_text()) == (2, "mine\n")
    assert run(*ask, "--force", "--quiet").returncode == 0
    assert len((folder / "coded.csv").read_text().splitlines()) == 4
