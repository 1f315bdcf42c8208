"""``gcdesign group``: the automorphism group of a design, its orbits, dualities and polarities."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from gcdesign.cli.options import design_argument, give_up_option, json_option, quiet_option
from gcdesign.cli.page import Page

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gcdesign.cli.source import Source
    from gcdesign.designs import BlockDesign
    from gcdesign.designs.symmetry import AutomorphismGroup

SHOWN = 12
"""Orbits, and members of one, that a page names; the document has them all."""


@click.command(
    cls=Page,
    name="group",
    see_also=("isomorphic", "info"),
)
@design_argument
@click.option("--duality", is_flag=True, help="Also look for self-dualities and polarities.")
@give_up_option
@json_option
@quiet_option
def command(
    design: str | None, duality: bool, time_limit: float | None, as_json: bool, quiet: bool
) -> None:
    r"""Show the automorphism group of DESIGN: its order and its orbits.

    An automorphism is a permutation of the points that maps blocks to
    blocks, repeated blocks to blocks that are repeated as often. With
    --json its generators are there, too.

    \b
    Examples:
      gcdesign group pg:q=5
      gcdesign group pg:q=4 --duality
    """
    from gcdesign.cli.apart import apart
    from gcdesign.cli.output import print_json
    from gcdesign.cli.source import open_design
    from gcdesign.designs.symmetry import automorphism_group

    source = open_design(design)

    def work() -> dict[str, Any]:
        document = describe(source, automorphism_group(source.design))
        document["duality"] = dualities(source.design) if duality else None
        return document

    document = apart(work, seconds=time_limit)
    if as_json:
        print_json(document)
    else:
        _print(source, document)


def describe(source: Source, group: AutomorphismGroup) -> dict[str, Any]:
    """Return the JSON document of a group, without dualities."""
    from gcdesign.cli.output import all_digits, design_json

    return {
        "schema": "gcdesign.group/1",
        "label": source.code.label,
        "file": source.file,
        "design": design_json(source.design),
        "order": all_digits(group.order),
        "block_swaps": all_digits(group.block_swaps),
        "point_generators": group.points.tolist(),
        "block_generators": group.blocks.tolist(),
        "point_orbits": _orbits(group.point_orbits),
        "block_orbits": _orbits(group.block_orbits),
        "point_transitive": group.point_transitive,
        "block_transitive": group.block_transitive,
    }


def _orbits(labels: NDArray[Any]) -> list[list[int]]:
    found: dict[int, list[int]] = {}
    for member, least in enumerate(labels.tolist()):
        found.setdefault(least, []).append(member)
    return list(found.values())


def dualities(design: BlockDesign) -> dict[str, Any]:
    """Return the JSON object of a self-duality and a polarity."""
    from gcdesign.designs.symmetry import find_polarity, self_duality

    duality = self_duality(design)
    search = find_polarity(design)
    polarity = search.polarity
    return {
        "self_dual": duality is not None,
        "points_to_blocks": None if duality is None else duality[0].tolist(),
        "blocks_to_points": None if duality is None else duality[1].tolist(),
        "polarity": search.status,
        "polarity_reason": search.reason,
        "polarity_blocks": None if polarity is None else polarity.to_blocks.tolist(),
        "absolute_points": None if polarity is None else polarity.absolute.tolist(),
    }


def _print(source: Source, document: dict[str, Any]) -> None:
    from gcdesign.cli.output import parameters_text, some_digits
    from gcdesign.designs.tools.ranks import factored

    order = document["order"]
    small = order != "1" and len(order) <= 15
    told = f"{order} = {factored(int(order))}" if small else some_digits(order)
    click.echo(click.style(document["label"], bold=True) + f"  ({source.origin})")
    click.echo(f"  as a design  {parameters_text(source.design)}")
    click.echo(f"  group        order {told}, {len(document['point_generators'])} generators")
    if document["block_swaps"] != "1":
        swaps = some_digits(document["block_swaps"])
        click.echo(f"  copies       {swaps} permutations of equal blocks besides")
    for name in ("point", "block"):
        click.echo(f"  {name}s       {_orbits_text(document[f'{name}_orbits'])}")
    duality = document["duality"]
    if duality is None:
        return
    click.echo(f"  self-dual    {'yes' if duality['self_dual'] else 'no'}")
    points = duality["absolute_points"]
    text = f"{duality['polarity']}: {duality['polarity_reason']}"
    if points is not None:
        text += f"; {len(points)} absolute points: {_members_text(points)}"
    click.echo(f"  polarity     {text}")


def _orbits_text(orbits: list[list[int]]) -> str:
    if len(orbits) <= 1:
        return "one orbit" if orbits else "none"
    shown = [f"{len(orbit)} ({_members_text(orbit)})" for orbit in orbits[:SHOWN]]
    return f"{len(orbits)} orbits of {', '.join(shown)}{', …' if len(orbits) > SHOWN else ''}"


def _members_text(members: list[int]) -> str:
    return " ".join(map(str, members[:SHOWN])) + (" …" if len(members) > SHOWN else "")
