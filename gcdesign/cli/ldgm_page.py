"""How LDGM results are shown: JSON documents, and pages for people."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from fractions import Fraction

    from gcdesign.codes.ldgm.ensemble import Ensemble
    from gcdesign.codes.ldgm.evolution import Evolution, FixedPoint
    from gcdesign.codes.ldgm.finite import Simulation
    from gcdesign.codes.ldgm.gains import Gain
    from gcdesign.codes.ldgm.limit import Limit
    from gcdesign.codes.ldgm.optimise import Optimum
    from gcdesign.codes.ldgm.strengths import Strength
    from gcdesign.codes.ldgm.thresholds import Threshold

WIDTH = 96


def ensemble_json(ensemble: Ensemble) -> dict[str, Any]:
    """Return the ``ensemble`` object of the documents."""
    from gcdesign.designs.ensembles.degrees import Degrees

    copies, loads = ensemble.copies, ensemble.loads
    regular = isinstance(copies, Degrees)
    return {
        "variable_degrees": copies.table() if isinstance(copies, Degrees) else None,
        "variable": str(copies),
        "generator_degrees": loads.table(),
        "generator": str(loads),
        "generator_edges": loads.edge_text,
        "variable_mean": float(copies.mean),
        "generator_mean": float(loads.mean),
        "generator_edge_mean": float(loads.edge_mean),
        "rate": float(ensemble.rate),
        "rate_exact": str(ensemble.rate) if regular else None,
    }


def evolution_json(evolution: Evolution) -> dict[str, Any]:
    """Return the keys that say where density evolution ends."""
    return {
        "unrecovered": evolution.unrecovered,
        "edge_erasure": evolution.edge_erasure,
        "message_erasure": evolution.message_erasure,
        "slope": evolution.slope,
        "starts": evolution.starts,
        "takes_off": evolution.takes_off,
        "trace": list(evolution.trace),
        "unrecovered_trace": list(evolution.unrecovered_trace),
    }


def limit_json(limit: Limit) -> dict[str, Any]:
    """Return the ``limit`` object of the documents."""
    return {
        "floor": limit.floor,
        "degree": limit.degree,
        "largest_degree": limit.largest,
        "uncoded": limit.uncoded,
        "repetition": limit.repetition,
        "coding_can_win": limit.coding_can_win,
    }


def points_json(points: Sequence[FixedPoint]) -> list[dict[str, Any]]:
    """Return the fixed points."""
    return [
        {"x": p.x, "unrecovered": p.unrecovered, "slope": p.slope, "stable": p.stable}
        for p in points
    ]


def threshold_json(threshold: Threshold | None) -> dict[str, Any] | None:
    """Return the ``threshold`` object of the documents."""
    if threshold is None:
        return None
    stability = threshold.stability
    return {
        "kind": threshold.kind,
        "value": threshold.value if isfinite(threshold.value) else None,
        "target": threshold.target,
        "unrecovered": threshold.unrecovered,
        "beyond": threshold.beyond,
        "stability": stability if stability is not None and isfinite(stability) else None,
    }


def simulation_json(simulation: Simulation | None) -> dict[str, Any] | None:
    """Return the ``simulation`` object of the documents."""
    if simulation is None:
        return None
    mean = simulation.unrecovered
    return {
        "parts": simulation.parts,
        "workers": simulation.workers,
        "runs": mean.runs,
        "seed": simulation.seed,
        "unrecovered": mean.mean,
        "lower": mean.lower,
        "upper": mean.upper,
        "confidence": mean.confidence,
        "deviation": mean.deviation,
        "stragglers": simulation.stragglers,
        "complete": simulation.complete,
        "rounds": list(simulation.rounds),
    }


def strengths_json(found: Sequence[Strength]) -> list[dict[str, Any]]:
    """Return the decoders side by side."""
    return [
        {
            "decoder": one.decoder,
            "recovered": one.recovered,
            "error": one.error,
            "operations": one.operations,
        }
        for one in found
    ]


def gain_json(gain: Gain) -> dict[str, Any]:
    """Return one row of the gains."""
    return {
        "time": gain.time.written,
        "deadline": gain.deadline,
        "coded": gain.coded,
        "uncoded": gain.uncoded,
        "floor": gain.floor,
        "gain": gain.gain,
        "verdict": gain.verdict,
        "infimum": gain.optimum.infimum,
        "ensemble": ensemble_json(gain.optimum.ensemble),
    }


def head(ensemble: Ensemble, workers: str) -> None:
    """Print the ensemble."""
    loads = ensemble.loads
    click.echo(click.style(f"LDGM ensemble of rate {float(ensemble.rate):.6g}", bold=True))
    click.echo(f"  parts    degrees {ensemble.copies}, mean {float(ensemble.copies.mean):.6g}")
    text = _short(str(loads))
    click.echo(
        f"  workers  degrees {text}, mean {float(loads.mean):.6g} "
        f"(seen from edges {float(loads.edge_mean):.6g})"
    )
    click.echo(f"  times    {workers}")


def print_evolution(evolution: Evolution, *, what: str = "of the parts stay unrecovered") -> None:
    """Print where density evolution ends."""
    click.echo(f"\n  unrecovered   {evolution.unrecovered:.10g}  {what}")
    click.echo(
        f"  edge erasure  {evolution.edge_erasure:.10g}  (x∞; messages y∞ = "
        f"{evolution.message_erasure:.10g})"
    )
    shown = ", ".join(f"{x:.4f}" for x in evolution.trace[:7])
    more = ", …" if len(evolution.trace) > 7 else ""
    click.echo(f"  trace of x    {shown}{more}")
    if not evolution.starts:
        doing = "takes off from however few" if evolution.takes_off > 1 else "does not take off"
        sign = ">" if evolution.takes_off > 1 else "≤"
        paragraph(
            f"No answering worker has a single part, so that decoding has no start. With a few it "
            f"{doing}: λ'(1) ρ̃₂ = {evolution.takes_off:.4f} {sign} 1."
        )


def print_limit(limit: Limit) -> None:
    """Print the bound, and uncoded beside it."""
    click.echo(f"\n  uncoded       {limit.uncoded:.10g}  N chunks, one on each worker")
    if limit.repetition is not None:
        click.echo(f"  repetition    {limit.repetition:.10g}  every part alone on N/K workers")
    click.echo(
        f"  bound         {limit.floor:.10g}  no LDGM code of this rate leaves less "
        f"(degrees up to {limit.largest})"
    )
    if not limit.coding_can_win:
        paragraph("Coding cannot recover more than uncoded here, whatever the degrees.")


def print_simulation(simulation: Simulation, expected: float | None) -> None:
    """Print a simulation, and whether density evolution lies in its interval."""
    mean = simulation.unrecovered
    click.echo(
        f"\n  simulated     {mean.mean:.6g}  from {mean.lower:.6g} to {mean.upper:.6g} "
        f"({mean.confidence:g} interval)"
    )
    click.echo(
        f"                K = {simulation.parts}, N = {simulation.workers}, {mean.runs} runs, "
        f"seed {simulation.seed}; {simulation.stragglers:.4f} of the workers late"
    )
    if expected is not None:
        where = "inside" if mean.holds(expected) else "outside"
        click.echo(f"                density evolution is {where} the interval")


def print_strengths(found: Sequence[Strength], parts: int) -> None:
    """Print the decoders side by side."""
    from gcdesign.cli.output import new_table, print_table

    table = new_table("  decoder", ">parts recovered", ">error of the sum", ">operations")
    for one in found:
        known = "–" if one.recovered is None else f"{one.recovered} of {parts}"
        table.add_row(f"  {one.decoder}", known, f"{one.error:.4f}", str(one.operations))
    print_table(table)


def print_gains(found: Sequence[Gain], rate: Fraction) -> None:
    """Print the table of gains."""
    from gcdesign.cli.output import new_table, print_table

    click.echo(f"Unrecovered share at rate K/N = {rate}; gain is what more is recovered\n")
    table = new_table(
        "  times", ">deadline", ">uncoded", ">bound", ">best code", ">gain", "verdict", "degrees"
    )
    for one in found:
        ensemble = one.optimum.ensemble
        table.add_row(
            f"  {one.time.written}",
            f"{one.deadline:g}",
            f"{one.uncoded:.5f}",
            f"{one.floor:.5f}",
            f"{one.coded:.5f}",
            f"{round(one.gain, 5) + 0.0:+.5f}",
            one.verdict,
            f"L = {ensemble.copies}, R = {rounded(ensemble.loads)}",
        )
    print_table(table)


def print_optimum(optimum: Optimum) -> None:
    """Print the best degrees and what is known of others."""
    ensemble = optimum.ensemble
    click.echo(click.style("Best degrees found", bold=True))
    click.echo(f"  parts    {ensemble.copies}")
    click.echo(f"  workers  {rounded(ensemble.loads)} (of nodes)")
    click.echo(f"           {rounded_edges(ensemble.loads)} (of edges)")
    name = "x∞" if optimum.objective == "edge" else "unrecovered"
    click.echo(
        f"  {name:<12}  {optimum.value:.8g}; no workers' degrees up to {optimum.limit.largest} "
        f"make it less than {optimum.lower:.8g} for these parts"
    )
    if optimum.infimum:
        paragraph(
            "No worker has degree 1, so that this is the limit of ensembles with ever fewer of "
            "them; --start 0.01 asks for one that decodes by itself."
        )


def rounded(degrees: Any) -> str:
    """Return the polynomial of the nodes with four digits."""
    return _rounded(degrees.shares, 0)


def rounded_edges(degrees: Any) -> str:
    """Return the polynomial of the edges with four digits."""
    return _rounded(degrees.edge_shares, 1)


def _rounded(shares: Sequence[tuple[int, Fraction]], less: int) -> str:
    terms = [(degree - less, float(share)) for degree, share in shares if share > 5e-7]
    return _short(" + ".join(_term(power, share) for power, share in terms))


def _term(power: int, share: float) -> str:
    x = {0: "", 1: "x"}.get(power, f"x^{power}")
    return x if share == 1 and x else f"{share:.4g}{x}"


def paragraph(text: str) -> None:
    """Print an indented paragraph."""
    click.echo()
    click.echo(textwrap.fill(text, WIDTH, initial_indent="  ", subsequent_indent="  "))


def _short(text: str) -> str:
    return text if len(text) <= 70 else f"{text[:60]} … {text[-8:]}"
