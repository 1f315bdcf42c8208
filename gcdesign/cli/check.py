"""``gcdesign check``: is it a t-design? Proved from the blocks alone."""

from __future__ import annotations

import click

from gcdesign.cli.options import design_argument, json_option, quiet_option
from gcdesign.cli.page import Page


@click.command(
    cls=Page,
    name="check",
    exits={0: "it is a t-design", 1: "it is none"},
    see_also=("info", "design"),
)
@design_argument
@click.option(
    "--t", default=2, show_default=True, metavar="T", help="Size of the subsets of points to count."
)
@json_option
@quiet_option
def command(design: str | None, t: int, as_json: bool, quiet: bool) -> int:
    r"""Count in how many blocks of DESIGN each t-subset of its points lies.

    The exit code is 0 if it is a t-design and 1 if it is not.

    \b
    Example:
      gcdesign check pg:q=5
    """
    from gcdesign.cli.output import design_json, print_json
    from gcdesign.cli.source import open_design
    from gcdesign.designs import verify

    source = open_design(design)
    found = verify(source.design, t)
    if as_json:
        print_json(
            {
                "schema": "gcdesign.check/1",
                "label": source.code.label,
                "file": source.file,
                "design": design_json(source.design),
                "t": t,
                "holds": found.holds,
                "lambda": found.lambda_,
                "least": found.least,
                "most": found.most,
                "method": found.method,
            }
        )
    elif found.holds:
        click.echo(
            f"{source.code.label}: yes, a {t}-({source.design.v}, {found.block_size}, "
            f"{found.lambda_}) design ({found.method})"
        )
    else:
        click.echo(f"{source.code.label}: no {t}-design: {_reason(t, found)}")
    return 0 if found.holds else 1


def _reason(t: int, found: object) -> str:
    from gcdesign.designs import Verification

    assert isinstance(found, Verification)
    if found.block_size is None:
        return "its blocks differ in size"
    if found.block_size < t:
        return f"its blocks have {found.block_size} points, fewer than {t}"
    return f"some {t}-subsets lie in {found.least} blocks, others in {found.most}"
