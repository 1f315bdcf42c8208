"""One reference page for each family, from its declaration and from its example, as it is built.

Nothing here knows any family. What a page says is declared, or written in the constructor's
docstring, or computed from the example when the site is built; the picture is drawn then.
"""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from inspect import isfunction

from make_families_page import span
from sources import cited

from gcdesign.adversary import AttackResult, threshold, worst_case_error_profile
from gcdesign.adversary.curve import curve_of
from gcdesign.adversary.formulas import formula_families, formula_sheet
from gcdesign.cli.build import example_command
from gcdesign.codes import GradientCode, Structure, load_code, structure_of
from gcdesign.codes.registry import declared
from gcdesign.designs import BlockDesign, intersection_numbers, pair_count_range
from gcdesign.designs.registry import Declaration
from gcdesign.designs.symmetry import automorphism_group
from gcdesign.figures import error_figure, incidence_figure, render

SEARCHED = 16
"""Worst errors of codes without a closed form are searched for up to this many workers."""

LOST = 5
"""Thresholds are worked out for up to this many lost parts, …"""

FEW_PARTS = 45
"""… of examples with at most this many parts."""

FEW_NODES = 120
"""Automorphisms are counted for examples with at most this many workers and parts together."""

SHOWN = 8
"""Errors in a table."""


@dataclass(frozen=True)
class Member:
    """The example of a family, built, and what is computed from it."""

    family: Declaration
    code: GradientCode

    @property
    def design(self) -> BlockDesign:
        """Who holds what."""
        return self.code.placement.design

    @cached_property
    def structure(self) -> Structure | None:
        """What gives its errors in closed form."""
        return None if self.code.weights is not None else structure_of(self.code.placement)

    @cached_property
    def errors(self) -> Sequence[AttackResult]:
        """err_S for every S, where that is quick, else nothing."""
        weights = self.code.weights
        real = weights is None or weights.dtype.kind == "f"
        quick = self.structure is not None or self.code.workers <= SEARCHED
        return worst_case_error_profile(self.code) if real and quick else ()

    @cached_property
    def thresholds(self) -> Sequence[AttackResult]:
        """S*(η) for the first η, where that is quick, else nothing."""
        if self.code.parts > FEW_PARTS:
            return ()
        lost = range(1, min(LOST, self.code.parts) + 1)
        return [threshold(self.code.placement, eta) for eta in lost]


def member(name: str) -> Member:
    """Build the example of a family."""
    family = declared(name)
    return Member(family, load_code(family.example_spec))


def pictures(one: Member) -> Iterator[tuple[str, bytes]]:
    """Yield the names and contents of a page's pictures."""
    yield f"{one.family.name}.svg", render(incidence_figure(one.design), "svg")
    if one.errors:
        figure = error_figure([curve_of(one.code, one.errors)], size="ieee-column")
        yield f"{one.family.name}-error.svg", render(figure, "svg")


def page(one: Member) -> str:
    """Return the text of a family's page."""
    family = one.family
    lines = [
        f"# {family.name}",
        f"{family.summary[0].upper()}{family.summary[1:]}.",
        f"```{{figure}} pictures/{family.name}.svg\n"
        f":alt: Incidence matrix of {one.code.label}\n"
        f":class: matrix\n\n"
        f"The incidence matrix of {one.code.label}: a row is a worker, a column a part.\n```",
        "## Definition",
        f"- **Members:** {family.domain}.\n- **Source:** {cited(family.source)}.",
        *_parameters(family),
        f"```{{eval-rst}}\n{_constructor(family)}\n```",
        "## Example",
        f"```sh\n{example_command(family)}\n```",
        f"builds {one.code.label}; in place it is called `{family.example_spec}`.",
        "\n".join(["| | |", "|---|---|", *(f"| {a} | {b} |" for a, b in _facts(one))]),
        f"```python\n{transcript(_session(one))}```",
        "## Worst case",
        *_worst_case(one),
    ]
    return "\n\n".join(lines) + "\n"


def _parameters(family: Declaration) -> Iterator[str]:
    rows = [
        f"| `{p.name}` | {p.kind.name}{', optional' if p.optional else ''} | {p.help} |"
        for p in family.parameters
    ]
    yield "\n".join(["| parameter | type | means |", "|---|---|---|", *rows])


def _constructor(family: Declaration) -> str:
    """Return directives for the constructor, and for what its one line refers to instead."""
    construct = family.construct  # type: ignore[attr-defined]
    module = import_module(construct.__module__)
    named = re.fullmatch(r"[^`\n]*`(\w+)`[^`\n]*", construct.__doc__ or "")
    beside = [named[1]] if named and isfunction(getattr(module, named[1], None)) else []
    return "\n\n".join(
        f".. autofunction:: {construct.__module__}.{name}\n   :no-index:"
        for name in dict.fromkeys([construct.__qualname__, *beside])
    )


