"""Write docs/families.md from the registry of families.

Run it from the checkout after a family was added or changed:
``python scripts/make_families_page.py``. A test holds the page against the registry.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from gcdesign.cli.build import example_command
from gcdesign.codes import GradientCode
from gcdesign.codes.registry import all_names, build_code, declared, parse_code
from gcdesign.designs.graphs.catalogue import GRAPHS, full_name, graph, graph_order
from gcdesign.designs.graphs.measures import girth
from gcdesign.designs.registry import Declaration

TARGET = Path(__file__).parents[1] / "docs" / "families.md"

HEAD = """\
# Families

Every family of placements, and of codes with weights, that gcdesign builds. This page is written by
`scripts/make_families_page.py` from the declarations that `gcdesign build` and
`gcdesign families` read; it is not edited by hand.

A member is built by `gcdesign build NAME --parameter value`, or named in place where a design is
expected: `NAME:parameter=value`. Worker i is block i and part j is point j. N is the number of
workers, K of parts; L is the load of a worker, R the number of workers that hold a part. Families
with a `seed` are random: equal parameters give the same placement on every machine and with
every version of numpy.
"""

MEASURES = """\
What makes a graph an expander is computed, and the bounds of the theorems can be checked:

```python
from gcdesign import load_code
from gcdesign.designs.graphs.catalogue import graph
from gcdesign.designs.graphs.measures import expansion, girth, second_singular_value

whole = graph("lps:p=5,q=13")
print(whole.vertices, girth(whole), round(expansion(whole), 5))
# 2184 8 4.24972
half = load_code("lps:p=5,q=13").placement.design
print(half.b, round(second_singular_value(half), 5), "<= 2√5 =", round(2 * 5**0.5, 5))
# 1092 4.24972 <= 2√5 = 4.47214
```
"""

GRAPH_HEAD = """\
## Named graphs

The parameter `graph` of `adjacency` and `graph-code` takes one of these names. In a name in place
a graph with several parameters stands in parentheses: `graph-code:graph=(lps:p=13,q=5)`.

| graph | parameters | example | vertices | edges | girth |
|---|---|---|---|---|---|
"""


def page() -> str:
    """Return the text of the page."""
    members = [(declared(name), build_code(parse_code(spec_of(name)))) for name in all_names()]
    sections = ["\n".join(section(family, code)) for family, code in members]
    table = overview(members, "#{}")
    return "\n".join([HEAD, *table, "", *sections, graph_table(), "", MEASURES])


def overview(members: Iterable[tuple[Declaration, GradientCode]], link: str) -> Iterator[str]:
    """Yield the table of families; ``link`` has braces where the name goes."""
    yield "| family | what it is | example | N | K | L | R |"
    yield "|---|---|---|---|---|---|---|"
    for family, code in members:
        yield (
            f"| [`{family.name}`]({link.format(family.name)}) | {family.summary} "
            f"| `{family.example_spec}` | {sizes(code)} |"
        )


def graph_table() -> str:
    """Return the section about named graphs."""
    return GRAPH_HEAD + "\n".join(graph_row(name) for name in GRAPHS)


def spec_of(name: str) -> str:
    """Return the name in place of a family's example."""
    return declared(name).example_spec


def sizes(code: GradientCode) -> str:
    """Return the cells N, K, L, R."""
    loads, replications = code.placement.loads.tolist(), code.placement.replications.tolist()
    return f"{code.workers} | {code.parts} | {span(loads)} | {span(replications)}"


def span(values: list[int]) -> str:
    """Return the value that all share, or the least and the greatest."""
    least, most = min(values), max(values)
    return str(least) if least == most else f"{least}–{most}"


def section(family: Declaration, code: GradientCode) -> Iterator[str]:
    """Yield the lines about one family."""
    yield f"## {family.name}\n"
    yield f"{family.summary[0].upper()}{family.summary[1:]}.\n"
    yield f"- **Members:** {family.domain}."
    yield f"- **Source:** {family.source}.\n"
    yield "| parameter | type | means |"
    yield "|---|---|---|"
    for parameter in family.parameters:
        optional = ", optional" if parameter.optional else ""
        yield f"| `{parameter.name}` | {parameter.kind.name}{optional} | {parameter.help} |"
    yield "\n```sh"
    yield example_command(family)
    yield "```\n"
    weights = "" if code.weights is None else ", with weights"
    yield f"builds {code.label}{weights}: (v, b, r, k, λ) = {code.placement.design.parameters}."
    yield f"In place: `{family.example_spec}`.\n"


def graph_row(name: str) -> str:
    """Return the row of one named graph."""
    example = GRAPHS[name].example
    order, shortest = graph_order(example), girth(graph(example))
    loops = f" and {order.loops} loops" if order.loops else ""
    parameters = ", ".join(f"`{key}`" for key in GRAPHS[name].parameters) or "none"
    return (
        f"| `{name}` | {parameters} | `{full_name(example)}` | {order.vertices} "
        f"| {order.edges}{loops} | {shortest} |"
    )


if __name__ == "__main__":
    TARGET.write_text(page(), encoding="utf-8")
