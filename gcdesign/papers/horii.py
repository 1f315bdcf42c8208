"""The learning experiment of Horii, Yoshida, Kobayashi, Matsushima 2019: SGD with LDGM codes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gcdesign.codes import GradientCode, load_code
from gcdesign.codes.ldgm.chances import Bias, bias
from gcdesign.codes.ldgm.finite import simulate as ensemble_runs
from gcdesign.codes.ldgm.finite import simulate_code
from gcdesign.codes.ldgm.optimise import Optimum, optimise
from gcdesign.codes.times import Exponential, LoadTime, Wait, expected_wait
from gcdesign.designs.randomness import Draws
from gcdesign.errors import InputError
from gcdesign.papers.experiment import Settings, Watch
from gcdesign.training import Plan, Scheme, TrainingResult, simulate
from gcdesign.training.data import noisy_plane
from gcdesign.training.linear import CodeScheme
from gcdesign.training.optimisers import GradientDescent, Rate
from gcdesign.training.peeling import PeelingScheme
from gcdesign.training.problems import LeastSquares
from gcdesign.training.stragglers.laws import Drawn

PAPER = "Horii, Yoshida, Kobayashi, Matsushima 2019"
RATES = (0.5, 1.0, 2.0)
"""The μ of the paper's three panels."""

PRINTED_WAITS = {0.5: 12.112, 1.0: 6.056, 2.0: 3.028}
"""Expected waits of Reed–Solomon codes as the paper prints them."""

DEADLINE = 1.0
STARTS = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2)
"""Least shares of workers with one part that are tried; graphs of this size need some to start."""

START_RUNS = 300
CHANCE_RUNS = 4000
LEAST_CHANCE = 0.01
"""Weights 1/p_j are cut where a part is recovered in fewer steps than this."""

SETTINGS: dict[str, int | float] = {
    "workers": 240,
    "parts": 120,
    "samples": 2400,
    "features": 240,
    "steps": 200,
    "repeats": 2,
    "largest_degree": 10,
    "rate": 0.1,
}
FULL: dict[str, int | float] = {"samples": 12_000, "features": 1200, "steps": 1000, "repeats": 5}
MEANING = {
    "workers": "N",
    "parts": "K of the codes",
    "samples": "samples of the least-squares problem",
    "features": "parameters of the least-squares problem",
    "steps": "steps of each run",
    "repeats": "runs with other times, whose mean is drawn",
    "largest_degree": "largest load of a worker of the LDGM code",
    "rate": "c of the step size c/t",
}

Kind = Literal["uncoded", "ldgm", "unbiased", "rs"]
LABELS: dict[Kind, str] = {
    "uncoded": "uncoded SGD",
    "ldgm": "LDGM-coded SGD",
    "unbiased": "LDGM-coded SGD, unbiased",
    "rs": "Reed–Solomon-coded GD",
}


@dataclass(frozen=True, eq=False)
class Curve:
    """The objective of one scheme on the way, over some runs.

    Attributes
    ----------
    kind
        Which scheme.
    steps
        Numbers of steps at which it is known.
    losses
        Shape (runs, points).
    step_seconds
        Time of one step: the deadline, or the expected wait.
    recovered
        Mean share of the data whose gradients a step uses.
    margin
        Twice its standard error; 0 where it is known without runs.
    """

    kind: Kind
    steps: tuple[int, ...]
    losses: NDArray[np.float64]
    step_seconds: float
    recovered: float
    margin: float

    @property
    def mean(self) -> NDArray[np.float64]:
        """Shape (points,): the mean objective."""
        mean: NDArray[np.float64] = self.losses.mean(axis=0)
        return mean


@dataclass(frozen=True, eq=False)
class Case:
    """All schemes for one μ.

    Attributes
    ----------
    mu
        Rate of the workers' exponential times for one of K parts.
    optimum
        The degrees of the LDGM code, which minimise x∞ as the paper does.
    curves
        The objective of each scheme.
    wait
        Expected wait of the Reed–Solomon code.
    biases
        Of the LDGM graph: of the mean of what is recovered, and of the weights 1/p_j.
    """

    mu: float
    optimum: Optimum
    curves: dict[Kind, Curve]
    wait: Wait
    biases: tuple[Bias, Bias]


