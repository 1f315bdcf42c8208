"""Bad usage and bad input: one line on standard error, exit code 2, and nothing written."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import click
import pytest

from gcdesign.cli.main import cli
from gcdesign.cli.manual import pages

Run = Callable[..., CompletedProcess[str]]

HEAD = '{"schema": "gcdesign.blockdesign/1", '
FILES: dict[str, str | bytes] = {
    "good.json": HEAD + '"v": 3, "b": 1, "blocks": [[0, 1]]}',
    "real.csv": "0.5,1,0\n0,1,-1\n0.5,0,1\n",
    "empty.json": "",
    "truncated.json": HEAD + '"v": 3, "b": 1, "blocks": [[0,',
    "foreign.json": '{"name": "a file of another program"}',
    "newer.json": '{"schema": "gcdesign.blockdesign/9"}',
    "list.json": "[1, 2, 3]",
    "binary.json": bytes(range(256)) * 4,
    "binary.csv": bytes(range(256)) * 4,
    "outside.json": HEAD + '"v": 3, "b": 1, "blocks": [[0, 3]]}',
    "negative.json": HEAD + '"v": 3, "b": 1, "blocks": [[-1, 0]]}',
    "repeated.json": HEAD + '"v": 3, "b": 1, "blocks": [[1, 1]]}',
    "repeated.blocks": "0 1\n2 2\n",
    "miscounted.json": HEAD + '"v": 3, "b": 2, "blocks": [[0, 1]]}',
    "false-claim.json": HEAD
    + '"v": 3, "b": 1, "provenance": {"family": "uncoded", "parameters": {"workers": 3}}, '
    + '"blocks": [[0, 1]]}',
    "deep.json": "[" * 100_000,
    "deep-claim.json": HEAD
    + '"v": 3, "b": 0, "provenance": '
    + '{"family": "dual", "parameters": {}, "of": ' * 20_000,
    "declared.json": HEAD + '"v": 1000000000000, "b": 1, "blocks": [[0, 1]]}',
    "claimed.json": HEAD + '"v": 3, "b": 1, "provenance": {"family": "uncoded", '
    '"parameters": {"workers": 1000000000000}}, "blocks": [[0, 1]]}',
    "declared.blocks": "# gcdesign blocks v=1000000000000 b=1\n0\n",
    "declared.mtx": "%%MatrixMarket matrix coordinate pattern general\n"
    "1000000000000 1000000000000 1\n1 1\n",
    "ragged.csv": "1,0\n1\n",
    "nan.csv": "1,nan\n0,1\n",
    "words.csv": "a,b\n",
    "short.mtx": "%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 1\n",
    "no-archive.npz": b"PK\x03\x04 and then nothing",
    "picture.png": b"\x89PNG\r\n\x1a\n",
}
LONG = "9" * 5000

REFUSED = {
    "q = 6": ("build pg --q 6", "no prime power"),
    "q = 6 says what is known": ("build pg --q 6", "Bruck–Ryser"),
    "q = 10 says what is known": ("build pg --q 10", "10"),
    "q = 12": ("build ag --q 12", "no prime power"),
    "q = 1": ("build pg --q 1", "q=1"),
    "q = 0": ("build pg --q 0", "q=0"),
    "q = -3": ("build pg --q -3", "q=-3"),
    "q = 2.5": ("build pg --q 2.5", "2.5"),
    "q = 1e3": ("build pg --q 1e3", "1e3"),
    "q = nan": ("build pg --q nan", "nan"),
    "huge q": ("build pg --q 1000000000000000000000000000057", "limit"),
    "huge prime q": ("build pg --q 1000003", "limit"),
    "q of 5000 digits": (f"build pg --q {LONG}", "--q"),
    "no q": ("build pg", "--q"),
    "dim = 1": ("build pg --q 3 --dim 1", "dim=1"),
    "huge dim": ("build ag --q 2 --dim 1000000000", "limit"),
    "flats = dim": ("build ag --q 3 --flats 2", "flats=2"),
    "flats = 0": ("build ag --q 3 --flats 0", "flats=0"),
    "frc does not divide": ("build frc --workers 10 --stragglers 2", "workers=9 or workers=12"),
    "no workers": ("build uncoded --workers 0", "workers=0"),
    "10^12 workers": ("build uncoded --workers 1000000000000", "limit"),
    "unknown family": ("build nofamily", "expected one of: adjacency, ag, ba"),
    "unknown family in place": ("info nofamily:q=3", "expected one of: adjacency, ag, ba"),
    "unknown parameter": ("build pg --q 3 --size 3", "--size"),
    "unknown parameter in place": ("info pg:q=3,size=3", "'size'"),
    "parameter twice": ("info pg:q=3,q=4", "twice"),
    "parameter without value": ("info pg:q", "name=value"),
    "parameter of no number": ("info pg:q=three", "q=three"),
    "missing parameter in place": ("info frc:workers=9", "stragglers"),
    "no design": ("attack --eta 3", "no design was built"),
    "empty name": ("attack '' --eta 3", "empty"),
    "missing file": ("attack missing.json --eta 1", "missing.json"),
    "missing folder": ("attack missing/plane.json --eta 1", "missing/plane.json"),
    "directory as file": ("attack folder --eta 1", "directory"),
    "file as directory": ("attack good.json/x.json --eta 1", "directory"),
    "device": ("attack /dev/zero --eta 1", "regular file"),
    "unknown suffix": ("attack picture.png --eta 1", ".png"),
    "eta > K": ("attack pg:q=3 --eta 14", "from 0 to K=13"),
    "eta < 0": ("attack pg:q=3 --eta -1", "eta=-1"),
    "eta = 2.5": ("attack pg:q=3 --eta 2.5", "2.5"),
    "eta of 5000 digits": (f"attack pg:q=3 --eta {LONG}", "--eta"),
    "S > N": ("attack pg:q=3 --stragglers 14", "from 0 to N=13"),
    "S < 0": ("attack pg:q=3 --stragglers -1", "stragglers=-1"),
    "S = some": ("attack pg:q=3 --stragglers some", "whole number or all"),
    "error > K": ("attack pg:q=3 --error 14", "expected 0 to K=13"),
    "error < 0": ("attack pg:q=3 --error -1", "error=-1"),
    "error = nan": ("attack pg:q=3 --error nan", "nan"),
    "error = inf": ("attack pg:q=3 --error inf", "inf"),
    "error = 1e999": ("attack pg:q=3 --error 1e999", "1e999"),
    "error = 0.1e9": ("attack pg:q=3 --error 0.1e9", "0.1e9"),
    "error = 1/0": ("attack pg:q=3 --error 1/0", "1/0"),
    "error of 5000 digits": (f"attack pg:q=3 --error {LONG}", "--error"),
    "nothing asked": ("attack pg:q=3", "nothing is asked"),
    "two questions": ("attack pg:q=3 --eta 3 --error 3", "two questions"),
    "two other questions": ("attack pg:q=3 --eta 3 --stragglers all", "two questions"),
    "eta and profile": ("attack pg:q=3 --eta 3 --profile", "--profile"),
    "error and profile": ("attack pg:q=3 --error 3 --profile", "--profile"),
    "S and profile": ("attack pg:q=3 --stragglers 3 --profile", "--stragglers all"),
    "decoder for eta": ("attack pg:q=3 --eta 3 --decoder one-step", "--decoder"),
    "one-step for real weights": ("attack real.csv --stragglers 1 --decoder one-step", "0/1"),
    "unknown method": ("attack pg:q=3 --eta 3 --method magic", "magic"),
    "time limit -1": ("attack pg:q=3 --eta 3 --time-limit -1", "--time-limit"),
    "time limit nan": ("attack pg:q=3 --eta 3 --time-limit nan", "--time-limit"),
    "time limit inf": ("attack pg:q=3 --eta 3 --time-limit inf", "--time-limit"),
    "time limit soon": ("attack pg:q=3 --eta 3 --time-limit soon", "--time-limit"),
    "no threads": ("attack pg:q=3 --eta 3 --threads 0", "--threads"),
    "seed -1": ("attack pg:q=3 --eta 3 --seed -1", "--seed"),
    "seed 2^31": ("attack pg:q=3 --eta 3 --seed 2147483648", "--seed"),
    "t < 0": ("check pg:q=3 --t -1", "t=-1"),
    "t > v": ("check pg:q=3 --t 14", "t=14"),
    "decode without workers": ("decode pg:q=3", "--silenced"),
    "worker out of range": ("decode pg:q=3 --silenced 13", "worker 13"),
    "worker twice": ("decode pg:q=3 --silenced 3,3", "twice"),
    "worker of no number": ("decode pg:q=3 --silenced a", "'a'"),
    "unknown operation": ("transform mirror pg:q=3", "mirror"),
    "no operation": ("transform", "dual"),
    "block out of range": ("transform residual pg:q=3 --block 13", "block 13"),
    "block of a dual": ("transform dual pg:q=3 --block 1", "--block"),
    "transform real weights": ("transform dual real.csv", "real.csv"),
    "export real weights": ("export real.csv -o out.json", "only mtx holds them"),
    "export to nowhere": ("export pg:q=3", "-o"),
    "export to an unknown suffix": ("export pg:q=3 -o out.xyz", ".xyz"),
    "export to stdout of no format": ("export pg:q=3 -o -", "--format"),
    "program without eta": ("export pg:q=3 -o out.lp", "--eta"),
    "program with eta > K": ("export pg:q=3 -o out.lp --eta 14", "eta=14"),
    "eta without program": ("export pg:q=3 -o out.csv --eta 1", "--eta"),
    "draw to nowhere": ("draw pg:q=3", "-o"),
    "draw to stdout": ("draw pg:q=3 -o -", "-o"),
    "draw as gif": ("draw pg:q=3 -o out.gif", ".gif"),
    "draw a missing worker": ("draw pg:q=3 -o out.png --silenced 13", "worker 13"),
    "curve as gif": ("curve pg:q=3 -o out.gif", ".gif"),
    "curve of q = 6": ("curve --q 6", "no prime power"),
    "curve of q and design": ("curve pg:q=3 --q 3", "--q"),
    "random curve of q and design": ("curve pg:q=3 --q 3 --model random", "--q"),
    "curve of an unknown model": ("curve pg:q=3 --model worst", "racks:FILE"),
    "curve of no racks": ("curve pg:q=3 --model racks:", "racks:FILE"),
    "curve of racks that are not there": ("curve pg:q=3 --model racks:no.txt", "no.txt"),
    "curve of racks that do not fit": ("curve pg:q=3 --model racks:real.csv", "real.csv"),
    "random curve, greedy": ("curve pg:q=3 --model random --method greedy", "--method"),
    "one trial": ("curve pg:q=3 --model random --trials 1", "--trials"),
    "two questions, one of liars": ("attack pg:q=3 --eta 3 --byzantine 2", "--byzantine"),
    "decoder for liars": ("attack pg:q=3 --byzantine 3 --decoder one-step", "--decoder"),
    "certificate of liars": ("attack pg:q=3 --byzantine 3 --certificate c.json", "--certificate"),
    "journal of liars": ("attack pg:q=3 --byzantine 3 --resume run.jsonl", "--resume"),
    "more liars than workers": ("attack pg:q=2 --byzantine 8", "byzantine=8"),
    "one-step decoding of real weights": (
        "decode real.csv --silenced 0 --decoder one-step",
        "0/1",
    ),
    "recommend for nobody": ("recommend --workers 0 --load 1 --stragglers 0", "workers=0"),
    "recommend when all are silent": (
        "recommend --workers 3 --load 1 --stragglers 3",
        "at most 2",
    ),
    "recommend with a condition below 1": (
        "recommend --workers 3 --load 1 --stragglers 1 --at-most-condition 0.5",
        "at_most_condition=0.5",
    ),
    "build as svg": ("build pg --q 3 -o out.svg", ".svg"),
    "build: json twice": ("build pg --q 3 -o - --json", "standard output"),
    "transform: json twice": ("transform dual pg:q=3 -o - --json", "standard output"),
    "export: json twice": ("export pg:q=3 -o - --format csv --json", "standard output"),
    "curve: json twice": ("curve pg:q=3 -o - --json", "standard output"),
    "no certificate": ("verify", "CERT"),
    "a missing certificate": ("verify missing.cert.json", "missing.cert.json"),
    "a certificate that is a design": ("verify good.json", "expected a certificate"),
    "a certificate that is a name in place": ("verify pg:q=3", "cannot be read"),
    "a certificate of nothing": ("verify empty.json", "no JSON"),
    "a deep certificate": ("verify deep.json", "nested too deeply"),
    "a certificate without end": ("verify /dev/zero", "larger than"),
    "a certificate on an empty input": ("verify -", "no JSON"),
    "certificate and design on one input": ("verify - -", "both -"),
    "verify -1 s": ("verify good.json --time-limit -1", "--time-limit"),
    "unknown command": ("attak pg:q=3", "did you mean attack?"),
    "unknown command like no other": ("zzz", "expected one of: build"),
    "unknown option": ("info pg:q=3 --colour", "--colour"),
    "unknown global option": ("--colour", "--colour"),
    "option without value": ("attack pg:q=3 --eta", "--eta"),
    "surplus argument": ("info pg:q=3 pg:q=4", "pg:q=4"),
    "control characters": ("info \x1b[31mred.json", r"\x1b[31mred.json"),
    "two lines": ("info two\nlines.json", r"two\nlines.json"),
}
for name in FILES:
    if name not in ("good.json", "real.csv", "picture.png"):
        REFUSED[name] = (f"attack {name} --eta 1", name)

OUTPUTS = {
    "build": "build pg --q 2 -o OUT.json",
    "transform": "transform dual pg:q=2 -o OUT.json",
    "export": "export pg:q=2 -o OUT.mtx",
    "draw": "draw pg:q=2 -o OUT.png",
    "curve": "curve pg:q=2 -o OUT.csv",
    "design": "design 7 3 -o OUT.json",
    "catalogue": "catalogue --max-v 7 -o OUT.csv",
}


@pytest.fixture
def files(folder: Path) -> dict[str, bytes]:
    """The bad files and an empty directory; returns all of it, as `contents` does."""
    for name, content in FILES.items():
        (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
    (folder / "folder").mkdir()
    return contents(folder)


def contents(folder: Path) -> dict[str, bytes]:
    """Return the files below a folder, and the folders as empty."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else b""
        for path in sorted(folder.rglob("*"))
    }


