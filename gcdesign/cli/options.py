"""Options that mean the same in every command, declared once."""

from __future__ import annotations

import re
from collections.abc import Callable
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import click

from gcdesign.cli.executors import executor_name
from gcdesign.cli.page import Page

if TYPE_CHECKING:
    from fractions import Fraction

    from click.shell_completion import CompletionItem

UNITS = {"": 0, "K": 10, "M": 20, "G": 30, "T": 40}
"""Units of memory and their powers of 2."""

NEGATIVE = re.compile("-[0-9]+")

LONGEST_NUMBER = 1000
"""Characters of a number that is kept exact."""

Decorated = TypeVar("Decorated", bound=Callable[..., Any] | click.Command)


class NumbersCommand(Page):
    """A command whose arguments are numbers: -1 is one, and no option that is not known."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put a blank before a negative number that is no option's value: it is an argument."""
        options = (option for option in self.params if isinstance(option, click.Option))
        taking = {name for option in options if not option.is_flag for name in option.opts}
        pairs = zip(["", *args], args, strict=False)
        blanks = [NEGATIVE.fullmatch(word) and last not in taking for last, word in pairs]
        return super().parse_args(
            ctx, [" " * bool(b) + w for b, w in zip(blanks, args, strict=True)]
        )


def seconds(text: str) -> float:
    """Parse a time: any number of seconds, zero or more, but not infinite.

    Examples
    --------
    >>> seconds("2.5")
    2.5
    """
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not (isfinite(value) and value >= 0):
        raise click.BadParameter(f"{text!r}; expected a number of seconds, 0 or more")
    return value


def memory_size(text: str) -> int:
    """Parse an amount of memory: bytes, or with K, M, G or T for units of 1024.

    Examples
    --------
    >>> memory_size("4G"), memory_size("1.5K")
    (4294967296, 1536)
    """
    number = text[:-1] if text[-1:].upper() in UNITS and text else text
    try:
        value = float(number) * 2.0 ** UNITS[text[len(number) :].upper()]
    except (ValueError, OverflowError):
        value = -1.0
    if not (isfinite(value) and value >= 1):
        raise click.BadParameter(f"{text!r}; expected an amount of memory such as 4G or 500M")
    return int(value)


def design_names(
    _context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete a DESIGN: names of families up to the colon, and files."""
    from click.shell_completion import CompletionItem

    from gcdesign.codes.registry import all_names

    names = [CompletionItem(f"{name}:") for name in all_names() if name.startswith(incomplete)]
    return names or [CompletionItem(incomplete, type="file")]


class NamedPath(click.Path):
    """A path whose name is not blank: pathlib would take an empty one for this directory."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Refuse a blank name, then convert."""
        if not str(value).strip():
            self.fail(f"{str(value)!r}; expected the name of a {self.name}", param, ctx)
        return super().convert(value, param, ctx)


FILE = NamedPath(dir_okay=False, path_type=Path)

design_argument = click.argument(
    "design", required=False, metavar="[DESIGN]", shell_complete=design_names
)
"""A file, ``-`` or a name in place; by default the design last built in this directory."""

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
quiet_option = click.option("--quiet", is_flag=True, help="No progress and no notices.")
force_option = click.option("--force", is_flag=True, help="Replace an existing file.")
seed_option = click.option(
    "--seed",
    type=click.IntRange(0, 2**31 - 1),
    default=0,
    show_default=True,
    metavar="N",
    help="Seed of every random choice.",
)
threads_option = click.option(
    "--threads",
    type=click.IntRange(1, 1024),
    metavar="N",
    help="Threads of the solver, or workers of the executor (default: all cores).",
)
method_option = click.option(
    "--method",
    type=click.Choice(["exact", "greedy", "bounds"]),
    default="exact",
    show_default=True,
    help="Search until proof; or a quick attack against the bounds; or bounds alone.",
)
time_limit_option = click.option(
    "--time-limit",
    type=seconds,
    metavar="SECONDS",
    help="End after this time with what is known by then (default: no limit).",
)
node_limit_option = click.option(
    "--node-limit",
    type=click.IntRange(min=0),
    metavar="N",
    help="Hand back the best bracket after so many nodes of search trees (default: no limit).",
)
memory_limit_option = click.option(
    "--memory-limit",
    type=memory_size,
    metavar="SIZE",
    help="Hand back the best bracket before more memory is held, such as 4G (default: no limit).",
)


give_up_option = click.option(
    "--time-limit",
    type=seconds,
    metavar="SECONDS",
    help="Give up after this time (default: no limit).",
)


def search_options(function: Decorated) -> Decorated:
    """Add the options of a search for one answer: its time, threads and seed."""
    for option in (
        seed_option,
        click.option(
            "--threads",
            type=click.IntRange(1, 1024),
            default=1,
            show_default=True,
            metavar="N",
            help="Threads of the solver, where it is needed.",
        ),
        give_up_option,
    ):
        function = option(function)
    return function


executor_option = click.option(
    "--executor",
    type=executor_name,
    default="threads",
    show_default=True,
    metavar="NAME",
    help="Who works: threads, processes, dask, dask:ADDRESS or mpi.",
)
dask_option = click.option(
    "--dask",
    metavar="ADDRESS",
    help="Short for --executor dask:ADDRESS, such as tcp://10.0.0.1:8786.",
)
resume_option = click.option(
    "--resume",
    type=FILE,
    metavar="FILE",
    help="Keep a journal of what is proved in FILE, and go on from what it holds.",
)


size_option = click.option(
    "--size",
    metavar="SIZE",
    help="Size of a picture: ieee-column, ieee-page, a4, slide, or 120x80 in millimetres"
    " (default: ieee-page).",
)


def output_option(what: str, *, dash: bool = True) -> Callable[[Decorated], Decorated]:
    """Return the option ``-o/--output``, for a file that holds what is named.

    ``dash`` says whether ``-`` stands for standard output.
    """
    return click.option(
        "-o",
        "--output",
        type=NamedPath(dir_okay=False, path_type=Path, allow_dash=True),
        metavar="FILE",
        help=f"Where to write {what}{'; - for standard output' if dash else ''}.",
    )


def worker_list(text: str) -> tuple[int, ...]:
    """Parse worker numbers separated by commas; empty for none.

    Examples
    --------
    >>> worker_list("0,3,7"), worker_list("")
    ((0, 3, 7), ())
    """
    try:
        return tuple(int(piece) for piece in text.split(",") if piece.strip())
    except ValueError:
        raise click.BadParameter(f"{text!r}; expected worker numbers such as 0,3,7") from None


def rational(text: str) -> Fraction:
    """Parse a whole number, a decimal or a fraction, and keep it exact.

    Examples
    --------
    >>> rational("2.5"), rational("6/5")
    (Fraction(5, 2), Fraction(6, 5))
    """
    from fractions import Fraction

    # A huge exponent would make a huge integer before anything could refuse it.
    if len(text) > LONGEST_NUMBER or "e" in text.lower():
        raise click.BadParameter(
            f"{text[:100]!r}; expected a number such as 3, 2.5 or 6/5, without an exponent and "
            f"of at most {LONGEST_NUMBER} characters"
        )
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise click.BadParameter(f"{text!r}; expected a number such as 3, 2.5 or 6/5") from None


def count_or_all(text: str) -> int | Literal["all"]:
    """Parse a whole number, or ``all``."""
    if text == "all":
        return "all"
    try:
        return int(text)
    except ValueError:
        raise click.BadParameter(f"{text!r}; expected a whole number or all") from None
