"""``gcdesign decode``: decoding weights for given silent workers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import click

from gcdesign.cli.options import design_argument, json_option, quiet_option, worker_list
from gcdesign.cli.page import Page

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gcdesign.codes import DecoderName


@click.command(
    cls=Page,
    name="decode",
    see_also=("attack", "recommend"),
)
@design_argument
@click.option(
    "--silenced",
    type=worker_list,
    metavar="W,W,…",
    required=True,
    help="The silent workers, 0-based, separated by commas.",
)
@click.option(
    "--decoder",
    type=click.Choice(["optimal", "one-step", "constant", "sum"]),
    default="optimal",
    show_default=True,
    help="Least squares; or one weight for all: fixed ahead, the best for this set, or 1.",
)
@json_option
@quiet_option
def command(
    design: str | None, silenced: tuple[int, ...], decoder: str, as_json: bool, quiet: bool
) -> None:
    r"""Decode DESIGN when the given workers are silent.

    Prints the squared error ‖E_Fᵀv − 1‖² and the decoding vector v; an
    optimal decoder makes it as small as can be.

    \b
    Examples:
      gcdesign decode ag:q=3 --silenced 0,1,3,6,9
      gcdesign decode ag:q=3 --silenced 0,1,3,6,9 --decoder constant
    """
    from gcdesign.cli.output import notice, number, numbers, print_json
    from gcdesign.cli.source import open_source

    source = open_source(design)
    code = source.code
    decoding = code.decode(silenced, decoder=cast("DecoderName", decoder))
    lost = code.placement.lost_parts(silenced).tolist()
    exact = decoding.error_exact
    if as_json:
        print_json(
            {
                "schema": "gcdesign.decode/1",
                "label": code.label,
                "file": source.file,
                "decoder": decoder,
                "silenced": list(decoding.silenced),
                "error": decoding.error,
                "error_exact": None if exact is None else str(exact),
                "tolerance": decoding.tolerance,
                "method": decoding.method,
                "cost": decoding.cost,
                "condition": decoding.condition,
                "lost_parts": lost,
                "weights": _plain(decoding.weights),
                "notice": decoding.notice,
            }
        )
        return
    click.echo(click.style(f"{code.label}", bold=True) + f"  ({source.origin})")
    click.echo(f"  silenced         {numbers(decoding.silenced)}")
    click.echo(f"  error            {number(decoding.error if exact is None else exact)}")
    click.echo(f"  parts lost       {numbers(lost)}")
    click.echo(f"  method           {decoding.method}")
    click.echo(f"  cost, condition  {decoding.cost} operations, {decoding.condition:.6g}")
    for weight, workers in _by_weight(decoding.weights.tolist(), decoding.silenced).items():
        click.echo(f"  weight {weight:<9} {numbers(workers)}")
    if decoding.notice:
        notice(decoding.notice, quiet=quiet)


def _plain(weights: NDArray[Any]) -> list[Any]:
    """Return the weights for JSON; complex ones as pairs of real and imaginary part."""
    if weights.dtype.kind != "c":
        return cast(list[Any], weights.tolist())
    return [[weight.real, weight.imag] for weight in weights.tolist()]


def _by_weight(weights: list[Any], silenced: tuple[int, ...]) -> dict[str, list[int]]:
    """Return the surviving workers that share a weight, in the order of the workers."""
    gone = set(silenced)
    groups: dict[str, list[int]] = {}
    for worker, weight in enumerate(weights):
        if worker not in gone:
            groups.setdefault(f"{weight:.6g}", []).append(worker)
    return groups