def words(line: str) -> list[str]:
    """Split at blanks only: what is refused may hold any other character."""
    return ["" if word == "''" else word for word in line.split(" ")]


@pytest.mark.parametrize("case", REFUSED)
def test_refused(run: Run, folder: Path, files: dict[str, bytes], case: str) -> None:
    line, reason = REFUSED[case]
    answer = run(*words(line))
    assert_refused(answer, reason)
    assert contents(folder) == files


def assert_refused(answer: CompletedProcess[str], reason: str) -> None:
    """One line on standard error, nothing on standard output, exit code 2."""
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr.startswith("gcdesign: ")
    assert answer.stderr.endswith("\n")
    assert answer.stderr[:-1].isprintable()
    assert len(answer.stderr) < 1500
    assert reason in answer.stderr


@pytest.mark.parametrize("name", ["nofamily", "pg:q=6", "outside.json", "deep.json", "folder"])
@pytest.mark.parametrize(
    "command", ["info", "check", "curve", "decode --silenced 0", "draw -o out.png"]
)
def test_a_bad_design_is_refused_everywhere(
    run: Run, folder: Path, files: dict[str, bytes], command: str, name: str
) -> None:
    first, *rest = command.split()
    assert_refused(run(first, name, *rest), name.partition(":")[2] or name)
    assert contents(folder) == files


