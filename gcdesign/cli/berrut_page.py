"""How Berrut codes are shown: results from files, JSON documents, pages for people."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gcdesign.cli.output import new_table, numbers, print_table, sha256
from gcdesign.errors import InputError

if TYPE_CHECKING:
    from gcdesign.codes.computing import (
        BerrutCode,
        CollapseRow,
        Computation,
        ComputationErrors,
        ErrorConstants,
        Outliers,
        Quality,
        Received,
    )

COLLAPSE_PARTS = (2, 4, 8, 16, 32, 64)
SHOWN_VALUES = 60
"""Decoded numbers that are printed where they are not written to a file."""


# --- results from files ---------------------------------------------------------------------


def results_from(
    files: Sequence[str], *, workers: int, returned: tuple[int, ...] | None
) -> list[tuple[int, Any]]:
    """Return (worker, result) from the files of a command line.

    Raises
    ------
    InputError
        If a file cannot be read, or it is not clear whose result is what.
    """
    pairs = [pair for file in files for pair in _pairs(file, len(files), workers, returned)]
    if returned is None:
        return pairs
    twice = [worker for worker in returned if returned.count(worker) > 1]
    if twice:
        raise InputError(f"--returned names worker {twice[0]} twice; expected each worker once")
    there = {worker for worker, _ in pairs}
    missing = [worker for worker in returned if worker not in there]
    if missing:
        raise InputError(f"--returned names worker {missing[0]}; the files have no such result")
    return [(worker, value) for worker, value in pairs if worker in returned]


def _pairs(
    file: str, count: int, workers: int, returned: tuple[int, ...] | None
) -> Iterable[tuple[int, Any]]:
    from gcdesign.designs.formats.array_files import read_array, read_arrays

    single = re.fullmatch(r"(\d{1,9})=(.+)", file)
    if single is not None:
        return [(int(single[1]), read_array(Path(single[2])))]
    if count > 1 and Path(file).suffix.lower() != ".npz":
        raise InputError(f"{file!r} does not say whose result it is; expected 3={file}")
    arrays = read_arrays(Path(file))
    if Path(file).suffix.lower() == ".npz":
        return [(_worker_of(name, file), array) for name, array in arrays.items()]
    [array] = arrays.values()
    rows = array if array.ndim else array.reshape(1)
    if len(rows) == workers:
        return list(enumerate(rows))
    if returned is None or len(rows) != len(returned):
        whose = "--returned to name them" if returned is None else f"{len(returned)} of --returned"
        raise InputError(f"{file} has {len(rows)} rows; expected {workers} workers, or {whose}")
    return list(zip(returned, rows, strict=True))


def _worker_of(name: str, file: str) -> int:
    match = re.fullmatch(r"(?:worker[-_]?)?(\d{1,9})", name)
    if match is None:
        raise InputError(
            f"{file} holds {name!r}; expected members worker-0, worker-1, … or 0, 1, …"
        )
    return int(match[1])


# --- encode and decode ----------------------------------------------------------------------


def code_json(code: BerrutCode) -> dict[str, Any]:
    """Return the ``code`` object of the JSON documents."""
    return {
        "parts": code.parts,
        "workers": code.workers,
        "degree": code.degree,
        "part_nodes": code.part_nodes,
        "worker_nodes": code.worker_nodes,
    }


def encode_json(code: BerrutCode, coded: Any, output: Path, written: bytes) -> dict[str, Any]:
    """Return the document of ``berrut encode``."""
    from gcdesign.codes.computing import coincidences

    return {
        "schema": "gcdesign.berrut-encode/1",
        "code": code_json(code),
        "shape": list(coded.shape[1:]),
        "dtype": str(coded.dtype),
        "coincidences": [list(pair) for pair in coincidences(code)],
        "file": str(output),
        "sha256": sha256(written),
    }


def print_encoded(code: BerrutCode, coded: Any) -> None:
    """Print what was encoded."""
    from gcdesign.codes.computing import coincidences

    click.echo(_title(code))
    click.echo(f"  each worker gets  shape {_shape(coded.shape[1:])}, {coded.dtype}")
    exact = coincidences(code)
    if exact:
        pairs = ", ".join(f"{part} at worker {worker}" for part, worker in exact)
        click.echo(f"  parts as they are {pairs}")


def decode_json(
    code: BerrutCode,
    received: Received,
    values: Any,
    quality: Quality,
    outliers: Outliers | None,
    output: Path | None,
    written: bytes | None,
) -> dict[str, Any]:
    """Return the document of ``berrut decode``; few values are in it."""
    few = values.size <= SHOWN_VALUES and values.dtype.kind == "f"
    return {
        "schema": "gcdesign.berrut-decode/1",
        "code": code_json(code),
        "shape": list(values.shape[1:]),
        "dtype": str(values.dtype),
        "left_out": list(received.left_out),
        "suspects": None if outliers is None else list(outliers.suspects),
        "fits": None if outliers is None else outliers.fits,
        "quality": quality_json(quality),
        "values": values.astype(float).tolist() if few else None,
        "file": None if output is None else str(output),
        "sha256": None if written is None else sha256(written),
    }


def quality_json(quality: Quality) -> dict[str, Any]:
    """Return the ``quality`` object of the JSON documents."""
    return {**asdict(quality), "returned": list(quality.returned)}


def print_decoded(
    code: BerrutCode,
    received: Received,
    values: Any,
    quality: Quality,
    outliers: Outliers | None,
    *,
    shown: bool,
) -> None:
    """Print what a decoding is worth, and few values."""
    print_quality(code, quality, left_out=received.left_out)
    if outliers is not None:
        rest = "the rest fits" if outliers.fits else "and more would have to go"
        click.echo(f"  suspects        {numbers(outliers.suspects)}; {rest}")
    if not shown:
        return
    if values.size > SHOWN_VALUES:
        click.echo(f"  values          {values.size} numbers; -o FILE writes them")
        return
    for part, row in enumerate(values.reshape(len(values), -1)):
        click.echo(f"  part {part:<11}" + "  ".join(f"{value:.6g}" for value in row))


def print_quality(code: BerrutCode, quality: Quality, *, left_out: Sequence[int] = ()) -> None:
    """Print what is known about a decoding."""
    click.echo(_title(code))
    click.echo(f"  returned        {len(quality.returned)}: {numbers(quality.returned)}")
    if left_out:
        click.echo(f"  left out        {numbers(left_out)}: NaN or infinity")
    click.echo(f"  error           {_inequality(quality.constants)}")
    if quality.bound is not None:
        how = "for the given norms" if quality.norms == "given" else "norms estimated from results"
        click.echo(f"  bound           {quality.bound:.3g}, {how}")
    click.echo(f"  magnifies       errors of results by up to {quality.amplification:.3g}")
    click.echo(f"  Lebesgue        {quality.lebesgue:.6g}")
    if quality.tolerance is not None:
        click.echo(f"  enough for {quality.tolerance:<4g} {_enough(quality)}")


def _enough(quality: Quality) -> str:
    proved = quality.norms == "given"
    if quality.enough:
        return "yes" if proved else "yes, by the estimate"
    if quality.short_by is None and quality.bound is None:
        return "not known; a norm is missing"
    answer = "not known" if quality.bound is None else "no"
    if quality.short_by is None:
        return (
            f"{answer}; no number of results is {'proved' if proved else 'estimated'} to be enough"
        )
    are = "would be by the estimate" if quality.norms == "estimated" else "are proved to be"
    return f"{answer}; {quality.short_by} more, whichever they are, {are}"


def _inequality(constants: ErrorConstants) -> str:
    second = f"{constants.curvature:.3g} ‖h″‖"
    return f"≤ {second}" if not constants.slope else f"≤ {constants.slope:.3g} ‖h′‖ + {second}"


# --- bounds ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class BoundRow:
    """The constants for one number of stragglers, of all sets and by formula; None if unknown."""

    stragglers: int
    worst: ErrorConstants | None
    formula: ErrorConstants | None
    bound: float | None


def bound_rows(code: BerrutCode, curvature: float | None, slope: float | None) -> list[BoundRow]:
    """Return the constants for every number of stragglers."""
    from gcdesign.codes.computing import guaranteed_constants
    from gcdesign.codes.computing.quality import few_sets_constants

    rows = []
    berrut = code.degree == 0 and code.worker_nodes == "chebyshev-2"
    for stragglers in range(code.workers):
        worst = few_sets_constants(code, stragglers)
        formula = guaranteed_constants(code.workers, stragglers) if berrut else None
        best = worst or formula
        found = None
        if best is not None and curvature is not None:
            found = best.bound(curvature=curvature, slope=slope)
        rows.append(BoundRow(stragglers, worst, formula, found))
    return rows


def bound_json(
    code: BerrutCode,
    quality: Quality | None,
    rows: Sequence[BoundRow],
    curvature: float | None,
    slope: float | None,
    tolerance: float | None,
) -> dict[str, Any]:
    """Return the document of ``berrut bound``."""
    return {
        "schema": "gcdesign.berrut-bound/1",
        "code": code_json(code),
        "curvature": curvature,
        "slope": slope,
        "tolerance": tolerance,
        "quality": None if quality is None else quality_json(quality),
        "stragglers": [asdict(row) for row in rows],
    }


def print_bounds(
    code: BerrutCode,
    rows: Sequence[BoundRow],
    curvature: float | None,
    slope: float | None,
    tolerance: float | None,
) -> None:
    """Print a table of constants, and how many results are enough."""
    from gcdesign.codes.computing import results_needed

    click.echo(_title(code))
    click.echo("  error ≤ A ‖h′‖ + B ‖h″‖ on the whole interval, whichever S workers are silent\n")
    table = new_table("", ">S", ">A", ">B", ">A, formula", ">B, formula", ">bound")
    for row in rows:
        cells = [*_pair(row.worst), *_pair(row.formula)]
        bound = "" if row.bound is None else f"{row.bound:.3g}"
        table.add_row("", str(row.stragglers), *cells, bound)
    print_table(table)
    if curvature is not None and tolerance is not None:
        needed = results_needed(code, tolerance=tolerance, curvature=curvature, slope=slope)
        enough = (
            "no number of results is proved to be" if needed is None else f"{needed} results are"
        )
        click.echo(f"\n  {enough} enough for an error of {tolerance:g}")


def _pair(constants: ErrorConstants | None) -> list[str]:
    if constants is None:
        return ["", ""]
    return [f"{constants.slope:.3g}", f"{constants.curvature:.3g}"]


# --- demonstrations -------------------------------------------------------------------------


def collapse_rows(function: Computation, dtype: str, seed: int) -> list[CollapseRow]:
    """Return the collapse of Lagrange coding for a polynomial; nothing for other functions."""
    from gcdesign.codes.computing import collapse_table

    if function.degree is None:
        return []
    return collapse_table(function, parts=COLLAPSE_PARTS, dtype=dtype, seed=seed)


def demo_json(
    function: Computation,
    found: Sequence[ComputationErrors],
    collapsing: Sequence[CollapseRow],
    size: int,
    dtype: str,
    trials: int,
    seed: int,
) -> dict[str, Any]:
    """Return the document of ``berrut demo``."""
    return {
        "schema": "gcdesign.berrut-demo/1",
        "function": function.name,
        "size": size,
        "dtype": dtype,
        "trials": trials,
        "seed": seed,
        "codes": [errors_json(each) for each in found],
        "collapse": [asdict(row) for row in collapsing],
    }


def errors_json(found: ComputationErrors) -> dict[str, Any]:
    """Return the errors of a code for the JSON documents."""
    return {
        key: list(value) if isinstance(value, tuple) else value
        for key, value in asdict(found).items()
    }


def print_demo(
    function: Computation,
    found: Sequence[ComputationErrors],
    collapsing: Sequence[CollapseRow],
    dtype: str,
) -> None:
    """Print the errors of several codes, and the collapse."""
    [stragglers] = found[0].stragglers
    click.echo(f"{function.text} of {found[0].parts} random inputs, {stragglers} workers silent\n")
    table = new_table("", "code", ">mean error", ">worst", ">decoded", ">sets")
    for each in found:
        worst = _size(each.worst[0])
        worst += " (of all)" if each.complete[0] and each.decoded[0] else ""
        share = f"{each.decoded[0]:.0%}"
        table.add_row("", each.label, _size(each.mean[0]), worst, share, str(each.sets[0]))
    print_table(table)
    click.echo("\n  relative errors ‖f̂ − f‖/‖f‖ over all parts; decoded: of how many sets at all")
    if collapsing:
        _print_collapse(collapsing, dtype)


def _print_collapse(rows: Sequence[CollapseRow], dtype: str) -> None:
    click.echo(f"\nLagrange coding over the reals, a quarter of N silent, {dtype}\n")
    table = new_table(
        "", ">K", ">N", ">condition", ">textbook", ">stable", ">Berrut", ">×stable", ">×Berrut"
    )
    for row in rows:
        shown = (
            row.condition,
            row.textbook_error,
            row.lagrange_error,
            row.berrut_error,
            row.lagrange_amplification,
            row.berrut_amplification,
        )
        table.add_row("", str(row.parts), str(row.workers), *map(_size, shown))
    print_table(table)
    click.echo(
        "\n  median relative errors: textbook, equispaced nodes and a Vandermonde system of that"
        "\n  condition; stable, Chebyshev nodes and least squares; ×, how much errors are magnified"
    )


def print_errors(found: Sequence[ComputationErrors]) -> None:
    """Print mean errors of several codes at a few numbers of stragglers."""
    shares = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]
    table = new_table("mean error at S = ⌊xN⌋, x =", *(f">{share:g}" for share in shares))
    for each in found:
        at = [each.stragglers.index(int(share * each.workers + 1e-9)) for share in shares]
        table.add_row(each.label, *(_cell(each, place) for place in at))
    print_table(table)
    click.echo("\n  (50%): of so many sets of stragglers that could be decoded at all; – of none")
    click.echo("\n  -o FILE.png draws the whole curves; -o FILE.csv and --json give every value")


def _cell(found: ComputationErrors, place: int) -> str:
    mean, share = _size(found.mean[place]), found.decoded[place]
    return mean if share in (0.0, 1.0) else f"{mean} ({share:.0%})"


def _size(value: float | None) -> str:
    return "–" if value is None else f"{value:.2g}"


def _title(code: BerrutCode) -> str:
    from gcdesign.codes.computing.errors import label

    return click.style(label(code), bold=True)


def _shape(shape: Sequence[int]) -> str:
    return " × ".join(map(str, shape)) if shape else "()"
