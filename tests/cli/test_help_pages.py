"""The help of every command: all sections, no wider than a page, and examples that are right."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import click
import numpy as np
import pytest

from gcdesign.cli.main import cli
from gcdesign.cli.manual import pages
from gcdesign.cli.page import Paged, PageGroup

Run = Callable[..., CompletedProcess[str]]

ROOT = Path(__file__).parents[2]
assert isinstance(cli, PageGroup)
PAGES: dict[str, Paged] = {" ".join(words): command for words, command in pages(cli)}
SECTIONS = ("Examples", "Options", "Exit codes", "Environment", "See also")
CLI = "gcdesign"
EXAMPLES = sorted({line for command in PAGES.values() for line in command.examples})

SLOW = {
    "gcdesign attack ag:q=5 --byzantine 4",
    "gcdesign berrut demo --parts 4 --workers 20 --stragglers 3 --function square",
    "gcdesign curve --berrut parts=4,workers=20 --function sin -o errors.png",
    "gcdesign doctor",
    "gcdesign formula ag --set q=5 --set m=2 --set S=10",
    "gcdesign attack pg:q=7 --eta 10 --resume run.jsonl",
    "gcdesign catalogue --max-r 41 --status unknown --csv",
    "gcdesign catalogue --max-v 200 --max-r 41",
    "gcdesign design 40 10 3 --search --time-limit 600",
    "gcdesign ldgm gain",
    "gcdesign ldgm gain --time exp:rate=1 --time exp:rate=1,work=0.1,scaled=no --deadline 2",
    "gcdesign ldgm optimise --mu 1 --objective edge",
    "gcdesign ldgm optimise --time exp:rate=1,work=0.1,scaled=no --max-degree 6",
    "gcdesign recommend --workers 30 --load 6 --stragglers 4",
    "gcdesign recommend --workers 30 --load 6 --stragglers 6 --model random",
    "gcdesign report my-code.mtx -o my-code.html --time-limit 300",
    "gcdesign report pg:q=5",
    "gcdesign reproduce kadhe-fig1b --format png --folder figures",
    "gcdesign simulate --scheme frc --model pareto:scale=1,shape=2 --times-only --steps 1000000",
}
"""These are parsed, not run: together they would take minutes."""


def shown(name: str, run: Run) -> str:
    answer = run(*name.split(), "--help")
    assert (answer.returncode, answer.stderr) == (0, "")
    return answer.stdout


@pytest.mark.parametrize("name", PAGES)
def test_every_page_has_all_sections_in_order(name: str, run: Run) -> None:
    text = shown(name, run)
    assert text.startswith(f"Usage: gcdesign {name}".rstrip())
    description = text.split("\n\n")[1]
    assert description.startswith("  ")
    assert description.rstrip().endswith(".")
    titles = re.findall(r"^(\S.*):$", text, re.MULTILINE)
    assert [title for title in titles if title in SECTIONS] == list(SECTIONS)
    for title in titles:
        assert re.search(rf"^{title}:\n {{2}}\S", text, re.MULTILINE), f"{title} is empty"


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_no_wider_than_80_columns_and_plain(name: str, run: Run) -> None:
    text = shown(name, run)
    assert max(map(len, text.splitlines())) <= 80
    assert "\x1b" not in text
    assert "\x08" not in text


@pytest.mark.parametrize("name", PAGES)
def test_every_option_says_what_it_takes_and_what_it_is_without(name: str) -> None:
    command: Any = PAGES[name]
    for option in command.params:
        if not isinstance(option, click.Option):
            continue
        assert option.help, option.opts
        assert option.help.endswith("."), option.opts
        if option.is_flag:
            continue
        assert option.metavar or isinstance(option.type, click.Choice), option.opts
        given = option.get_default(click.Context(command))
        if isinstance(given, int | float | str | tuple):
            assert option.show_default or "(default" in option.help, option.opts


@pytest.mark.parametrize("name", PAGES)
def test_what_to_see_also_is_there_and_something_else(name: str) -> None:
    assert set(PAGES[name].see_also) <= PAGES.keys() - {name, ""}
    assert PAGES[name].see_also


def arguments_of(line: str) -> list[list[str]]:
    """Return the arguments of every gcdesign in a command line."""
    words = shlex.split(re.sub(r" >>? .*", "", line.replace('eval "$(', "").replace(')"', "")))
    starts = [place for place, word in enumerate(words) if word == CLI]
    ends = [*starts[1:], len(words)]
    return [
        [word for word in words[start + 1 : end] if word != "|"]
        for start, end in zip(starts, ends, strict=True)
    ]


def parse(command: Any, name: str, arguments: list[str]) -> None:
    context = command.make_context(name, list(arguments))
    if isinstance(command, click.Group) and context._protected_args + context.args:
        rest = [*context._protected_args, *context.args]
        word, sub, after = command.resolve_command(context, rest)
        parse(sub, str(word), after)


@pytest.mark.parametrize("line", EXAMPLES)
def test_an_example_parses(line: str) -> None:
    asked = arguments_of(line)
    assert asked
    for arguments in asked:
        parse(cli, CLI, arguments)


@pytest.mark.parametrize(
    "line", [line for line in EXAMPLES if line.startswith("gcdesign ") and line not in SLOW]
)
def test_an_example_runs(line: str, run: Run, folder: Path) -> None:
    prepare(folder, run)
    stdin = b""
    for arguments in arguments_of(line):
        answer = run(*arguments, stdin=stdin)
        assert answer.returncode in (0, 1), answer.stderr
        assert "did you mean" not in answer.stderr
        stdin = answer.stdout.encode()


def prepare(folder: Path, run: Run) -> None:
    """Make the files that examples name."""
    rng = np.random.default_rng(1)
    run("export", "ag:q=2", "-o", "my-code.mtx")
    (folder / "mine.csv").write_text("1,1,0\n0,1,1\n1,0,1\n")
    np.savetxt(folder / "times.csv", 1 + rng.exponential(size=(60, 5)), delimiter=",")
    np.save(folder / "data.npy", rng.normal(size=(4, 3)))
    values = rng.normal(size=(20, 3))
    np.savez(folder / "results.npz", **{str(worker): row for worker, row in enumerate(values)})
    for name, worker in (("a", 0), ("b", 7), ("c", 9)):
        np.save(folder / f"{name}.npy", values[worker])
    for name, design in (("plane", "pg:q=2"), ("other", "pg:q=2"), ("pg-q5", "pg:q=5")):
        family, setting = design.split(":")
        run("build", family, "--q", setting.split("=")[1], "-o", f"{name}.json", "--force")
    shutil.copy(ROOT / "tests" / "data" / "fano.cert.json", folder)


def written_pages() -> dict[str, str]:
    spec = spec_from_file_location("make_man_pages", ROOT / "scripts" / "make_man_pages.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    texts: dict[str, str] = module.written()
    return texts


def test_the_man_pages_are_those_of_the_commands() -> None:
    kept = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "man").iterdir()}
    assert kept == written_pages(), "run python scripts/make_man_pages.py"


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed")
def test_man_pages_are_set_without_a_complaint() -> None:
    files = sorted(map(str, (ROOT / "man").iterdir()))
    answer = subprocess.run(
        ["groff", "-man", "-Tutf8", "-K", "utf8", "-ww", "-z", *files],
        capture_output=True,
        text=True,
        check=True,
    )
    assert answer.stderr == ""
