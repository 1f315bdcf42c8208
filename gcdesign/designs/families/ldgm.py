"""LDGM placements: a random sparse graph whose workers send the sums of their parts."""

from __future__ import annotations

from collections.abc import Iterator

from gcdesign.designs.design import BlockDesign, Provenance, Size, check_size
from gcdesign.designs.ensembles.counts import DegreeSequences, degree_sequences, node_degrees
from gcdesign.designs.ensembles.degrees import parse_degrees
from gcdesign.designs.ensembles.growth import grown_graph
from gcdesign.designs.ensembles.pairing import configuration_model
from gcdesign.designs.ensembles.soliton import degrees_for
from gcdesign.designs.random_loads import check_counts, random_blocks
from gcdesign.designs.randomness import Draws
from gcdesign.designs.registry import Family, Parameter
from gcdesign.designs.values import DEGREES
from gcdesign.errors import InputError

EVEN, UNIFORM = "even", "uniform"
"""Copies of the parts: as even as possible, or as the workers' uniform choices make them."""


def construct(
    parts: int,
    workers: int,
    degrees: str,
    copies: str = EVEN,
    growth: int = 0,
    seed: int = 0,
) -> BlockDesign:
    """Return a random placement with given degrees, without repeated edges.

    Parameters
    ----------
    parts, workers
        K and N.
    degrees
        Distribution of the workers' loads from the nodes' perspective, R(x): a polynomial
        ``"0.5x+0.5x^2"``, a table, ``"soliton"`` or ``"robust-soliton:c=0.1,delta=0.5"``.
    copies
        How the parts' degrees are: ``"even"``, ``"uniform"`` (every worker chooses its parts
        by itself, as in LT codes), or a distribution L(x), such as ``"x^3"``.
    growth
        1 grows the graph edge by edge for long cycles; 0 draws it from the configuration model.
    seed
        Seed of the choice.

    Raises
    ------
    InputError
        If a distribution is none, or no graph has these degrees.

    Notes
    -----
    Source: low-density generator matrix codes for stochastic gradient descent, Horii, Yoshida,
    Kobayashi, Matsushima 2019; LT codes, Luby 2002.
    """
    _, _, edges = size(parts, workers, degrees, copies, growth, seed)
    check_size(Size(parts, workers, edges), name=f"ldgm:parts={parts},workers={workers}")
    provenance = Provenance.of(
        "ldgm",
        parts=parts,
        workers=workers,
        degrees=_canonical(degrees),
        copies=_canonical(copies),
        growth=growth,
        seed=seed,
    )
    draws = Draws(seed)
    if copies == UNIFORM:
        loads = node_degrees(degrees_for(degrees, parts), workers)
        return random_blocks(loads[draws.permutation(workers)], parts, draws, provenance)
    sequences = _sequences(parts, workers, degrees, copies)
    if growth:
        return grown_graph(sequences, draws, provenance=provenance).design
    return configuration_model(sequences, draws, provenance=provenance).design


def size(
    parts: int, workers: int, degrees: str, copies: str = EVEN, growth: int = 0, seed: int = 0
) -> Size:
    """Return the size of the placement; errors as in `construct`."""
    check_counts(seed=seed, workers=workers, parts=parts)
    if growth not in (0, 1):
        raise InputError(f"growth={growth}; expected 0 or 1")
    if copies != UNIFORM:
        return Size(parts, workers, _sequences(parts, workers, degrees, copies).edges)
    if growth:
        raise InputError("growth=1 has no room for copies=uniform; take copies=even")
    loads = node_degrees(degrees_for(degrees, parts), workers)
    if loads[0] > parts:
        raise InputError(f"degree {loads[0]}; expected at most parts={parts}")
    return Size(parts, workers, int(loads.sum()))


def _sequences(parts: int, workers: int, degrees: str, copies: str) -> DegreeSequences:
    held = None if copies == EVEN else parse_degrees(copies)
    return degree_sequences(workers, parts, degrees_for(degrees, parts), held)


def _canonical(text: str) -> str:
    """Return the one written form of a distribution; names stay as they are."""
    stripped = text.strip()
    named = stripped in (EVEN, UNIFORM) or "soliton" in stripped
    return stripped if named else parse_degrees(stripped).text


def near(workers: int, load: int) -> Iterator[str]:
    """Yield the member with as many parts, a tenth of whose workers hold one part alone."""
    if 2 <= load <= workers:
        yield f"ldgm:parts={workers},workers={workers},degrees=0.1x+0.9x^{load}"


FAMILY = Family(
    name="ldgm",
    summary="low-density generator matrix code: a random graph with given degrees",
    source="Horii, Yoshida, Kobayashi, Matsushima 2019; LT codes: Luby 2002",
    parameters=(
        Parameter("parts", "number of parts K"),
        Parameter("workers", "number of workers N"),
        Parameter(
            "degrees",
            "shares of workers with each load, as 0.5x+0.5x^2, a table, soliton or robust-soliton",
            kind=DEGREES,
        ),
        Parameter(
            "copies",
            "degrees of the parts: even, uniform or a distribution (default even)",
            optional=True,
            kind=DEGREES,
        ),
        Parameter(
            "growth", "1 grows the graph for long cycles, 0 pairs at random (default 0)", True
        ),
        Parameter("seed", "seed of the random choice (default 0)", optional=True),
    ),
    construct=construct,
    size=size,
    label=lambda parts, workers, degrees, copies, growth, seed: (
        f"LDGM (N={workers}, K={parts}, {degrees}, seed {seed})"
    ),
    example={"parts": 6, "workers": 12, "degrees": "0.5x+0.5x^2", "seed": 1},
    domain="shares sum to 1; the edges of both sides match",
    near=near,
)
