"""``gcdesign formula``: closed forms of a family for symbolic q, m, S and η."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from gcdesign.cli.options import json_option, quiet_option
from gcdesign.cli.page import Page

if TYPE_CHECKING:
    from gcdesign.adversary.formulas import FormulaSheet


@click.command(
    cls=Page,
    name="formula",
    see_also=("info", "curve"),
)
@click.argument("family", required=False, metavar="[FAMILY]")
@click.option(
    "--set",
    "numbers",
    multiple=True,
    metavar="SYMBOL=N",
    help="Put a number in for a symbol, such as m=2, q=5, S=10; can be repeated.",
)
@click.option("--latex", is_flag=True, help="Print LaTeX, one formula to a line.")
@json_option
@quiet_option
def command(
    family: str | None, numbers: tuple[str, ...], latex: bool, as_json: bool, quiet: bool
) -> int:
    r"""Print the closed forms of a family: sizes, error, weights, bounds.

    They are derived from the family's sizes and structure, for every
    member at once. Without a family, the families that have them are
    listed.

    \b
    Examples:
      gcdesign formula pg
      gcdesign formula pg --set m=2 --latex
      gcdesign formula ag --set q=5 --set m=2 --set S=10
    """
    from gcdesign.adversary.formulas import formula_families, formula_sheet
    from gcdesign.cli.output import print_json
    from gcdesign.errors import InputError

    if family is None:
        raise InputError(f"no family is named; expected one of: {', '.join(formula_families())}")
    sheet = formula_sheet(family, dict(map(_number, numbers)))
    if as_json:
        print_json(_document(sheet))
    elif latex:
        for formula in sheet.formulas:
            click.echo(formula.latex)
    else:
        _print_page(sheet)
    return 0


def _number(text: str) -> tuple[str, int]:
    from gcdesign.errors import InputError

    name, equals, value = text.partition("=")
    if not (equals and value.isascii() and value.isdigit() and len(value) < 20):
        raise InputError(f"--set {text!r}; expected SYMBOL=N with a whole number, such as q=5")
    return name.strip(), int(value)


def _document(sheet: FormulaSheet) -> dict[str, Any]:
    return {
        "schema": "gcdesign.formula/1",
        "family": sheet.family,
        "title": sheet.title,
        "symbols": dict(sheet.symbols),
        "numbers": dict(sheet.numbers),
        "formulas": [
            {
                "key": formula.key,
                "text": formula.text,
                "latex": formula.latex,
                "mathml": formula.mathml,
                "what": formula.what,
                "source": formula.source,
                "value": None if formula.value is None else float(formula.value),
                "value_exact": None if formula.value is None else str(formula.value),
            }
            for formula in sheet.formulas
        ],
    }


def _print_page(sheet: FormulaSheet) -> None:
    from gcdesign.cli.output import number

    click.echo(sheet.title)
    for symbol, meaning in sheet.symbols.items():
        put_in = f" = {sheet.numbers[symbol]}" if symbol in sheet.numbers else ""
        click.echo(f"  {symbol}{put_in}  {meaning}")
    for formula in sheet.formulas:
        relation = "" if formula.key.endswith(">=") else " ="
        right = formula.text if formula.value is None else number(formula.value)
        click.echo(f"\n  {formula.key}{relation} {right}")
        click.echo(f"    {formula.what}")
        click.echo(f"    from {formula.source}")
