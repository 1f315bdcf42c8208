"""The page of a report, from a dossier."""

from __future__ import annotations

import json
from base64 import b64encode
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from gcdesign.errors import LimitError
from gcdesign.figures.curves import error_figure
from gcdesign.figures.drawing import graph_figure, incidence_figure
from gcdesign.figures.profile import profile_figure
from gcdesign.figures.report.plan import plan
from gcdesign.figures.sizes import USUAL_SIZE
from gcdesign.figures.style import render

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from gcdesign.adversary.dossier import Dossier
    from gcdesign.adversary.results import AttackResult, Value

PACKAGE = "gcdesign.figures.report"

WIDTHS = {"": USUAL_SIZE, "_narrow": "ieee-column"}
"""Sizes of the charts, on a page and on a phone."""

ROUNDING = 1e-12
"""Errors of codes with weights are floats; a smaller one is shown as 0."""

MATHML = {
    "err_S": "<msub><mi>err</mi><mi>S</mi></msub>",
    "err_S, r | S": "<msub><mi>err</mi><mi>S</mi></msub>",
    "err_S >=": "<msub><mi>err</mi><mi>S</mi></msub>",
    "S*(eta)": "<msup><mi>S</mi><mo>*</mo></msup><mo>(</mo><mi>η</mi><mo>)</mo>",
    "S*(eta) >=": "<msup><mi>S</mi><mo>*</mo></msup><mo>(</mo><mi>η</mi><mo>)</mo>",
    "sigma_2^2": "<msubsup><mi>σ</mi><mn>2</mn><mn>2</mn></msubsup>",
    "w_a": "<msub><mi>w</mi><mi>a</mi></msub>",
}
"""Left sides of formulas; the others are words or one letter."""


@dataclass(frozen=True)
class Row:
    """One row of a table of results: what was asked, the two ends, and how they are known."""

    asked: str
    lower: str
    upper: str
    decimal: str
    order: float
    status: str
    proof: str
    workers: str


