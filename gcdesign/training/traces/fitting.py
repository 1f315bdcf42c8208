"""Laws of times fitted to a trace by maximum likelihood, and how well each fits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import log

import numpy as np
from numpy.typing import NDArray

from gcdesign.codes.times import Exponential, Pareto, ShiftedExponential, TimeLaw, Weibull
from gcdesign.errors import InputError
from gcdesign.training.traces.persistence import Persistence, persistence
from gcdesign.training.traces.trace import Trace

Floats = NDArray[np.float64]

RESAMPLES = 200
"""Samples drawn from a fitted law to learn how far a good fit would be off."""

JUDGED = 1000
"""Greatest number of times with which the p-value is found."""


@dataclass(frozen=True, eq=False)
class LawFit:
    """A law fitted to times.

    Attributes
    ----------
    law
        The law with the largest likelihood.
    log_likelihood
        The logarithm of that likelihood.
    aic
        Akaike's criterion, 2 × parameters − 2 × log-likelihood; the smaller, the better.
    distance
        The Kolmogorov–Smirnov distance, the largest difference of the two distribution functions.
    p_value
        How often times that are drawn from the law itself, and fitted anew, are as far from
        their fit: small if the law is not that of the times. Of a random part of the times if
        they are more than `JUDGED`.
    """

    law: TimeLaw
    log_likelihood: float
    aic: float
    distance: float
    p_value: float


@dataclass(frozen=True, eq=False)
class TraceFit:
    """What was fitted to a trace.

    Attributes
    ----------
    laws
        The fits, the smallest distance first.
    times
        The times, each divided by its worker's load, sorted.
    never
        How many messages never came.
    unknown
        How many times are not known; they are left out, which makes the fits too fast.
    persistence
        The runs in which slow steps come; None if they do not.
    others
        The best fit to the times of steps that are not slow; None if there are no slow ones.
    """

    laws: tuple[LawFit, ...]
    times: Floats = field(repr=False)
    never: int
    unknown: int
    persistence: Persistence | None
    others: LawFit | None

    @property
    def best(self) -> LawFit:
        """The fit with the smallest distance."""
        return self.laws[0]


def fit_trace(trace: Trace, *, seed: int = 0, resamples: int = RESAMPLES) -> TraceFit:
    """Fit laws to all finite times of a trace, as independent times for a load of 1.

    Parameters
    ----------
    trace
        The trace.
    seed
        Seed of the draws behind the p-values.
    resamples
        How many samples are drawn for each of them.

    Raises
    ------
    InputError
        If there are fewer than two different times.

    Examples
    --------
    >>> times = np.random.default_rng(0).exponential(0.5, (200, 4))
    >>> found = fit_trace(Trace(1 + times, np.ones(4)))
    >>> found.best.law.name, round(found.best.law.rate, 1), found.best.p_value > 0.05
    ('shifted-exp', 1.9, True)
    """
    values = (trace.times / trace.loads)[trace.known]
    times = np.sort(values)
    if len(times) < 2 or times[0] == times[-1]:
        raise InputError("a trace without two different times; there is nothing to fit")
    rng = np.random.default_rng(seed)
    fits = _fits(times, rng, resamples)
    slow = persistence(trace)
    others = times if slow is None else times[times <= slow.threshold]
    apart = slow is not None and others[0] < others[-1]
    return TraceFit(
        fits,
        times,
        int(np.isinf(trace.times).sum()),
        int(np.isnan(trace.times).sum()),
        slow,
        _fits(others, rng, resamples)[0] if apart else None,
    )


def _fits(times: Floats, rng: np.random.Generator, resamples: int) -> tuple[LawFit, ...]:
    """Return the fits of all laws to sorted times, the smallest distance first."""
    fitters = [fit for fit in FITTERS if times[0] > 0 or fit not in FROM_ABOVE_0]
    fits = [_judge(fit, times, rng, resamples) for fit in fitters]
    return tuple(sorted(fits, key=lambda fit: fit.distance))


def fit_exponential(times: Floats) -> Exponential:
    """Return the exponential law of the largest likelihood."""
    return Exponential(float(1 / times.mean()))


def fit_shifted(times: Floats) -> ShiftedExponential:
    """Return the shifted exponential law of the largest likelihood: it begins at the least time."""
    least = float(times.min())
    return ShiftedExponential(least, float(1 / (times.mean() - least)))


def fit_pareto(times: Floats) -> Pareto:
    """Return the Pareto law of the largest likelihood, of times above 0."""
    least = float(times.min())
    return Pareto(least, float(1 / np.log(times / least).mean()))


def fit_weibull(times: Floats) -> Weibull:
    """Return the Weibull law of the largest likelihood, of times above 0.

    The shape k solves Σ xᵏ log x / Σ xᵏ − 1/k = mean of log x, whose left side increases.
    """
    from scipy.optimize import brentq

    logs = np.log(times)
    logs -= logs.max()

    def slope(shape: float) -> float:
        powers = np.exp(shape * logs)
        return float((powers @ logs) / powers.sum() - 1 / shape - logs.mean())

    low, high = 0.01, 1.0
    while slope(high) < 0 and high < 1e6:
        high *= 2
    shape = float(brentq(slope, low, high)) if slope(low) < 0 < slope(high) else high
    scale = float(times.max() * np.mean(np.exp(shape * logs)) ** (1 / shape))
    return Weibull(scale, shape)


FITTERS: tuple[Callable[[Floats], TimeLaw], ...] = (
    fit_exponential,
    fit_shifted,
    fit_pareto,
    fit_weibull,
)
FROM_ABOVE_0 = (fit_pareto, fit_weibull)
"""Those that cannot be fitted to a time of 0."""


def _judge(
    fit: Callable[[Floats], TimeLaw], times: Floats, rng: np.random.Generator, resamples: int
) -> LawFit:
    law = fit(times)
    likelihood = log_likelihood(law, times)
    parameters = len(law.written.partition(":")[2].split(","))
    some = times if len(times) <= JUDGED else rng.choice(times, JUDGED, replace=False)
    wanted = distance(fit(some), some)
    farther = sum(
        distance(fit(drawn), drawn) >= wanted
        for drawn in (law.draw(rng, len(some)) for _ in range(resamples))
    )
    return LawFit(
        law,
        likelihood,
        2 * parameters - 2 * likelihood,
        distance(law, times),
        (farther + 1) / (resamples + 1),
    )


def distance(law: TimeLaw, times: Floats) -> float:
    """Return the Kolmogorov–Smirnov distance of a continuous law from some times."""
    ordered = np.sort(times)
    ranks = np.arange(len(ordered) + 1) / len(ordered)
    cdf = law.cdf(ordered)
    return float(max((ranks[1:] - cdf).max(), (cdf - ranks[:-1]).max()))


def log_likelihood(law: TimeLaw, times: Floats) -> float:
    """Return the sum of the logarithms of the law's density at some times.

    Examples
    --------
    >>> log_likelihood(Exponential(2.0), np.array([0.0])) == log(2)
    True
    """
    count = len(times)
    match law:
        case Exponential(rate):
            return count * log(rate) - rate * float(times.sum())
        case ShiftedExponential(shift, rate):
            return count * log(rate) - rate * float((times - shift).sum())
        case Pareto(scale, shape):
            rest = count * shape * log(scale) - (shape + 1) * float(np.log(times).sum())
            return count * log(shape) + rest
        case Weibull(scale, shape):
            ratio = times / scale
            return (
                count * log(shape / scale)
                + (shape - 1) * float(np.log(ratio).sum())
                - float((ratio**shape).sum())
            )
    raise InputError(f"the law {law.written} has no density that is known here")
