"""``gcdesign families``: what can be built, with parameters, domain and source."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from gcdesign.cli.options import json_option, quiet_option
from gcdesign.cli.page import Page

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gcdesign.designs.registry import Declaration


@click.command(
    cls=Page,
    name="families",
    see_also=("build", "design", "info"),
)
@click.argument("name", required=False, metavar="[FAMILY]")
@json_option
@quiet_option
def command(name: str | None, as_json: bool, quiet: bool) -> None:
    r"""List all families, or say everything about the one called NAME.

    \b
    Examples:
      gcdesign families
      gcdesign families lps
    """
    from gcdesign.cli.output import print_json

    entries = [describe(makes, declared) for makes, declared in declarations(name)]
    if as_json:
        print_json({"schema": "gcdesign.families/1", "families": entries})
    elif name is None:
        _print_list(entries)
    else:
        _print_page(entries[0])


def declarations(name: str | None) -> Iterator[tuple[str, Declaration]]:
    """Yield what every registry declares, or the one family of a name, with what it makes."""
    from gcdesign.codes.registry import CodeFamily, all_names, declared

    for known in all_names() if name is None else [name]:
        family = declared(known)
        yield "code" if isinstance(family, CodeFamily) else "placement", family


def describe(makes: str, declared: Declaration) -> dict[str, Any]:
    """Return the JSON form of a declaration."""
    from gcdesign.cli.build import example_command
    from gcdesign.designs.values import json_value

    return {
        "name": declared.name,
        "makes": makes,
        "summary": declared.summary,
        "domain": declared.domain,
        "source": declared.source,
        "parameters": [
            {"name": p.name, "type": p.kind.name, "optional": p.optional, "help": p.help}
            for p in declared.parameters
        ],
        "example": {
            "in_place": declared.example_spec,
            "command": example_command(declared),
            "parameters": {key: json_value(value) for key, value in declared.example.items()},
        },
    }


def _print_list(entries: list[dict[str, Any]]) -> None:
    from gcdesign.cli.output import new_table, print_table

    table = new_table("family", "parameters", "what it is")
    for entry in entries:
        names = (f"[{p['name']}]" if p["optional"] else p["name"] for p in entry["parameters"])
        table.add_row(entry["name"], _plain(names), entry["summary"])
    print_table(table)
    click.echo("\n  gcdesign families NAME says all about one; [parameters] may be left out")


def _plain(names: Iterator[str]) -> Any:
    """Return a cell that shows square brackets as they are."""
    from rich.text import Text

    return Text(" ".join(names))


def _print_page(entry: dict[str, Any]) -> None:
    click.echo(f"{click.style(entry['name'], bold=True)}: {entry['summary']}")
    rows = [("makes", f"a {entry['makes']}"), ("domain", entry["domain"])]
    rows += [("source", entry["source"])]
    for parameter in entry["parameters"]:
        kind = "" if parameter["type"] == "whole" else f" ({parameter['type']})"
        rows.append((f"--{parameter['name']}{kind}", parameter["help"]))
    rows += [("example", entry["example"]["command"]), ("in place", entry["example"]["in_place"])]
    width = max(len(head) for head, _ in rows)
    for head, text in rows:
        click.echo(f"  {head:<{width}}  {text}")
