"""``gcdesign build FAMILY``: one subcommand for each family in the registry."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gcdesign.cli.options import force_option, json_option, output_option, quiet_option
from gcdesign.cli.page import Page, PageGroup

if TYPE_CHECKING:
    from collections.abc import Callable

    from gcdesign.designs.registry import Declaration, Parameter
    from gcdesign.designs.values import ParameterValue


FILES = {
    "FAMILY-PARAMETERS.json": "the design, unless -o names another file",
    ".gcdesign-last.json": "remembers it as what was last built in this directory",
}


class FamilyGroup(PageGroup):
    """The registered families as subcommands, each made from its declaration."""

    kind, kinds = "family", "Families"
    subcommands_are_pages = False

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all families."""
        from gcdesign.codes.registry import all_names

        return all_names()

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Make the subcommand of one family."""
        return family_command(cmd_name) if cmd_name in self.list_commands(ctx) else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the family, or build the name in place that stands instead of one."""
        from gcdesign.codes.registry import declared

        if any(mark in args[0] for mark in ":("):
            return args[0], named_command(args[0]), args[1:]
        if not args[0].startswith("-"):
            declared(args[0])
        return super().resolve_command(ctx, args)


def named_command(name: str) -> click.Command:
    """Return the command that builds what a name in place describes."""
    command = Page(
        name,
        help="Build what a name in place describes.\n\n\b\nExample:\n  gcdesign build pg:q=5",
        callback=_named_callback(name),
        files=FILES,
        see_also=("families", "transform"),
    )
    return _with_output(command)


def family_command(name: str) -> click.Command:
    """Return the command that builds members of one family."""
    from gcdesign.codes.registry import declared

    family = declared(name)
    parameters: list[click.Parameter] = [
        click.Option(
            [f"--{p.name}"],
            type=option_type(p),
            metavar="N" if p.kind.name == "whole" else p.kind.name.upper(),
            required=not p.optional,
            help=p.help,
        )
        for p in family.parameters
    ]
    command = Page(
        name,
        files=FILES,
        see_also=("families", "info", "attack"),
        params=parameters,
        short_help=family.summary,
        help=(
            f"{family.summary[0].upper()}{family.summary[1:]}.\n\n"
            f"Source: {family.source}.\n\n"
            f"\b\nExample:\n  {example_command(family)}"
        ),
        callback=_build_callback(name),
    )
    return _with_output(command)


def _with_output(command: click.Command) -> click.Command:
    for option in (output_option("the design"), force_option, json_option, quiet_option):
        command = option(command)
    return command


def example_command(family: Declaration) -> str:
    """Return the command line that builds the example of a family."""
    from gcdesign.designs.values import shown_value

    options = (f"--{key} {shown_value(value)}" for key, value in family.example.items())
    return " ".join(["gcdesign build", family.name, *options])


def option_type(parameter: Parameter) -> Callable[[str], ParameterValue]:
    """Return what reads the values of one parameter on the command line."""
    from gcdesign.errors import InputError

    if parameter.kind.name == "whole":
        return int

    def read(text: str) -> ParameterValue:
        try:
            value = parameter.kind.parse(text)
        except InputError as error:  # as a ValueError, click would put words of its own for it
            raise click.BadParameter(str(error)) from None
        if value is None:
            raise click.BadParameter(f"{parameter.name}={text}; expected {parameter.kind.expected}")
        return value

    return read


def _build_callback(name: str) -> Any:
    def build(
        output: Path | None,
        force: bool,
        as_json: bool,
        quiet: bool,
        **options: ParameterValue | None,
    ) -> None:
        from gcdesign.cli.building import write_code
        from gcdesign.codes.registry import build_code
        from gcdesign.designs import Provenance
        from gcdesign.designs.values import shown_value

        values = tuple((key, value) for key, value in options.items() if value is not None)
        code = build_code(Provenance(name, values))
        pieces = [re.sub(r"[^0-9a-z+]+", "-", f"{k}{shown_value(v)}") for k, v in values]
        write_code(
            code,
            "-".join([name, *pieces]),
            output=output,
            force=force,
            as_json=as_json,
            quiet=quiet,
        )

    return build


def _named_callback(name: str) -> Any:
    def build(output: Path | None, force: bool, as_json: bool, quiet: bool) -> None:
        from gcdesign.cli.building import write_code
        from gcdesign.codes.registry import build_code, parse_code

        stem = re.sub(r"[^0-9A-Za-z+]+", "-", name.replace("=", "")).strip("-")[:80]
        write_code(
            build_code(parse_code(name)),
            stem or "design",
            output=output,
            force=force,
            as_json=as_json,
            quiet=quiet,
        )

    return build


@click.group(
    cls=FamilyGroup,
    name="build",
    subcommand_metavar="FAMILY [OPTIONS]",
    files=FILES,
    see_also=("families", "design", "transform", "info", "attack"),
)
def command() -> None:
    r"""Build a design of a family, or of a name in place, and write it to a file.

    \b
    Examples:
      gcdesign build pg --q 5
      gcdesign build 'residual(pg:q=5,block=2)'
      gcdesign build ag --q 3 --dim 3 --flats 1 -o lines.json
      gcdesign build pg --q 4 -o - | gcdesign attack - --eta 6
    """
