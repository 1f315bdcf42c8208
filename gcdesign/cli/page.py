"""The help page of a command: one declaration, one layout on the screen and as a man page.

A command's docstring is its description and ends with its examples. What else a page says is
declared beside the command's name: exit codes of its own, files, what to see also. Exit codes,
files and variables that follow from its options and arguments are added by rules.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from inspect import cleandoc
from typing import TYPE_CHECKING, Any

import click

from gcdesign.errors import nearest

if TYPE_CHECKING:
    Base = click.Command
else:
    Base = object

Rows = list[tuple[str, str]]

EXAMPLES = re.compile(r"\n*\x08\nExamples?:\n((?: +.*\n?)+)")
ARGUMENTS = {
    "DESIGN": "a file, - for standard input, or a name in place such as pg:q=5",
    "CERT": "a certificate, as attack and report write it; - for standard input",
    "COMMAND": "one of those below",
    "DATA": "an array of inputs (.npy, .npz or .csv), the first axis counts them",
    "EXPERIMENT": "one of those that are listed without it",
    "FAMILY": "one of those that `gcdesign families` lists",
    "FILE": "a trace: .csv with a line a step and a column a worker, or .npz",
    "K": "size of the blocks k",
    "LAMBDA": "number of blocks through any two points λ (default: 1)",
    "OPERATION": "one of those below",
    "RESULTS": "files of results, or WORKER=FILE for what one worker returned",
    "SHELL": "bash, zsh or fish (default: the shell in $SHELL)",
    "V": "number of points v",
}
"""What the arguments of commands are, by the name that usage gives them."""

LIMIT = "a limit was reached before proof; what is proved so far is printed"
WRONG = "wrong usage or input, said in one line on standard error"
SEARCHES = {"time_limit", "node_limit", "memory_limit"}
COMPILES = {"threads", "time_limit"}
LAST_BUILT = ".gcdesign-last.json"


class Paged(Base):
    """What a command and a group of commands have in common: the sections of their pages.

    Parameters
    ----------
    exits
        Exit codes and what they say, where this differs from what the options tell.
    files
        Files beside those that options name.
    environment
        Variables that matter.
    see_also
        Other commands, by their words after ``gcdesign``.
    """

    def __init__(
        self,
        *arguments: Any,
        exits: Mapping[int, str] | None = None,
        files: Mapping[str, str] | None = None,
        environment: Mapping[str, str] | None = None,
        see_also: Sequence[str] = (),
        **settings: Any,
    ) -> None:
        super().__init__(*arguments, **settings)
        text = cleandoc(self.help or "").replace("\\b\n", "\b\n")
        found = EXAMPLES.search(text)
        self.examples = tuple(line.strip() for line in found[1].splitlines()) if found else ()
        self.help = EXAMPLES.sub("\n", text).strip()
        self._exits, self._files = dict(exits or {}), dict(files or {})
        self._environment, self.see_also = dict(environment or {}), tuple(see_also)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the whole page."""
        self.format_usage(ctx, formatter)
        self.format_help_text(ctx, formatter)
        with formatter.section("Examples"):
            for line in self.examples:
                formatter.write("".join(broken(line, formatter.width)))
        _write_rows(formatter, "Arguments", self.argument_rows(ctx))
        self.format_options(ctx, formatter)
        for title, rows in self.sections().items():
            _write_rows(formatter, title, rows)
        with formatter.section("See also"):
            formatter.write_text(", ".join(f"gcdesign {name}" for name in self.see_also))

    def argument_rows(self, ctx: click.Context) -> Rows:
        """Return what each argument is."""
        names = [
            parameter.make_metavar(ctx).strip("[].")
            for parameter in self.params
            if isinstance(parameter, click.Argument)
        ]
        return [(name, ARGUMENTS[name]) for name in dict.fromkeys(names)]

    def sections(self) -> dict[str, Rows]:
        """Return the sections after the options: titles, and rows of a name and its meaning."""
        return {
            "Exit codes": [(str(code), text) for code, text in sorted(self._all_exits().items())],
            "Files": list(self._all_files().items()),
            "Environment": list(self._all_variables().items()),
        }

    def _names(self) -> set[str]:
        return {str(parameter.name) for parameter in self.params}

    def _all_exits(self) -> dict[int, str]:
        rules = {3: LIMIT} if self._names() & SEARCHES and not self._exits else {}
        return {0: "done", 2: WRONG, **rules, **self._exits, 130: "interrupted"}

    def _all_files(self) -> dict[str, str]:
        if not self._names() & {"design", "designs"}:
            return self._files
        remembered = "what was last built in this directory: the DESIGN if none is named"
        return {**self._files, LAST_BUILT: remembered}

    def _all_variables(self) -> dict[str, str]:
        found = {**self._environment, "NO_COLOR": "no colours, whatever it holds"}
        if self._names() & COMPILES:
            found["NUMBA_CACHE_DIR"] = "where compiled code is kept between runs"
        return found


class Page(Paged, click.Command):
    """A command with a full help page."""


class PageGroup(Paged, click.Group):
    """A group of commands with a full help page, and advice where a command is not known."""

    command_class = Page
    kind, kinds = "command", "Commands"
    """What the group calls a command, and the title of their list."""

    subcommands_are_pages = True
    """Whether each command has a page of the manual."""

    def lines(self, ctx: click.Context) -> dict[str, dict[str, str]]:
        """Return titles, and for each the commands under it with their line of help."""
        commands = {name: self.get_command(ctx, name) for name in self.list_commands(ctx)}
        return {
            self.kinds: {
                name: one.short_help or (one.help or "").partition("\n\n")[0]
                for name, one in commands.items()
                if one is not None
            }
        }

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; where there are none, show the page."""
        if not (args or self.invoke_without_command or ctx.resilient_parsing):
            click.echo(ctx.get_help(), err=True)
            ctx.exit(2)
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; an unknown one gets the nearest names."""
        name, known = args[0], self.list_commands(ctx)
        if name not in known and not name.startswith("-"):
            advice = nearest(name, known)
            raise click.UsageError(f"no {self.kind} is called {name!r}; {advice}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands by task."""
        titles = self.lines(ctx)
        widest = max(len(name) for rows in titles.values() for name in rows)
        for title, rows in titles.items():
            _write_rows(formatter, title, [(f"{n:<{widest}}", line) for n, line in rows.items()])


def broken(line: str, width: int, *, indent: int = 2) -> list[str]:
    r"""Return a command line in lines of the page, broken as a shell allows.

    Examples
    --------
    >>> broken("gcdesign attack pg:q=5 --eta 3", 24)
    ['  gcdesign attack \\\n', '    pg:q=5 --eta 3\n']
    """
    pieces, lines = line.split(" "), [" " * indent]
    for number, piece in enumerate(pieces):
        room = width - (2 if number < len(pieces) - 1 else 0)
        if lines[-1].strip() and len(lines[-1]) + 1 + len(piece) > room:
            lines[-1] += " \\\n"
            lines.append(" " * (indent + 2))
        lines[-1] += f"{' ' if lines[-1].strip() else ''}{piece}"
    lines[-1] += "\n"
    return lines


def _write_rows(formatter: click.HelpFormatter, title: str, rows: Rows) -> None:
    if rows:
        with formatter.section(title):
            formatter.write_dl(rows)