@pytest.mark.parametrize("command", OUTPUTS)
def test_output_that_cannot_be(
    run: Run, folder: Path, files: dict[str, bytes], command: str
) -> None:
    suffix = OUTPUTS[command].rpartition(".")[2]
    (folder / f"folder.{suffix}").mkdir()
    before = contents(folder)
    for target, reason in (
        ("missing/out", "no such directory"),
        ("good.json/out", "no such directory"),
        ("folder", "directory"),
        ("x" * 300, "name too long"),
    ):
        line = OUTPUTS[command].replace("OUT", target)
        answer = run(*line.split())
        assert_refused(answer, reason)
        assert "standard output" not in answer.stderr
        assert contents(folder) == before


@pytest.mark.parametrize("command", OUTPUTS)
def test_output_into_a_directory_without_access(run: Run, folder: Path, command: str) -> None:
    locked = folder / "locked"
    locked.mkdir(mode=0o555)
    if os.geteuid() == 0:  # who may write in any directory but those of the kernel
        locked = Path("/sys")
        if not locked.is_dir():
            pytest.skip("no directory here that root may not write in")
    before = sorted(locked.iterdir())
    line = OUTPUTS[command].replace("OUT", str(locked / "out"))
    assert_refused(run(*line.split()), "permission denied")
    assert sorted(locked.iterdir()) == before


