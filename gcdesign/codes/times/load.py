"""How long a worker with load L takes: T = work·L + L·X, or + X where X does not grow with L."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gcdesign.codes.times.laws import TimeLaw, require_not_negative, written_number

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class LoadTime:
    """The random time of a worker that computes L parts.

    T = work·L + L·X if ``scaled``, else T = work·L + X. Scaled exponential times without work are
    the model of Horii et al. 2019, P(T > t₀) = 1 − F(t₀/L); work that always takes as long with a
    random link behind it is ``work > 0`` and ``scaled=False``. A worker without parts is done at
    once.

    Parameters
    ----------
    law
        The law of X.
    work
        The part of the time that is not random, for each part of the data.
    scaled
        Whether X is the time for one part, and grows with the load.

    Raises
    ------
    InputError
        If the work is negative or not finite.

    Examples
    --------
    >>> from gcdesign.codes.times.laws import Exponential
    >>> time = LoadTime(Exponential(rate=2))
    >>> time.late(1.0, [1, 2, 4]).round(4).tolist()
    [0.1353, 0.3679, 0.6065]
    >>> link = LoadTime(Exponential(rate=2), work=0.25, scaled=False)
    >>> link.mean(4), link.written
    (1.5, 'exp:rate=2,work=0.25,scaled=no')
    """

    law: TimeLaw
    work: float = 0.0
    scaled: bool = True

    def __post_init__(self) -> None:
        require_not_negative("work", self.work)

    def late(self, t: ArrayLike, load: ArrayLike) -> Floats:
        """Return P(T > t), broadcast over times and loads; nobody is late at an infinite time."""
        times, loads = np.broadcast_arrays(
            np.asarray(t, dtype=np.float64), np.asarray(load, dtype=np.float64)
        )
        probability = self.law.survival(self._inverse(times, loads))
        return np.where(loads == 0, (times < 0).astype(np.float64), probability)

    def cdf(self, t: ArrayLike, load: ArrayLike) -> Floats:
        """Return P(T ≤ t), broadcast over times and loads."""
        times, loads = np.broadcast_arrays(
            np.asarray(t, dtype=np.float64), np.asarray(load, dtype=np.float64)
        )
        probability = self.law.cdf(self._inverse(times, loads))
        return np.where(loads == 0, (times >= 0).astype(np.float64), probability)

    def _inverse(self, times: Floats, loads: Floats) -> Floats:
        """Return the value of X at which T is the given time."""
        left = times - self.work * loads
        return left / np.where(loads > 0, loads, 1.0) if self.scaled else left

    def stretch(self, x: ArrayLike, load: ArrayLike) -> Floats:
        """Return T for a value of X, broadcast over both."""
        loads = np.asarray(load, dtype=np.float64)
        factor = loads if self.scaled else (loads > 0).astype(np.float64)
        with np.errstate(over="ignore", invalid="ignore"):
            # An infinite X does not hold up a worker without parts: 0·∞ is no number.
            grown = np.where(factor > 0, factor * np.asarray(x, dtype=np.float64), 0.0)
            times: Floats = self.work * loads + grown
        return times

    def quantile(self, u: ArrayLike, load: ArrayLike) -> Floats:
        """Return the least t with P(T ≤ t) ≥ u."""
        return self.stretch(self.law.quantile(u), load)

    def mean(self, load: int) -> float:
        """Return the mean time; ``inf`` where it does not exist."""
        if load == 0:
            return 0.0
        mean = self.law.mean
        return inf if mean == inf else self.work * load + (load if self.scaled else 1) * mean

    def draw(
        self, rng: np.random.Generator, loads: ArrayLike, size: int | tuple[int, ...] = ()
    ) -> Floats:
        """Draw times, shape ``size`` + the shape of ``loads``, each by itself."""
        shape = (size,) if isinstance(size, int) else size
        return self.stretch(self.law.draw(rng, (*shape, *np.shape(loads))), loads)

    @property
    def written(self) -> str:
        """The text that `parse_time` reads as this time."""
        work = f",work={written_number(self.work)}" if self.work else ""
        return self.law.written + work + ("" if self.scaled else ",scaled=no")
