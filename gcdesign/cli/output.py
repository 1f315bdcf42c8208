"""Showing results: JSON, numbers, lists and files, the same way in every command."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gcdesign.cli.streams import say

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from rich.table import Table

    from gcdesign.codes import GradientCode
    from gcdesign.designs import BlockDesign

EXIT_CODES = {"exists": 0, "impossible": 1, "unknown": 3}
"""How a command ends that asks whether something exists."""

TABLE_WIDTH = 1000
"""Room for tables, whatever the terminal: a number that is cut off is a wrong number."""


def print_json(document: dict[str, Any]) -> None:
    """Print a JSON document on standard output."""
    unicode = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    click.echo(json.dumps(document, ensure_ascii=not unicode, indent=2, allow_nan=False))


def notice(text: str, *, quiet: bool) -> None:
    """Print one line on standard error, unless asked to be quiet."""
    if not quiet:
        say(text)


def new_table(*columns: str) -> Table:
    """Return a plain table; columns are named, with ``>`` before those aligned to the right."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for name in columns:
        table.add_column(
            name.removeprefix(">"),
            justify="right" if name.startswith(">") else "left",
            no_wrap=True,
        )
    return table


def print_table(table: Table) -> None:
    """Print a table on standard output, as wide as it is."""
    from rich.console import Console

    console = Console(highlight=False, width=TABLE_WIDTH, height=100)  # both, or dumb has 80
    with console.capture() as capture:
        console.print(table)
    for line in capture.get().splitlines():
        click.echo(line.rstrip())


def write_output(path: Path, data: bytes, *, force: bool) -> None:
    """Write a file, or standard output for ``-``."""
    from gcdesign.designs.formats import write_file

    if str(path) == "-":
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    write_file(path, data, force=force)


def refuse_target(path: Path, *, force: bool) -> None:
    """Refuse a file that cannot be made, before work is done whose result it is to hold.

    Raises
    ------
    OutputError
        If it is there already and ``force`` is not given, or its directory is not there.
    """
    from gcdesign.errors import OutputError

    if path.is_file() and not force:
        raise OutputError(f"cannot write {path}: it exists; add --force to replace it")
    if not path.parent.is_dir():
        raise OutputError(f"cannot write {path}: no such directory: {path.parent}; create it")


def sha256(data: bytes) -> str:
    """Return the SHA-256 of some bytes, in hexadecimal."""
    from hashlib import sha256 as digest

    return digest(data).hexdigest()


def design_json(design: BlockDesign) -> dict[str, Any]:
    """Return the ``design`` object of the JSON documents."""
    provenance = design.provenance
    parameters = design.parameters
    return {
        "family": provenance.family if provenance else None,
        "parameters": provenance.to_json()["parameters"] if provenance else {},
        "v": parameters.v,
        "b": parameters.b,
        "r": parameters.r,
        "k": parameters.k,
        "lambda": parameters.lambda_,
    }


def placement_json(design: BlockDesign) -> dict[str, Any]:
    """Return the ``placement`` object of the JSON documents: the blocks are the workers."""
    p = design.parameters
    return {"workers": p.b, "parts": p.v, "load": p.k, "replication": p.r}


def parameters_text(design: BlockDesign) -> str:
    """Return ``"v = 31 points, b = 31 blocks, r = 6, k = 6, λ = 1"``."""
    p = design.parameters
    pieces = [f"v = {p.v} points", f"b = {p.b} blocks"]
    pieces += [
        f"{name} = {'varies' if value is None else value}"
        for name, value in (("r", p.r), ("k", p.k), ("λ", p.lambda_))
    ]
    return ", ".join(pieces)


def placement_text(design: BlockDesign) -> str:
    """Return ``"N = 31 workers, K = 31 parts, load L = 6, replication R = 6"``."""
    p = design.parameters
    return (
        f"N = {p.b} workers, K = {p.v} parts, "
        f"load L {_value_or_range(p.k, design.block_sizes)}, "
        f"replication R {_value_or_range(p.r, design.replication_numbers)}"
    )


def weights_text(code: GradientCode) -> str:
    """Return ``"exact for 2 stragglers; real weights of size 1 to 1.88"``."""
    exact = "" if code.tolerates is None else f"exact for {code.tolerates} stragglers; "
    if code.weights is None:
        return f"{exact}all weights 1"
    sizes = abs(code.weights)
    kind = "complex" if code.is_complex else "real"
    return f"{exact}{kind} weights of size {sizes.min():.3g} to {sizes.max():.3g}"


def _value_or_range(value: int | None, values: Any) -> str:
    if value is not None:
        return f"= {value}"
    return f"{values.min()} to {values.max()}" if len(values) else "none"


def number(value: int | float | Fraction) -> str:
    """Return a number for reading: exact, with a decimal beside a proper fraction.

    Examples
    --------
    >>> from fractions import Fraction
    >>> number(Fraction(6, 5)), number(15), number(0.25)
    ('6/5 ≈ 1.2', '15', '0.25')
    """
    if isinstance(value, float):
        return f"{value:.6g}"
    if value.denominator != 1:
        exact = str(value)
        return f"{exact} ≈ {float(value):.6g}" if len(exact) <= 24 else f"{float(value):.6g}"
    return str(value)


def all_digits(value: int) -> str:
    """Return a whole number in digits, however many they are.

    Examples
    --------
    >>> len(all_digits(10**5000))
    5001
    """
    limit = sys.get_int_max_str_digits()  # meant for numbers that others send
    sys.set_int_max_str_digits(0)
    try:
        return str(value)
    finally:
        sys.set_int_max_str_digits(limit)


def some_digits(digits: str) -> str:
    """Return a number's digits for reading: not more than a line of them.

    Examples
    --------
    >>> some_digits("31"), some_digits("1" + 99 * "0")
    ('31', '1000000000…0000000000 (100 digits)')
    """
    return digits if len(digits) <= 60 else f"{digits[:10]}…{digits[-10:]} ({len(digits)} digits)"


def numbers(values: Sequence[int]) -> str:
    """Return whole numbers with runs shortened.

    Examples
    --------
    >>> numbers([0, 1, 2, 3, 7, 9, 10])
    '0–3, 7, 9, 10'
    """
    if not values:
        return "none"
    runs: list[list[int]] = []
    for value in values:
        if runs and value == runs[-1][-1] + 1:
            runs[-1].append(value)
        else:
            runs.append([value])
    pieces = [f"{run[0]}–{run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs]
    return ", ".join(pieces)
