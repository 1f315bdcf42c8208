"""How the answers of `attack` are shown: a page for people, a document for programs."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING, Any

import click

from gcdesign.cli.output import (
    design_json,
    new_table,
    number,
    numbers,
    parameters_text,
    placement_json,
    placement_text,
    print_table,
)

if TYPE_CHECKING:
    from gcdesign.adversary import AttackResult, Bound, Value
    from gcdesign.cli.source import Source
    from gcdesign.codes import Decoding

PAGE_WIDTH = 96
MAX_LIST_LENGTH = 500
"""Characters of a list of workers or parts that a page shows."""

MAX_DECODED_WORKERS = 1500
"""Above this a page leaves out what the decoder would make of the attack."""

ASKED_KEY = {
    "threshold": "eta",
    "error": "stragglers",
    "error-threshold": "error",
    "byzantine": "byzantine",
}


def result_json(source: Source, result: AttackResult) -> dict[str, Any]:
    """Return the document of one answer."""
    return {
        **_head(source, result),
        ASKED_KEY[result.question]: _plain(result.asked),
        **_asked_exactly(result),
        "lower": _plain(result.lower),
        "upper": _plain(result.upper),
        "lower_exact": result.lower_exact,
        "upper_exact": result.upper_exact,
        "status": result.status,
        "workers": list(result.workers),
        "parts": list(result.parts),
        "bounds": [_bound_json(bound) for bound in result.bounds],
        "proof": result.proof,
        "least": None
        if result.least is None
        else {
            "value": _plain(result.least.value),
            "workers": list(result.least.workers),
        },
        "tolerance": result.tolerance,
        "stopped": result.stopped,
        "seconds": result.seconds,
        "settings": dict(result.settings),
    }


def _asked_exactly(result: AttackResult) -> dict[str, str | None]:
    """Return the error asked for as a fraction: a float alone could be another question."""
    from gcdesign.adversary.results import exact_text

    if result.question != "error-threshold":
        return {}
    return {"error_exact": exact_text(result.asked)}


def profile_json(source: Source, results: Sequence[AttackResult]) -> dict[str, Any]:
    """Return the document of a profile: arrays indexed from 0."""
    first = results[0]
    exact = all(result.status == "exact" for result in results)
    return {
        **_head(source, first),
        "profile": True,
        "lower": [_plain(result.lower) for result in results],
        "upper": [_plain(result.upper) for result in results],
        "lower_exact": [result.lower_exact for result in results],
        "upper_exact": [result.upper_exact for result in results],
        "status": "exact" if exact else "bracket",
        "statuses": [result.status for result in results],
        "tolerances": [result.tolerance for result in results],
        "workers": [list(result.workers) for result in results],
        "parts": [list(result.parts) for result in results],
        "bounds": [[_bound_json(bound) for bound in result.bounds] for result in results],
        "proofs": [result.proof for result in results],
        "stopped": [result.stopped for result in results],
        "seconds": results[-1].seconds,
        "settings": dict(first.settings),
    }


def _head(source: Source, result: AttackResult) -> dict[str, Any]:
    return {
        "schema": "gcdesign.attack/1",
        "question": result.question,
        "label": result.code,
        "file": source.file,
        "design": design_json(source.design),
        "placement": placement_json(source.design),
        "tolerates": source.code.tolerates,
        "decoder": result.decoder,
    }


def _bound_json(bound: Bound) -> dict[str, Any]:
    from gcdesign.adversary.results import exact_text

    return {
        "name": bound.name,
        "side": bound.side,
        "value": _plain(bound.value),
        "exact": exact_text(bound.value),
        "formula": bound.formula,
        "source": bound.source,
    }


def _plain(value: Value) -> int | float:
    """Return a JSON number: whole numbers stay whole."""
    return int(value) if isinstance(value, int) or value == int(value) else float(value)


def print_page(source: Source, result: AttackResult) -> None:
    """Print one answer."""
    click.echo(_headline(result))
    click.echo(f"  {source.code.label} ({source.origin})")
    click.echo(f"  {parameters_text(source.design)}")
    click.echo(f"  {placement_text(source.design)}")
    click.echo()
    _paragraph(_question_text(result))
    click.echo()
    if result.question == "threshold":
        _members("parts lost", result.parts)
    lying = result.question == "byzantine"
    _members("workers that lie" if lying else "workers silenced", result.workers)
    if result.question != "threshold":
        _members("parts corrupted" if lying else "parts lost", result.parts)
    if lying and source.code.parts:
        share = Fraction(len(result.parts), source.code.parts)
        _line("distortion", f"ε̂ {'=' if result.status == 'exact' else '≥'} {number(share)}")
    if result.least is not None:
        _line("least harmful", _least_text(result))
    _line("proof", _proof_text(result))
    _line("computed", f"in {result.seconds:.2f} s, seed {result.settings['seed']}")
    _print_bounds(result)
    if result.question == "threshold":
        _print_decoder(source, result)
    if result.notice:
        click.echo()
        _paragraph(f"{result.notice[0].upper()}{result.notice[1:]}.")
    if result.stopped:
        click.echo()
        _paragraph(f"Stopped before proof: {result.stopped}. {_advice(result)}")


def _line(name: str, text: str) -> None:
    """Print one entry of the page, wrapped; an endless list is cut and says so."""
    if len(text) > MAX_LIST_LENGTH:
        text = f"{text[:MAX_LIST_LENGTH].rpartition(', ')[0]}, … (--json lists all)"
    lines = textwrap.wrap(text, width=PAGE_WIDTH - 20) or [""]
    click.echo(f"  {name:<18}" + f"\n{'':<20}".join(lines))


def _paragraph(text: str) -> None:
    click.echo(textwrap.fill(text, PAGE_WIDTH, initial_indent="  ", subsequent_indent="  "))


def _members(name: str, members: Sequence[int]) -> None:
    """Print how many workers or parts there are, and which."""
    _line(name, f"{len(members)}: {numbers(members)}" if members else "none")


def _headline(result: AttackResult) -> str:
    name = {
        "threshold": f"S*({result.asked})",
        "error": f"err_{result.asked}",
        "error-threshold": f"min{{S : err_S ≥ {_asked(result.asked)}}}",
        "byzantine": f"c_max({result.asked})",
    }[result.question]
    if result.status == "exact":
        colour, text = "green", f"{name} = {number(result.lower)}   exact"
    else:
        colour = "yellow"
        lower, upper = _ends(result)
        text = f"{lower} ≤ {name} ≤ {upper}   bracket"
    return click.style(text, bold=True, fg=colour)


def _ends(result: AttackResult) -> tuple[str, str]:
    """Return the two ends of an open bracket, with as many digits as tell them apart."""
    lower, upper = number(result.lower), number(result.upper)
    if lower == upper:
        return str(float(result.lower)), str(float(result.upper))
    return lower, upper


def _asked(error: Value) -> str:
    """Return the error asked for as exactly as it was meant, with a decimal beside a fraction."""
    if isinstance(error, float) or error.denominator == 1:
        return number(error)
    return f"{error} ≈ {float(error):.6g}"


def _question_text(result: AttackResult) -> str:
    decoder = f"{result.decoder} decoding"
    return {
        "threshold": f"The fewest workers whose silence loses {result.asked} parts altogether.",
        "error": f"The worst squared error under {decoder} when {result.asked} workers are silent.",
        "error-threshold": f"The fewest stragglers whose worst squared error under {decoder} is "
        f"at least {_asked(result.asked)}.",
        "byzantine": f"The most parts whose majority vote {result.asked} lying workers corrupt.",
    }[result.question]


def _least_text(result: AttackResult) -> str:
    assert result.least is not None
    if result.least.value == result.lower and result.status == "exact":
        return f"the same: every set of {result.asked} workers loses as much"
    return f"{number(result.least.value)}, by silencing {numbers(result.least.workers)}"


def _proof_text(result: AttackResult) -> str:
    names = {bound.name for bound in result.bounds}
    proof = f"{result.proof} bound" if result.proof in names else result.proof
    if result.status == "exact":
        tolerance = f", to within {result.tolerance:.1g}" if result.tolerance else ""
        return f"{proof}; the attack above reaches it{tolerance}"
    end = "above" if result.question in ("error", "byzantine") else "below"
    return f"{proof} from {end}; the attack above from the other side"


def _print_bounds(result: AttackResult) -> None:
    if not result.bounds:
        return
    table = new_table("  bound", "", "value", "formula")
    for bound in result.bounds:
        sign = "≥" if bound.side == "lower" else "≤"
        value = number(bound.value)
        if result.question in ("threshold", "byzantine") and bound.value != int(bound.value):
            value += f" → {ceil(bound.value) if bound.side == 'lower' else int(bound.value)}"
        table.add_row(f"  {bound.name}", sign, value, bound.formula)
    click.echo()
    if result.question == "error-threshold":
        click.echo(f"  Bounds on err_{len(result.workers)}:")
    print_table(table)


def _print_decoder(source: Source, result: AttackResult) -> None:
    """Say what an optimal decoder makes of the attack, and how the two thresholds differ."""
    if source.code.workers > MAX_DECODED_WORKERS:
        return
    decoding = source.code.decode(result.workers)
    loss = decoding.error if decoding.error_exact is None else decoding.error_exact
    click.echo()
    _paragraph(
        f"With these workers silent an optimal decoder loses err = {number(loss)} "
        f"of K = {source.code.parts}{_weights_text(decoding)}."
    )
    earlier = _error_threshold(source, result)
    if earlier is not None:
        _paragraph(
            f"Not to be mixed up: the error reaches {result.asked} already at S = {earlier} "
            f"stragglers (attack --error {result.asked})."
        )


def _weights_text(decoding: Decoding) -> str:
    used = decoding.weights[decoding.weights != 0]
    if len(used) and used.dtype.kind == "f" and (used == used[0]).all():
        weight = Fraction(used[0]).limit_denominator(10**6)
        return f", every survivor weighted {weight}" if float(weight) == used[0] else ""
    return ""


def _error_threshold(source: Source, result: AttackResult) -> int | None:
    """Return the error threshold for the same η where a closed form gives it at once."""
    from gcdesign.adversary import error_threshold

    if source.code.structure is None:
        return None
    found = error_threshold(source.code, result.asked)
    return int(found.value) if found.status == "exact" and found.value < result.lower else None


def _advice(result: AttackResult) -> str:
    if "time limit" in (result.stopped or ""):
        return "A longer --time-limit may close the bracket."
    return "The bracket is the best that was proved."


def print_profile(source: Source, results: Sequence[AttackResult]) -> None:
    """Print a profile as a table."""
    first = results[0]
    symbol, title = ("η", "S*(η)") if first.question == "threshold" else ("S", "err_S")
    exact = sum(result.status == "exact" for result in results)
    head = f"{title} for all {symbol}: {exact} of {len(results)} values exact"
    click.echo(click.style(head, bold=True, fg="green" if exact == len(results) else "yellow"))
    click.echo(f"  {source.code.label} ({source.origin})")
    click.echo(f"  {placement_text(source.design)}")
    if first.decoder:
        click.echo(f"  squared error under {first.decoder} decoding")
    click.echo()
    table = new_table(f">  {symbol}", f">{title}", "status", "proof")
    for result in results:
        ends = number(result.lower)
        if result.status != "exact":
            ends = "[{}, {}]".format(*_ends(result))
        table.add_row(f"  {result.asked}", ends, result.status, result.proof)
    print_table(table)
    stopped = [result for result in results if result.stopped]
    if stopped:
        where = numbers([int(result.asked) for result in stopped])
        click.echo()
        _paragraph(f"Stopped before proof at {symbol} = {where}: {stopped[0].stopped}.")
    click.echo(f"\n  {results[-1].seconds:.2f} s, seed {first.settings['seed']}")