def report_html(
    dossier: Dossier, *, name: str, commands: tuple[str, ...], title: str | None = None
) -> str:
    """Return the report as one HTML document.

    Everything is inside: styles, script and pictures. Text from the design is escaped.

    Parameters
    ----------
    dossier
        What is known of the code.
    name
        What the code is called: its name in place, or its file.
    commands
        The commands that made the report, for others to repeat.
    title
        Title of the page; the code's label by default.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=PackageLoader(PACKAGE, ""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    folder = files(PACKAGE)
    drawn = plan(dossier.code.placement.design)
    # A script element ends at the first "</", so that must not be in its data.
    data = json.dumps({"holds": drawn.holds if drawn else []}).replace("</", "<\\/")
    return environment.get_template("page.html").render(
        title=title or dossier.code.label,
        name=name,
        commands=commands,
        style=Markup((folder / "style.css").read_text(encoding="utf-8")),
        script=Markup((folder / "script.js").read_text(encoding="utf-8")),
        data=Markup(data),
        plan=drawn,
        pictures=_pictures(dossier, interactive=drawn is not None),
        facts=_facts(dossier),
        errors=[_row(result, "S") for result in dossier.errors],
        thresholds=[_row(result, "η") for result in dossier.thresholds],
        rivals=_rivals(dossier, name),
        formulas=_formulas(dossier),
        dossier=dossier,
        version=_version(),
    )


def _version() -> str:
    from gcdesign import __version__

    return __version__


def _facts(dossier: Dossier) -> list[tuple[str, str]]:
    """Return what the code is, as pairs of a name and a value."""
    code = dossier.code
    design, placement = code.placement.design, code.placement
    numbers = design.parameters
    pairs = "varies" if numbers.lambda_ is None else str(numbers.lambda_)
    structure = code.structure if code.weights is None else None
    facts = [
        ("workers N", str(placement.workers)),
        ("data parts K", str(placement.parts)),
        ("load L", _range(placement.load, placement.loads)),
        ("replication R", _range(placement.replication, placement.replications)),
        ("points v, blocks b", f"{numbers.v}, {numbers.b}"),
        ("λ: blocks with two given points", pairs),
        ("made by", str(design.provenance.spec) if design.provenance else "a file of its own"),
        ("structure", structure.name if structure else "none that decodes in closed form"),
    ]
    if structure:
        facts.append(("optimal decoder", structure.formula))
    return facts


def _range(value: int | None, values: Any) -> str:
    if value is not None:
        return str(value)
    return f"{values.min()} to {values.max()}" if len(values) else "none"


def _pictures(dossier: Dossier, *, interactive: bool) -> dict[str, str]:
    """Return pictures as data URIs, by name; the curve is there always."""
    from gcdesign.adversary.curve import curve_of

    code = dossier.code
    pictures: dict[str, str] = {}
    for suffix, size in WIDTHS.items():
        pictures[f"profile{suffix}"] = _svg(profile_figure(dossier.thresholds, size=size))
        if min(code.workers, code.parts) >= 1:
            curve = curve_of(code, dossier.errors)
            pictures[f"curve{suffix}"] = _svg(error_figure([curve], dossier.bounds, size=size))
    if min(code.workers, code.parts) >= 1 and not interactive:
        pictures["matrix"] = _png(incidence_figure(code.placement.design))
        with suppress(LimitError):  # too dense to show anything
            pictures["graph"] = _png(graph_figure(code.placement.design))
    return pictures


def _svg(figure: Figure) -> str:
    return "data:image/svg+xml;base64," + b64encode(render(figure, "svg")).decode("ascii")


def _png(figure: Figure) -> str:
    return "data:image/png;base64," + b64encode(render(figure, "png")).decode("ascii")


def _row(result: AttackResult, letter: str) -> Row:
    low, high = float(result.lower), float(result.upper)
    exact = result.status == "exact"
    return Row(
        f"{letter} = {result.asked}",
        _short(result.lower),
        _short(result.upper),
        _decimal(high) if exact else f"{_decimal(low)} to {_decimal(high)}",
        high,
        "proved" if exact else "bracket",
        result.proof,
        ", ".join(map(str, result.workers)) or "none",
    )


def _short(value: Value) -> str:
    if isinstance(value, Fraction) and len(str(value)) > 24:
        return f"≈ {float(value):.10g}"
    return _decimal(value) if isinstance(value, float) else str(value)


def _decimal(value: float) -> str:
    """Return six digits of a number; what is smaller than rounding is nothing."""
    return "0" if abs(value) < ROUNDING else f"{value:.6g}"


def _rivals(dossier: Dossier, name: str) -> list[dict[str, Any]]:
    return [
        {
            "name": one.fit.name,
            "own": one.fit.name == name,
            "workers": one.fit.code.workers,
            "parts": one.fit.code.parts,
            "load": one.fit.load,
            "guaranteed": one.share("guaranteed"),
            "expected": one.share("expected"),
            "threshold": one.threshold,
            "status": "proved" if one.status == "exact" else one.status,
            "cost": one.decoding.cost,
        }
        for one in dossier.rivals
    ]


def _formulas(dossier: Dossier) -> list[dict[str, Any]]:
    from markupsafe import Markup, escape

    found = []
    for formula in dossier.formulas.formulas if dossier.formulas else ():
        words = escape(formula.key.removesuffix(" >="))
        tag = "mi" if len(words) == 1 else "mtext"
        left = MATHML.get(formula.key) or f"<{tag}>{words}</{tag}>"
        right = formula.mathml.replace("<mo>-</mo>", "<mo>−</mo>")
        relation = "≥" if formula.key.endswith(">=") else "="
        found.append(
            {
                # Both sides are made here, by sympy and from the table above.
                "mathml": Markup(f"<mrow>{left}<mo>{relation}</mo>{right}</mrow>"),
                "latex": formula.latex,
                "what": formula.what,
                "source": formula.source,
            }
        )
    return found