def cases(settings: Settings, seed: int, watch: Watch) -> Iterator[Case]:
    """Yield the runs for each μ; ends early if the watch asks for it.

    Raises
    ------
    InputError
        If a setting is out of its domain.
    """
    chosen = {name: int(value) for name, value in settings.items() if name != "rate"}
    for name, value in chosen.items():
        if value < 1:
            raise InputError(f"{name}={value}; expected 1 or more")
    if chosen["workers"] % chosen["parts"] or chosen["workers"] == chosen["parts"]:
        raise InputError(
            f"parts={chosen['parts']}; expected a divisor of workers={chosen['workers']}, and less"
        )
    if chosen["samples"] < chosen["workers"]:
        raise InputError(f"samples={chosen['samples']}; expected one for each worker at least")
    problem = LeastSquares(noisy_plane(chosen["samples"], chosen["features"], seed=seed))
    for number, mu in enumerate(RATES):
        if watch(f"μ = {mu:g}", number / len(RATES)):
            return
        yield _case(mu, problem, chosen, float(settings["rate"]), seed)


def _case(mu: float, problem: LeastSquares, chosen: dict[str, int], rate: float, seed: int) -> Case:
    workers, parts = chosen["workers"], chosen["parts"]
    time = LoadTime(Exponential(mu))
    optimum = _best_degrees(time, chosen, seed)
    placement = optimum.ensemble.draw(parts, Draws(seed), workers=workers)
    code = GradientCode(placement)
    chances, shares = simulate_code(placement, time, DEADLINE, runs=CHANCE_RUNS, seed=seed)
    known = {"uncoded": (1 - optimum.limit.uncoded, 0.0), "rs": (1.0, 0.0)}
    peeled = float(shares.mean()), 2 * float(shares.std()) / CHANCE_RUNS**0.5
    chances = np.maximum(chances, LEAST_CHANCE)
    copies = workers // parts
    schemes: dict[Kind, Scheme] = {
        "uncoded": PeelingScheme(load_code(f"uncoded:workers={workers}"), deadline=DEADLINE),
        "ldgm": PeelingScheme(code, deadline=DEADLINE, label="LDGM"),
        "unbiased": PeelingScheme(code, deadline=DEADLINE, chances=chances, label="LDGM"),
        "rs": CodeScheme(load_code(f"rs:workers={workers},load=1,parts={parts}"), copies - 1),
    }
    wait = expected_wait(time, [1] * workers, workers - copies + 1)
    curves: dict[Kind, Curve] = {}
    for kind, scheme in schemes.items():
        runs = [
            _run(problem, scheme, mu, chosen, rate, seed + repeat)
            for repeat in range(chosen["repeats"] if kind != "rs" else 1)
        ]
        seconds = wait.value if kind == "rs" else DEADLINE
        curves[kind] = _curve(kind, runs, seconds, *known.get(kind, peeled))
    measured = (
        bias(placement, time, DEADLINE, runs=CHANCE_RUNS, seed=seed + 1),
        bias(placement, time, DEADLINE, chances=chances, runs=CHANCE_RUNS, seed=seed + 1),
    )
    return Case(mu, optimum, curves, wait, measured)


def _best_degrees(time: LoadTime, chosen: dict[str, int], seed: int) -> Optimum:
    """Return degrees of least x∞, with as many workers of degree 1 as are best for K parts."""
    rate = Fraction(chosen["parts"], chosen["workers"])
    found: dict[float, Optimum] = {}
    for start in STARTS:
        best = optimise(
            time,
            DEADLINE,
            rate=rate,
            largest=chosen["largest_degree"],
            objective="edge",
            start=start,
        )
        if best.evolution.starts:
            runs = ensemble_runs(
                best.ensemble, time, DEADLINE, parts=chosen["parts"], runs=START_RUNS, seed=seed
            )
            found.setdefault(runs.unrecovered.mean, best)
    return found[min(found)]


def _run(
    problem: LeastSquares,
    scheme: Scheme,
    mu: float,
    chosen: dict[str, int],
    rate: float,
    seed: int,
) -> TrainingResult:
    # A load of 1 is the Nth part of the data, K/N of a part of the code.
    model = Drawn(LoadTime(Exponential(mu * chosen["workers"] / chosen["parts"])))
    plan = Plan(steps=chosen["steps"], evaluate_every=max(1, chosen["steps"] // 40))
    return simulate(problem, scheme, GradientDescent(Rate(rate, 1.0)), model, plan=plan, seed=seed)


def _curve(
    kind: Kind, runs: list[TrainingResult], seconds: float, recovered: float, margin: float
) -> Curve:
    steps = tuple(one.step for one in runs[0].history.evaluations)
    losses = np.array([[one.loss for one in run.history.evaluations] for run in runs])
    return Curve(kind, steps, losses, seconds, recovered, margin)