def files_asked() -> list[tuple[str, str]]:
    """Return every command and each of its options and arguments that name a file or a folder."""
    found = []
    for words, command in pages(cli):
        for parameter in command.params:
            if isinstance(parameter.type, click.Path):
                found.append((" ".join(words), parameter.opts[0]))
    return found


@pytest.mark.parametrize("blank", ["", " "])
def test_a_name_that_is_blank_is_none(run: Run, folder: Path, blank: str) -> None:
    asked = files_asked()
    assert len(asked) > 25
    for command, option in asked:
        named = [option, blank] if option.startswith("-") else [blank]
        assert_refused(run(*command.split(), *named), f"{blank!r}; expected the name of a ")
    assert not list(folder.iterdir())


@pytest.mark.parametrize(
    "arguments", [(), ("build",), ("array",), ("trace",), ("berrut",), ("ldgm",)]
)
def test_a_bare_command_shows_its_help(run: Run, arguments: tuple[str, ...]) -> None:
    answer = run(*arguments)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr == run(*arguments, "--help").stdout


def test_too_large_to_count(run: Run) -> None:
    """A request that is well formed but larger than the program takes on: exit code 2, a line."""
    assert_refused(run("check", "pg:q=16", "--t", "5"), "limit")


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        ("7 3 -1", "lambda=-1; expected 1 or more"),
        ("7 -3", "k=-3; expected 2 or more"),
        ("-7 -3 -1", "v=-7; expected 2 or more"),
        ("--json -7 3", "v=-7; expected 2 or more"),
        ("7 3 --seed -1", "Invalid value for '--seed': -1"),
        ("7 3 -x", "No such option '-x'"),
    ],
)
def test_negative_numbers_are_no_options(run: Run, numbers: str, message: str) -> None:
    answer = run("design", *numbers.split())
    assert (answer.returncode, answer.stdout) == (2, "")
    assert message in answer.stderr
