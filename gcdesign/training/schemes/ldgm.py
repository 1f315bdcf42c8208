"""LDGM-coded stochastic gradient descent: a random sparse graph, peeling, and a deadline."""

from __future__ import annotations

from collections.abc import Mapping

from gcdesign.codes import load_code
from gcdesign.codes.ldgm.chances import evolved_chances
from gcdesign.codes.ldgm.finite import simulate_code
from gcdesign.codes.times import Exponential, LoadTime
from gcdesign.errors import InputError
from gcdesign.training.peeling import PeelingScheme, Reals
from gcdesign.training.registry import Request, SchemeKind

RUNS = 2000
"""Runs that estimate the chances of parts."""


def make(request: Request) -> PeelingScheme:
    """Return the scheme.

    Raises
    ------
    InputError
        If an option does not fit.
    """
    options = request.options
    parts = options.get("parts", str(max(1, request.workers // 2)))
    degrees, copies = options.get("degrees", "0.5x+0.5x^2"), options.get("copies", "even")
    code = load_code(
        f"ldgm:parts={parts},workers={request.workers},degrees={degrees},copies={copies},"
        f"seed={request.seed}"
    )
    deadline = _number(options, "deadline", "1")
    weights = options.get("weights", "mean")
    if weights not in ("mean", "evolution", "simulation"):
        raise InputError(f"weights={weights}; expected mean, evolution or simulation")
    chances: Reals | None = None
    if weights != "mean":
        time = LoadTime(Exponential(_number(options, "rate", "")))
        unit = code.workers / code.parts
        if weights == "evolution":
            chances = evolved_chances(code.placement, time, deadline, unit=unit)
        else:
            chances, _ = simulate_code(
                code.placement, time, deadline, runs=RUNS, seed=request.seed, unit=unit
            )
    return PeelingScheme(code, deadline=deadline, chances=chances)


def _number(options: Mapping[str, str], name: str, usual: str) -> float:
    text = options.get(name, usual)
    if not text:
        raise InputError(f"weights other than mean need {name}=…, the rate of the workers' times")
    try:
        return float(text)
    except ValueError:
        raise InputError(f"{name}={text}; expected a number") from None


SCHEME = SchemeKind(
    name="ldgm",
    summary="random sparse graph; at a deadline the master peels what has come",
    source="Horii, Yoshida, Kobayashi, Matsushima 2019",
    make=make,
    options={
        "parts": "number of parts K (default half as many as workers)",
        "degrees": "shares of workers with each load (default 0.5x+0.5x^2)",
        "copies": "degrees of the parts (default even)",
        "deadline": "seconds that a step takes (default 1)",
        "weights": "mean of the recovered parts, or 1/chance from evolution or simulation",
        "rate": "rate of exponential times at a load of 1, for the chances",
    },
)
