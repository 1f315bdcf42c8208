"""docs/commands.md: every example prints what the page shows, and every option is there.

In an example a line of ``…`` stands for any lines. Times and numbers of threads may differ. A
block after ``<!-- file: NAME -->`` is the content of a file that the examples use.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import CompletedProcess

import click
import pytest

from gcdesign.cli.main import COMMANDS, cli
from gcdesign.designs.formats import FORMATS
from gcdesign.designs.registry import families

Run = Callable[..., CompletedProcess[str]]

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "commands.md").read_text(encoding="utf-8")
CHANGING = re.compile(r'\b\d+\.\d\d s\b|"seconds": [\d.e-]+|"threads": \d+')
ELLIPSIS = "…"


def examples(text: str) -> Iterator[tuple[str, str]]:
    """Yield (command, what it prints) for each line ``$ command`` in a console block."""
    for block in re.findall(r"^```console\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        for piece in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = piece.partition("\n")
            yield command, output


def files(text: str) -> dict[str, str]:
    """Return the content of every file that a page shows, by name."""
    return dict(re.findall(r"^<!-- file: (\S+) -->\n```\w*\n(.*?)^```$", text, re.M | re.S))


def execute(run: Run, command: str, last_code: int) -> tuple[str, int]:
    """Run commands of gcdesign joined by pipes, or ``echo $?``; return output and exit code."""
    if command == "echo $?":
        return f"{last_code}\n", 0
    stdin, shown = b"", ""
    for part in command.split(" | "):
        program, *arguments = shlex.split(part)
        assert program == "gcdesign"
        answer = run(*arguments, stdin=stdin)
        stdin, shown = answer.stdout.encode(), shown + answer.stderr
    return answer.stdout + shown, answer.returncode


def steady(text: str) -> str:
    """Return a text without what changes from run to run, or when a table gets one more row."""
    return re.sub(r"(?<=\S) {2,}", "  ", CHANGING.sub("(changes)", text))


def pattern(expected: str) -> str:
    """Return the regular expression of what an example shows."""
    lines = steady(expected).splitlines(keepends=True)
    return "".join("(?:.*\n)*?" if line.strip() == ELLIPSIS else re.escape(line) for line in lines)


def test_every_example_prints_what_the_page_shows(run: Run, folder: Path) -> None:
    for name, content in files(PAGE).items():
        (folder / name).write_text(content, encoding="utf-8")
    code, count = 0, 0
    for command, expected in examples(PAGE):
        printed, code = execute(run, command, code)
        if not re.fullmatch(pattern(expected), steady(printed)):
            assert printed == expected, command
            pytest.fail(f"{command} prints something else than the page shows")
        assert "Traceback" not in printed
        count += 1
    assert count > 20


def section(name: str) -> str:
    """Return the section of a command."""
    found = re.search(rf"^## {name}\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert found is not None, f"docs/commands.md has no section {name}"
    return found[1]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_has_a_row(name: str) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    text = section(name)
    commands = [command]
    if isinstance(command, click.Group):
        context = click.Context(command)
        found = (command.get_command(context, sub) for sub in command.list_commands(context))
        commands = [sub for sub in found if sub is not None]
    options = {
        option
        for sub in commands
        for parameter in sub.params
        if isinstance(parameter, click.Option)
        for option in parameter.opts
        if option.startswith("--")
    }
    rows = set(re.findall(r"^\| .*?`(--[a-z-]+)", text, re.MULTILINE))
    assert rows == options - {"--json", "--quiet", "--force"}
    for common in ("--json", "--quiet", "--force"):
        assert common in section("Options of several commands")


def test_every_family_format_and_schema_is_named() -> None:
    for family in families():
        assert f"`{family.name}`" in section("build")
    for form in FORMATS:
        assert f"`{form.name}`" in section("export")
    # What completion prints is a script for a shell, not a result.
    for name in COMMANDS.keys() - {"completion"}:
        assert re.search(rf"^\| .*`{name}`.* \| `gcdesign\.", section("JSON for scripts"), re.M)


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)", PAGE):
        assert (DOCS / target).exists(), target
    anchors = {
        re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")
        for title in re.findall(r"^#+ (.*)$", PAGE, re.MULTILINE)
    }
    assert set(re.findall(r"\]\(#([^)]+)\)", PAGE)) <= anchors


def test_an_example_that_is_wrong_is_seen(run: Run) -> None:
    printed, code = execute(run, "gcdesign check pg:q=5", 0)
    assert code == 0
    assert re.fullmatch(pattern(printed), steady(printed))
    assert not re.fullmatch(pattern(printed.replace("31", "32")), steady(printed))
    assert re.fullmatch(pattern(f"{ELLIPSIS}\n"), steady(printed))
    assert not re.fullmatch(pattern(f"{ELLIPSIS}\nmore\n"), steady(printed))
