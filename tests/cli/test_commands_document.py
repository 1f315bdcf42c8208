"""docs/commands.md: every example prints what the page shows, and every option is there.

The examples are lines ``$ command`` with what they print, run in this process, since they are many;
what counts as the same is said in ``scripts/run_documents.py``.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import CompletedProcess

import click
import pytest
from run_documents import ELLIPSIS, blocks, shows

from gcdesign.cli.main import COMMANDS, cli
from gcdesign.designs.formats import FORMATS
from gcdesign.designs.registry import families

Run = Callable[..., CompletedProcess[str]]

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "commands.md").read_text(encoding="utf-8")


def examples(text: str) -> Iterator[tuple[str, str]]:
    """Yield (command, what it prints) for each line ``$ command`` in a console block."""
    for block in blocks(text):
        if block.language != "console":
            continue
        for piece in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
            command, _, output = piece.partition("\n")
            yield command, output


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


def test_every_example_prints_what_the_page_shows(run: Run, folder: Path) -> None:
    for block in blocks(PAGE):
        if block.file is not None:
            (folder / block.file).write_text(block.text, encoding="utf-8")
    code, count = 0, 0
    for command, expected in examples(PAGE):
        printed, code = execute(run, command, code)
        if not shows(expected, printed):
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
    common = {"--json", "--quiet", "--force", "--size"}
    assert rows - common == options - common
    for shared in common:
        assert shared in section("Options of several commands")


def test_every_family_format_and_schema_is_named() -> None:
    for family in families():
        assert f"`{family.name}`" in section("build")
    for form in FORMATS:
        assert f"`{form.name}`" in section("export")
    # What completion prints is a script for a shell, not a result.
    for name in COMMANDS.keys() - {"completion"}:
        assert re.search(rf"^\| .*`{name}`.* \| `gcdesign\.", section("JSON for scripts"), re.M)


def test_an_example_that_is_wrong_is_seen(run: Run) -> None:
    printed, code = execute(run, "gcdesign check pg:q=5", 0)
    assert code == 0
    assert shows(printed, printed)
    assert not shows(printed.replace("31", "32"), printed)
    assert shows(f"{ELLIPSIS}\n", printed)
    assert not shows(f"{ELLIPSIS}\nmore\n", printed)
