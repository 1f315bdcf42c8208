"""A run as plain values: what is written on a command line, sent to other processes, recorded."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import lru_cache

import numpy as np

from gcdesign.errors import InputError
from gcdesign.training.data import parse_data, split, usual_problem
from gcdesign.training.optimisers import GradientDescent, Nesterov, Optimiser, Rate
from gcdesign.training.problems import PROBLEMS, Batches, Data, Problem
from gcdesign.training.registry import has_own_workers, make_scheme
from gcdesign.training.scheme import Scheme
from gcdesign.training.stragglers import Slowed, StragglerModel
from gcdesign.training.stragglers.reading import parse_times, parse_who

USUAL_WORKERS = 12

OPTIMISERS = ("nesterov", "nesterov-lookahead", "descent")


@dataclass(frozen=True)
class Learning:
    """What is learnt, from what and how.

    Attributes
    ----------
    data
        As `gcdesign.training.data.parse_data` reads it.
    problem
        The name of the problem; None for what the data are meant for.
    test_share
        The share of the samples that the model is tested by; 0 for none.
    l2
        The weight of the penalty; None for 1/d.
    optimiser
        One of `OPTIMISERS`.
    rate, rate_offset
        c₁ and c₂ of the step size c₁/(t + c₂); constant without c₂.
    batch
        The share of each part in a mini-batch.
    data_seed
        Seed of artificial data, of the split and of mini-batches.
    """

    data: str = "mixture"
    problem: str | None = None
    test_share: float = 0.2
    l2: float | None = None
    optimiser: str = "nesterov"
    rate: float = 0.5
    rate_offset: float | None = None
    batch: float = 1.0
    data_seed: int = 0

    def make_problem(self) -> Problem:
        """Return the problem, not yet cut into parts.

        Raises
        ------
        InputError
            If a value does not fit, or a file cannot be read.
        """
        kind = self.problem or usual_problem(self.data)
        if kind not in PROBLEMS:
            raise InputError(f"problem={kind!r}; expected {', '.join(PROBLEMS)}")
        learn, test = _samples(self.data, self.test_share, self.data_seed, kind == "logistic")
        penalty = 1 / learn.samples if self.l2 is None else self.l2
        batches = Batches(self.batch, self.data_seed) if self.batch != 1 else None
        return PROBLEMS[kind](learn, test, l2=penalty, batches=batches)

    def make_optimiser(self) -> Optimiser:
        """Return the optimiser.

        Raises
        ------
        InputError
            If there is none of this name, or the rate makes no sense.
        """
        rate = Rate(self.rate, self.rate_offset)
        if self.optimiser == "descent":
            return GradientDescent(rate)
        if self.optimiser not in OPTIMISERS:
            raise InputError(f"optimiser={self.optimiser!r}; expected {', '.join(OPTIMISERS)}")
        return Nesterov(rate, lookahead=self.optimiser == "nesterov-lookahead")


@lru_cache(maxsize=1)
def _samples(data: str, test_share: float, seed: int, two: bool) -> tuple[Data, Data | None]:
    """Return the samples to learn from and to test by; the last are kept for the next run.

    ``two`` says whether targets -1 and 1 are to become 0 and 1.
    """
    read = parse_data(data, seed=seed)
    if two and set(np.unique(read.targets).tolist()) == {-1.0, 1.0}:
        read = Data(read.features, (read.targets + 1) / 2)
    return split(read, share=test_share, seed=seed) if test_share else (read, None)


@dataclass(frozen=True)
class Setup:
    """One simulated run, but for its number of steps.

    Attributes
    ----------
    scheme
        As `gcdesign.training.make_scheme` takes it.
    workers
        N; None for as many as a code in place has, or 12.
    stragglers
        S.
    times
        How long workers take, as `parse_times` reads it.
    slow
        Who is slow, as `parse_who` reads it.
    delay, factor
        By how many seconds the slow are late, and how many times longer they work.
    finish_late
        Whether late workers finish what they do.
    seed
        Seed of the code, and of the times.
    learning
        What is learnt.
    """

    scheme: str = "cyclic"
    workers: int | None = None
    stragglers: int = 1
    times: str = "fixed:time=1"
    slow: str = "random"
    delay: float = 0.0
    factor: float = 1.0
    finish_late: bool = False
    seed: int = 0
    learning: Learning = Learning()

    def make_scheme(self) -> Scheme:
        """Return the scheme.

        Raises
        ------
        InputError
            If its values do not fit.
        """
        workers = self.workers
        if workers is None and not has_own_workers(self.scheme):
            workers = USUAL_WORKERS
        return make_scheme(self.scheme, workers=workers, stragglers=self.stragglers, seed=self.seed)

    def make_model(self) -> StragglerModel:
        """Return the model of times.

        Raises
        ------
        InputError
            If its texts cannot be read, or an adversary's workers have not been put in.
        """
        base = parse_times(self.times)
        who = parse_who(self.slow, stragglers=self.stragglers, adversary=_nobody_chose)
        if self.delay == 0 and self.factor == 1:
            return base
        return Slowed(base, who, delay=self.delay, factor=self.factor)

    def to_json(self) -> dict[str, object]:
        """Return all values, by name."""
        return asdict(self)


def _nobody_chose() -> tuple[int, ...]:
    raise InputError("an adversary's workers are chosen before a run; name them, such as 0,3")
