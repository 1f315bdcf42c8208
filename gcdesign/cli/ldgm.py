"""``gcdesign ldgm``: density evolution, the best degrees, simulation, and where coding wins."""

from __future__ import annotations

from importlib import import_module

import click

from gcdesign.cli.page import PageGroup

QUESTIONS = {
    "evolve": "Follow decoding of a large graph: what stays unrecovered.",
    "optimise": "Find the degrees that recover most.",
    "simulate": "Simulate graphs of finite size, or one placement.",
    "gain": "Show for which times coding wins over uncoded.",
}


class Questions(PageGroup):
    """A group that imports a question only when it is asked."""

    kind, kinds = "question", "Questions"

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the questions."""
        return list(QUESTIONS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return one question."""
        if cmd_name not in QUESTIONS:
            return None
        found: click.Command = import_module(f"gcdesign.cli.ldgm_{cmd_name}").command
        return found

    def lines(self, ctx: click.Context) -> dict[str, dict[str, str]]:
        """Return the questions without importing them."""
        return {"Questions": QUESTIONS}


@click.group(
    cls=Questions,
    name="ldgm",
    subcommand_metavar="QUESTION [OPTIONS]",
    see_also=("build", "simulate"),
)
def command() -> None:
    r"""Ask about LDGM codes: random graphs whose workers send sums of parts.

    Degrees are shares of nodes unless --edge is given. The graphs are built
    by `gcdesign build ldgm`.

    \b
    Examples:
      gcdesign ldgm evolve --variable-degree 3 --generator-degrees 0.5x+0.5x^2 --mu 2
      gcdesign ldgm optimise --mu 1 --objective edge
      gcdesign ldgm simulate --variable-degree 3 --generator-degrees 0.5x+0.5x^2 --mu 2
      gcdesign ldgm gain
    """
