"""Workers that are slow in some steps: which ones, and what it means to be slow."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gcdesign.errors import InputError
from gcdesign.training.stragglers.times import StragglerModel, Times

Chosen = NDArray[np.bool_]


class Who(ABC):
    """Says which workers are slow in each step."""

    @abstractmethod
    def draw(
        self, rng: np.random.Generator, workers: int, steps: int, carry: Any
    ) -> tuple[Chosen, Any]:
        """Return a mask of shape (steps, N), and what is to be handed in for the next steps."""

    @property
    @abstractmethod
    def written(self) -> str:
        """The text that stands for it."""


@dataclass(frozen=True)
class RandomWorkers(Who):
    """S random workers in each step, all sets alike.

    Attributes
    ----------
    stragglers
        S.
    """

    stragglers: int

    def __post_init__(self) -> None:
        if self.stragglers < 0:
            raise InputError(f"stragglers={self.stragglers}; expected 0 or more")

    def draw(
        self, rng: np.random.Generator, workers: int, steps: int, carry: Any
    ) -> tuple[Chosen, Any]:
        """Return the S workers with the smallest of N random numbers, in each step."""
        if self.stragglers > workers:
            raise InputError(f"{self.stragglers} of {workers} workers are slow; take fewer")
        ranks = rng.random((steps, workers)).argsort(axis=1).argsort(axis=1)
        return ranks < self.stragglers, None

    @property
    def written(self) -> str:
        """``"2 random workers"``."""
        return f"{self.stragglers} random workers"


@dataclass(frozen=True)
class GivenWorkers(Who):
    """The same workers in every step: consistently slow machines, or those an adversary chose.

    Attributes
    ----------
    workers
        Which ones.
    """

    workers: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(set(self.workers)) < len(self.workers):
            raise InputError(f"slow workers {self.workers}: one is named twice")

    def draw(
        self, rng: np.random.Generator, workers: int, steps: int, carry: Any
    ) -> tuple[Chosen, Any]:
        """Return the same mask for every step."""
        chosen = np.zeros((steps, workers), dtype=bool)
        for worker in self.workers:
            if not 0 <= worker < workers:
                raise InputError(f"slow worker {worker}; expected 0 to {workers - 1}")
        chosen[:, list(self.workers)] = True
        return chosen, None

    @property
    def written(self) -> str:
        """``"workers 0, 3"``."""
        return f"workers {', '.join(map(str, self.workers))}"


@dataclass(frozen=True)
class OnOff(Who):
    """Each worker turns slow and recovers at random, a Markov chain from step to step.

    A worker is slow in the first step with the chain's stationary probability, enter/(enter +
    leave), and is slow for 1/leave steps in the mean.

    Attributes
    ----------
    enter, leave
        The probability that a worker turns slow, and that a slow one recovers, in a step.
    """

    enter: float
    leave: float

    def __post_init__(self) -> None:
        for name, value in (("enter", self.enter), ("leave", self.leave)):
            if not 0 <= value <= 1:
                raise InputError(f"{name}={value:g}; expected a probability from 0 to 1")
        if self.enter + self.leave == 0:
            raise InputError("enter=0 and leave=0: workers never change; name the slow ones")

    @property
    def share(self) -> float:
        """The share of time in which a worker is slow."""
        return self.enter / (self.enter + self.leave)

    def draw(
        self, rng: np.random.Generator, workers: int, steps: int, carry: Any
    ) -> tuple[Chosen, Any]:
        """Return the chains' next states; what is carried is the last."""
        now = rng.random(workers) < self.share if carry is None else carry
        numbers = rng.random((steps, workers))
        chosen = np.empty((steps, workers), dtype=bool)
        for step in range(steps):
            if step or carry is not None:
                turns = numbers[step] < np.where(now, self.leave, self.enter)
                now = now ^ turns
            chosen[step] = now
        return chosen, now

    @property
    def written(self) -> str:
        """``"markov:enter=0.01,leave=0.1"``."""
        return f"markov:enter={self.enter:g},leave={self.leave:g}"


@dataclass(frozen=True)
class Slowed(StragglerModel):
    """A model in which some workers are slow: delayed, slowed down, or both.

    Attributes
    ----------
    base
        The times of workers that are not slow.
    who
        Which ones are slow.
    delay
        Seconds by which all messages of a slow worker are late; infinite for one that never
        answers.
    factor
        How many times longer a slow worker works.

    Examples
    --------
    >>> from gcdesign.training.stragglers.laws import steady
    >>> model = Slowed(steady(0.1), RandomWorkers(2), delay=5)
    >>> model.written
    'fixed:time=0.1; 2 random workers 5 s late'
    >>> times, _ = model.draw(np.random.default_rng(0), np.ones(12), 3, None)
    >>> times.delay.sum(axis=1).tolist()
    [10.0, 10.0, 10.0]
    """

    base: StragglerModel
    who: Who
    delay: float = 0.0
    factor: float = 1.0

    def __post_init__(self) -> None:
        if not self.delay >= 0:
            raise InputError(f"delay={self.delay}; expected seconds, 0 or more")
        if not (np.isfinite(self.factor) and self.factor > 0):
            raise InputError(f"factor={self.factor}; expected a number above 0")

    def draw(
        self, rng: np.random.Generator, loads: NDArray[np.float64], steps: int, carry: Any
    ) -> tuple[Times, Any]:
        """Return the base model's times, changed for those who are slow."""
        before, chain = carry or (None, None)
        slow, chain = self.who.draw(rng, len(loads), steps, chain)
        times, before = self.base.draw(rng, loads, steps, before)
        work = np.where(slow, self.factor, 1.0) * times.work
        return Times(times.delay + np.where(slow, self.delay, 0.0), work), (before, chain)

    @property
    def written(self) -> str:
        """The base model, who is slow, and how slow."""
        late = [f"{self.delay:g} s late"] if self.delay else []
        late += [f"{self.factor:g} times slower"] if self.factor != 1 else []
        return f"{self.base.written}; {self.who.written} {' and '.join(late) or 'not slow'}"
