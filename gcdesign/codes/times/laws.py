"""Laws of one random time X ≥ 0: distribution function, quantiles, mean and draws.

A law is drawn by inversion, X = F⁻¹(U), from `Generator.random`: two laws that are drawn from
equal generators are coupled, the slow worker of one is the slow worker of the other.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from functools import cached_property
from math import gamma, inf, isfinite
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gcdesign.errors import InputError

Floats = NDArray[np.float64]

MAX_RECORDED = 20_000_000
"""Greatest number of recorded times that a law holds."""


def written_number(value: float) -> str:
    """Return the shortest text that reads back as the number, without a needless ``.0``."""
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(float(value))


def require_positive(name: str, value: float) -> None:
    """Refuse a parameter that is not a positive finite number."""
    if not (isfinite(value) and value > 0):
        raise InputError(f"{name}={value:g}; expected a number greater than 0")


def require_not_negative(name: str, value: float) -> None:
    """Refuse a parameter that is negative or not finite."""
    if not (isfinite(value) and value >= 0):
        raise InputError(f"{name}={value:g}; expected 0 or a number greater than 0")


class TimeLaw(ABC):
    """The law of a random time X ≥ 0; its subclasses are frozen dataclasses.

    Attributes
    ----------
    name
        The name in the written form, such as ``exp``.
    """

    name: ClassVar[str]

    @abstractmethod
    def _survival(self, t: Floats) -> Floats: ...

    @abstractmethod
    def _quantile(self, u: Floats) -> Floats: ...

    @abstractmethod
    def _mean(self) -> float: ...

    def _cdf(self, t: Floats) -> Floats:
        return 1.0 - self._survival(t)

    def _steps(self) -> Floats | None:
        return None

    def _settings(self) -> dict[str, float | str]:
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]

    def survival(self, t: ArrayLike) -> Floats:
        """Return P(X > t) for times of any shape."""
        with np.errstate(over="ignore"):
            return self._survival(np.asarray(t, dtype=np.float64))

    def cdf(self, t: ArrayLike) -> Floats:
        """Return F(t) = P(X ≤ t) for times of any shape."""
        with np.errstate(over="ignore"):
            return self._cdf(np.asarray(t, dtype=np.float64))

    def quantile(self, u: ArrayLike) -> Floats:
        """Return the least t with F(t) ≥ u, for u in [0, 1); ``inf`` beyond the largest number."""
        with np.errstate(over="ignore"):
            return self._quantile(np.asarray(u, dtype=np.float64))

    @property
    def mean(self) -> float:
        """The mean; ``inf`` where it does not exist."""
        return self._mean()

    @property
    def steps(self) -> Floats | None:
        """All values that X takes, increasing, if they are finitely many; else None."""
        return self._steps()

    def draw(self, rng: np.random.Generator, size: int | tuple[int, ...] = ()) -> Floats:
        """Draw times of the given shape."""
        return self.quantile(rng.random(size))

    @property
    def written(self) -> str:
        """The text that `parse_time` reads as this law, such as ``exp:rate=2``."""
        values = (
            f"{key}={value if isinstance(value, str) else written_number(value)}"
            for key, value in self._settings().items()
        )
        return f"{self.name}:{','.join(values)}"


@dataclass(frozen=True)
class Exponential(TimeLaw):
    """P(X > t) = exp(−μt), with rate μ.

    Examples
    --------
    >>> law = Exponential(rate=2)
    >>> law.mean, round(float(law.survival(1)), 4), law.written
    (0.5, 0.1353, 'exp:rate=2')
    """

    rate: float

    name = "exp"

    def __post_init__(self) -> None:
        require_positive("rate", self.rate)

    def _survival(self, t: Floats) -> Floats:
        return np.exp(-self.rate * np.maximum(t, 0.0))

    def _cdf(self, t: Floats) -> Floats:
        return -np.expm1(-self.rate * np.maximum(t, 0.0))

    def _quantile(self, u: Floats) -> Floats:
        return -np.log1p(-u) / self.rate

    def _mean(self) -> float:
        return 1 / self.rate


@dataclass(frozen=True)
class ShiftedExponential(TimeLaw):
    """A least time, the shift, and an exponential time with rate μ on top of it.

    Examples
    --------
    >>> law = ShiftedExponential(shift=1, rate=2)
    >>> law.mean, float(law.survival(1)), law.written
    (1.5, 1.0, 'shifted-exp:shift=1,rate=2')
    """

    shift: float
    rate: float

    name = "shifted-exp"

    def __post_init__(self) -> None:
        require_not_negative("shift", self.shift)
        require_positive("rate", self.rate)

    def _survival(self, t: Floats) -> Floats:
        return Exponential(self.rate).survival(t - self.shift)

    def _cdf(self, t: Floats) -> Floats:
        return Exponential(self.rate).cdf(t - self.shift)

    def _quantile(self, u: Floats) -> Floats:
        return self.shift + Exponential(self.rate).quantile(u)

    def _mean(self) -> float:
        return self.shift + 1 / self.rate


@dataclass(frozen=True)
class Pareto(TimeLaw):
    """P(X > t) = (scale/t)^shape for t ≥ scale: a heavy tail.

    Examples
    --------
    >>> law = Pareto(scale=1, shape=2)
    >>> law.mean, float(law.survival(2)), Pareto(scale=1, shape=1).mean
    (2.0, 0.25, inf)
    """

    scale: float
    shape: float

    name = "pareto"

    def __post_init__(self) -> None:
        require_positive("scale", self.scale)
        require_positive("shape", self.shape)

    def _survival(self, t: Floats) -> Floats:
        times = np.maximum(t, self.scale)
        powers: Floats = (self.scale / times) ** self.shape
        return powers

    def _quantile(self, u: Floats) -> Floats:
        with np.errstate(over="ignore"):  # longer than any number is for ever
            times: Floats = self.scale * np.exp(-np.log1p(-u) / self.shape)
        return times

    def _mean(self) -> float:
        return self.scale * self.shape / (self.shape - 1) if self.shape > 1 else inf


@dataclass(frozen=True)
class Weibull(TimeLaw):
    """P(X > t) = exp(−(t/scale)^shape): heavier than exponential for a shape below 1.

    Examples
    --------
    >>> law = Weibull(scale=2, shape=1)
    >>> law.mean, bool(law.survival(3) == Exponential(0.5).survival(3))
    (2.0, True)
    """

    scale: float
    shape: float

    name = "weibull"

    def __post_init__(self) -> None:
        require_positive("scale", self.scale)
        require_positive("shape", self.shape)
        if self.shape < 0.01:
            raise InputError(f"shape={self.shape:g}; expected 0.01 or more, or its mean overflows")

    def _survival(self, t: Floats) -> Floats:
        return np.exp(-self._hazard(t))

    def _cdf(self, t: Floats) -> Floats:
        return -np.expm1(-self._hazard(t))

    def _hazard(self, t: Floats) -> Floats:
        """Return (t/scale)^shape; infinite where it overflows, which is as good."""
        hazard: Floats = (np.maximum(t, 0.0) / self.scale) ** self.shape
        return hazard

    def _quantile(self, u: Floats) -> Floats:
        hazard = -np.log1p(-u)
        times: Floats = self.scale * hazard ** (1 / self.shape)
        return times

    def _mean(self) -> float:
        return self.scale * gamma(1 + 1 / self.shape)


@dataclass(frozen=True)
class Fixed(TimeLaw):
    """The same time always.

    Examples
    --------
    >>> law = Fixed(time=3)
    >>> law.cdf([2.9, 3]).tolist(), law.written
    ([0.0, 1.0], 'fixed:time=3')
    """

    time: float

    name = "fixed"

    def __post_init__(self) -> None:
        require_not_negative("time", self.time)

    def _steps(self) -> Floats:
        return np.array([self.time], dtype=np.float64)

    def _survival(self, t: Floats) -> Floats:
        return (t < self.time).astype(np.float64)

    def _quantile(self, u: Floats) -> Floats:
        return np.full(np.shape(u), self.time, dtype=np.float64)

    def _mean(self) -> float:
        return float(self.time)


@dataclass(frozen=True)
class Recorded(TimeLaw):
    """Times that were measured, each as likely as the other.

    Parameters
    ----------
    times
        The times, in any order.
    source
        The file that they came from, for the written form.

    Raises
    ------
    InputError
        If there is no time, or one is negative or not finite.

    Examples
    --------
    >>> law = Recorded((3, 1, 2, 2))
    >>> law.cdf([0.5, 1, 2]).tolist(), law.quantile([0, 0.5, 0.9]).tolist(), law.mean
    ([0.0, 0.25, 0.75], [1.0, 2.0, 3.0], 2.0)
    """

    times: tuple[float, ...]
    source: str = "times.csv"

    name = "recorded"

    def __post_init__(self) -> None:
        if not self.times:
            raise InputError("there is no recorded time; expected one at least")
        if len(self.times) > MAX_RECORDED:
            raise InputError(f"{len(self.times)} recorded times; expected {MAX_RECORDED} at most")
        values = np.array(self.times, dtype=np.float64)
        wrong = np.flatnonzero(~(np.isfinite(values) & (values >= 0)))
        if wrong.size:
            raise InputError(
                f"recorded time {wrong[0]} is {values[wrong[0]]:g}; expected 0 or more"
            )

    @cached_property
    def _sorted(self) -> Floats:
        return np.sort(np.array(self.times, dtype=np.float64))

    def _steps(self) -> Floats:
        return np.unique(self._sorted)

    def _survival(self, t: Floats) -> Floats:
        later = len(self.times) - np.searchsorted(self._sorted, t, side="right")
        return np.asarray(later / len(self.times), dtype=np.float64)

    def _cdf(self, t: Floats) -> Floats:
        done = np.searchsorted(self._sorted, t, side="right")
        return np.asarray(done / len(self.times), dtype=np.float64)

    def _quantile(self, u: Floats) -> Floats:
        count = len(self.times)
        ranks = np.ceil(u * count).astype(np.int64) - 1
        times: Floats = self._sorted[np.clip(ranks, 0, count - 1)]
        return times

    def _mean(self) -> float:
        return float(self._sorted.mean())

    def _settings(self) -> dict[str, float | str]:
        return {"file": self.source}
