"""``gcdesign isomorphic``: whether two designs are the same but for names, and by which map."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gcdesign.cli.options import give_up_option, json_option, quiet_option
from gcdesign.cli.page import Page

if TYPE_CHECKING:
    from gcdesign.designs.symmetry.isomorphism import Isomorphism


@click.command(
    cls=Page,
    name="isomorphic",
    exits={0: "they are isomorphic", 1: "they are not"},
    see_also=("group", "transform"),
)
@click.argument("one", metavar="DESIGN")
@click.argument("other", metavar="DESIGN")
@give_up_option
@json_option
@quiet_option
def command(one: str, other: str, time_limit: float | None, as_json: bool, quiet: bool) -> int:
    r"""Say whether two designs are isomorphic, and show the map.

    Points may be renamed and blocks reordered; repeated blocks must be
    repeated as often. The exit code is 0 if they are, 1 if not, and 3 if
    the time was too short.

    \b
    Example:
      gcdesign isomorphic pg:q=2 'dual(pg:q=2)'
    """
    from gcdesign.cli.apart import apart
    from gcdesign.cli.output import design_json, print_json
    from gcdesign.cli.source import open_design
    from gcdesign.designs.symmetry import certificate, isomorphism
    from gcdesign.errors import InputError

    if one == other == "-":
        raise InputError("both designs are -; standard input holds only one")
    sources = [open_design(name) for name in (one, other)]
    designs = [source.design for source in sources]

    def work() -> tuple[Isomorphism | None, list[str]]:
        found = isomorphism(*designs)
        return found, list(map(certificate, designs)) if as_json else []

    found, certificates = apart(work, seconds=time_limit)
    if as_json:
        print_json(
            {
                "schema": "gcdesign.isomorphic/1",
                "labels": [source.code.label for source in sources],
                "files": [source.file for source in sources],
                "designs": list(map(design_json, designs)),
                "isomorphic": found is not None,
                "points": None if found is None else found.points.tolist(),
                "blocks": None if found is None else found.blocks.tolist(),
                "certificates": certificates,
            }
        )
        return 0 if found else 1
    first, second = (source.code.label for source in sources)
    if found is None:
        click.echo(f"{first} and {second}: not isomorphic")
        return 1
    click.echo(f"{first} and {second}: isomorphic")
    click.echo(f"  points  {_map_text(found.points.tolist())}")
    click.echo(f"  blocks  {_map_text(found.blocks.tolist())}")
    return 0


def _map_text(images: list[int], most: int = 15) -> str:
    pieces = [f"{i}→{image}" for i, image in enumerate(images[:most])]
    return " ".join(pieces) + (" …" if len(images) > most else "")