def _facts(one: Member) -> Iterator[tuple[str, str]]:
    """Yield what is counted in the example."""
    placement, design = one.code.placement, one.design
    yield "workers N, parts K", f"{one.code.workers}, {one.code.parts}"
    yield "load L", span(placement.loads.tolist())
    yield "replication R", span(placement.replications.tolist())
    yield "(v, b, r, k, λ)", str(design.parameters)
    if design.v > 1:
        low, high = pair_count_range(design)
        yield "workers that two parts share", span([low, high])
    if design.b > 1:
        yield "parts that two workers share", span(list(intersection_numbers(design)))
    if design.block_classes is not None:
        yield "parallel classes", str(len(set(design.block_classes.tolist())))
    if design.v + design.b <= FEW_NODES:
        group = automorphism_group(design)
        transitive = ", transitive on the parts" if group.point_transitive else ""
        yield "automorphisms of the placement", f"{group.order}{transitive}"
    if one.code.tolerates is not None:
        yield "stragglers that it is made for", str(one.code.tolerates)


def _session(one: Member) -> Iterator[str]:
    """Yield what one could type to see the example; the answers are computed."""
    asked = [result for result in one.errors[1 : 1 + SHOWN] if result.upper > 0]
    threshold_ = one.thresholds[min(1, len(one.thresholds) - 1)] if one.thresholds else None
    names = ["load_code"]
    names += ["threshold"] if threshold_ else []
    names += ["worst_case_error"] if asked else []
    yield f"from gcdesign import {', '.join(names)}"
    yield f'code = load_code("{one.family.example_spec}")'
    yield "code.workers, code.parts"
    yield "code.placement.design.parameters.as_tuple()"
    if threshold_:
        yield f"threshold(code.placement, {threshold_.asked}).value"
    if asked:
        value = f"worst_case_error(code, {asked[-1].asked}).value"
        yield f"round(float({value}), 6)" if one.code.weights is not None else f"str({value})"
    elif one.code.tolerates:
        yield f"code.decode(silenced=range({one.code.tolerates})).error < 1e-12"


def transcript(statements: Iterator[str]) -> str:
    """Run statements as at a prompt; return them with what they print.

    Examples
    --------
    >>> print(transcript(iter(["n = 3", "n + 1"])), end="")
    >>> n = 3
    >>> n + 1
    4
    """
    namespace: dict[str, object] = {"__name__": "__console__"}
    lines = []
    for statement in statements:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(statement, "<page>", "single"), namespace)
        lines.append(f">>> {statement}\n{printed.getvalue()}")
    return "".join(lines)


def _worst_case(one: Member) -> Iterator[str]:
    """Yield formulas, and what was computed for the example."""
    if one.structure is not None:
        yield (
            f"The blocks of the example have {one.structure.name}, so that its errors have a "
            "closed form ([why](../concepts.md#closed-forms))."
        )
    if one.family.name in formula_families():
        yield _formulas(one.family.name)
    if one.errors:
        yield (
            f"```{{figure}} pictures/{one.family.name}-error.svg\n"
            f":alt: Worst-case error of {one.code.label} against the share of stragglers\n\n"
            f"The worst-case error of {one.code.label}.\n```"
        )
        yield _table("S", "err_S", one.errors[1 : SHOWN + 1], exact=one.code.weights is None)
    else:
        yield (
            "For this example err_S takes a search; "
            f"`gcdesign attack {one.family.example_spec} --stragglers 2` starts one."
            if one.code.weights is None or one.code.weights.dtype.kind == "f"
            else "Its weights are complex, and worst errors are worked out for real ones only."
        )
    if one.thresholds:
        yield _table("η", "S*(η)", one.thresholds, exact=True)


def _table(asked: str, answer: str, results: Sequence[AttackResult], *, exact: bool) -> str:
    shown = [_shown(result, exact=exact) for result in results]
    return "\n".join(
        [
            "| " + " | ".join([asked, *(str(result.asked) for result in results)]) + " |",
            "|---" * (len(results) + 1) + "|",
            "| " + " | ".join([answer.replace("*", r"\*"), *shown]) + " |",
        ]
    )


def _shown(result: AttackResult, *, exact: bool) -> str:
    ends = [str(end) if exact else f"{float(end):.4g}" for end in (result.lower, result.upper)]
    if not exact and result.upper < 1e-9:
        return "0"
    return ends[0] if len(set(ends)) == 1 else " to ".join(ends)


def _formulas(name: str) -> str:
    sheet = formula_sheet(name)
    rows = [
        f"<tr><td>{formula.key}</td><td><math display='inline'>{formula.mathml}</math></td>"
        f"<td>{formula.what}</td></tr>"
        for formula in sheet.formulas
    ]
    symbols = ", ".join(f"{symbol}: {what}" for symbol, what in sheet.symbols.items())
    table = "<table class='docutils formulas'>" + "".join(rows) + "</table>"
    scrolled = f"<div class='table-wrapper'>{table}</div>"
    return (
        f"For every member ({symbols}), as `gcdesign formula {name}` derives it:\n\n"
        f"```{{raw}} html\n{scrolled}\n```"
    )
