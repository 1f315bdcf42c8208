"""``gcdesign info``: what a design is and what its structure gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from gcdesign.cli.options import design_argument, json_option, quiet_option
from gcdesign.cli.page import Page

if TYPE_CHECKING:
    from gcdesign.cli.source import Source
    from gcdesign.codes import GradientCode
    from gcdesign.designs import BlockDesign

MAX_SMITH = 400
"""Most points of a design whose Smith form is computed."""

MAX_PAIRS = 50_000_000
"""Largest number of pairs of blocks whose intersections are counted."""


@click.command(
    cls=Page,
    name="info",
    see_also=("check", "group", "attack"),
)
@design_argument
@click.option("--ranks", is_flag=True, help="Also compute ranks and the Smith form.")
@click.option("--block-graph", is_flag=True, help="Also show which blocks meet, and the spectrum.")
@json_option
@quiet_option
def command(design: str | None, ranks: bool, block_graph: bool, as_json: bool, quiet: bool) -> None:
    r"""Show the parameters, intersection numbers and closed forms of DESIGN.

    \b
    Examples:
      gcdesign info ag:q=3
      gcdesign info pg:q=4 --ranks --block-graph
    """
    from gcdesign.cli.output import print_json
    from gcdesign.cli.source import open_source

    source = open_source(design)
    document = describe(source)
    meetings = block_graph_of(source.design) if block_graph else None  # first, as it has a limit
    document["ranks"] = ranks_of(source.design) if ranks else None
    document["block_graph"] = meetings
    if as_json:
        print_json(document)
    else:
        _print(source, document)


def describe(source: Source) -> dict[str, Any]:
    """Return the JSON document."""
    from gcdesign.cli.output import design_json, placement_json
    from gcdesign.designs import intersection_numbers

    design, structure = source.design, source.code.structure or source.code.graph
    countable = design.b**2 <= MAX_PAIRS
    meets = intersection_numbers(design) if countable else None
    classes = design.parallel_classes
    return {
        "schema": "gcdesign.info/1",
        "label": source.code.label,
        "file": source.file,
        "design": design_json(design),
        "placement": placement_json(source.design),
        "zero_one": source.code.weights is None,
        "code": source.code.provenance.spec if source.code.provenance else None,
        "tolerates": source.code.tolerates,
        "condition": _condition(source.code),
        "incidences": design.incidences,
        "provenance": design.provenance.to_json() if design.provenance else None,
        "parallel_classes": None if classes is None else len(classes),
        "intersection_numbers": None
        if meets is None
        else {str(size): count for size, count in meets.items()},
        "structure": None if structure is None else structure.name,
        "error_formula": None if structure is None else structure.formula,
    }


def ranks_of(design: BlockDesign) -> dict[str, Any]:
    """Return the ranks of the incidence matrix, and its Smith form if it is a 2-design's."""
    from gcdesign.designs.tools import incidence_rank, p_rank, smith_form
    from gcdesign.designs.tools.ranks import prime_factors

    _, _, r, k, lambda_ = design.parameters.as_tuple()
    two_design = bool(r and k and lambda_) and r != lambda_
    primes = list(prime_factors((r or 0) - (lambda_ or 0))) if two_design else [2, 3]
    small = two_design and design.v <= MAX_SMITH
    return {
        "rational": incidence_rank(design),
        "modulo": {str(p): p_rank(design, p) for p in primes},
        "smith": {str(d): n for d, n in smith_form(design).items()} if small else None,
    }


def block_graph_of(design: BlockDesign) -> dict[str, Any]:
    """Return the spectrum of the graph in which blocks are joined if they meet."""
    from gcdesign.designs.tools import block_graph, spectrum

    found = spectrum(block_graph(design))
    return {
        "strongly_regular": None if found.parameters is None else list(found.parameters),
        "eigenvalues": [
            {
                "value": eigenvalue.value,
                "exact": None if eigenvalue.exact is None else str(eigenvalue),
                "multiplicity": eigenvalue.multiplicity,
            }
            for eigenvalue in found.eigenvalues
        ],
    }


def _condition(code: GradientCode) -> float | None:
    """Return the condition number of a code with weights, if it is not too large for that."""
    from gcdesign.codes.span import MAX_ENTRIES, condition_number

    countable = code.weights is not None and code.workers * code.parts <= MAX_ENTRIES
    return condition_number(code) if countable else None


def _print(source: Source, document: dict[str, Any]) -> None:
    from gcdesign.cli.output import parameters_text, placement_text, weights_text

    click.echo(click.style(document["label"], bold=True) + f"  ({source.origin})")
    click.echo(f"  as a design      {parameters_text(source.design)}")
    click.echo(f"  as a placement   {placement_text(source.design)}")
    if not document["zero_one"] or document["tolerates"] is not None:
        click.echo(f"  as a code        {weights_text(source.code)}")
    if document["condition"] is not None:
        click.echo(f"  condition        {document['condition']:.3g} (of the encoding matrix)")
    if document["parallel_classes"] is not None:
        click.echo(f"  resolution       {document['parallel_classes']} parallel classes")
    meets = document["intersection_numbers"]
    if meets is not None:
        text = ", ".join(f"{size} ({count} pairs)" for size, count in meets.items()) or "none"
        click.echo(f"  blocks meet in   {text} points")
    if document["structure"]:
        click.echo(f"  structure        {document['structure']}")
        click.echo(f"  optimal decoder  {document['error_formula']}")
    else:
        click.echo("  structure        none that decodes in closed form; least squares")
    _print_structure(document)


def _print_structure(document: dict[str, Any]) -> None:
    ranks, graph = document["ranks"], document["block_graph"]
    if ranks is not None:
        modulo = ", ".join(f"{rank} over GF({p})" for p, rank in ranks["modulo"].items())
        click.echo(f"  rank             {ranks['rational']}, {modulo}")
        if ranks["smith"] is not None:
            divisors = (f"{d} ({n} times)" for d, n in ranks["smith"].items())
            click.echo(f"  Smith form       {', '.join(divisors)}")
    if graph is not None:
        regular = graph["strongly_regular"]
        kind = "no strongly regular graph" if regular is None else f"srg{tuple(regular)}"
        values = (
            f"{e['exact'] or format(e['value'], '.6g')} ({e['multiplicity']})"
            for e in graph["eigenvalues"]
        )
        click.echo(f"  blocks that meet {kind}: eigenvalues {', '.join(values)}")
