"""Models of how long workers take in each step.

A worker starts after a delay, then works through its load. A message that is sent after the share
x of the load arrives at delay + x × working time.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gcdesign.errors import InputError

BLOCK = 256
"""Number of steps whose times are drawn at once, from a generator of their own."""


@dataclass(frozen=True, eq=False)
class Times:
    """The times of all workers in some steps.

    Attributes
    ----------
    delay
        Shape (steps, N): how long a worker waits before it works; infinite if it never answers.
    work
        Shape (steps, N): how long it takes to work through its whole load.
    """

    delay: NDArray[np.float64] = field(repr=False)
    work: NDArray[np.float64] = field(repr=False)

    def __add__(self, other: Times) -> Times:
        return Times(self.delay + other.delay, self.work + other.work)

    def arrivals(self, progress: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return when each message arrives, shape (steps, N, messages).

        ``progress``, of shape (N, messages), is the share of its load that a worker has been
        through when it sends each message.
        """
        arrivals: NDArray[np.float64] = self.delay[..., None] + self.work[..., None] * progress
        return arrivals


class StragglerModel(ABC):
    """Draws the times of all workers; immutable, what it carries between blocks is handed on."""

    @abstractmethod
    def draw(
        self, rng: np.random.Generator, loads: NDArray[np.float64], steps: int, carry: Any
    ) -> tuple[Times, Any]:
        """Return the times of the next steps.

        Parameters
        ----------
        rng
            The generator of these steps.
        loads
            Shape (N,): the load of each worker; 1 is that of a worker without coding.
        steps
            The number of steps.
        carry
            What the model returned for the steps before; None for the first.

        Returns
        -------
        times, carry
            The times, and what is to be handed in for the steps that follow.
        """

    @property
    @abstractmethod
    def written(self) -> str:
        """The text that stands for the model."""


@dataclass(frozen=True)
class Steady(StragglerModel):
    """Every worker takes the same time for a load of 1, in every step."""

    seconds: float = 1.0

    def __post_init__(self) -> None:
        if not (np.isfinite(self.seconds) and self.seconds >= 0):
            raise InputError(f"{self.seconds} seconds for a load; expected 0 or more")

    def draw(
        self, rng: np.random.Generator, loads: NDArray[np.float64], steps: int, carry: Any
    ) -> tuple[Times, Any]:
        """Return seconds × load as working times."""
        shape = (steps, len(loads))
        return Times(np.zeros(shape), np.broadcast_to(self.seconds * loads, shape)), None

    @property
    def written(self) -> str:
        """``"steady:seconds=1"``."""
        return f"steady:seconds={self.seconds:g}"


@dataclass(frozen=True)
class Delayed(StragglerModel):
    """Some workers start with a fixed delay: S random ones in each step, or given ones.

    Attributes
    ----------
    seconds
        The delay; infinite for workers that never answer.
    stragglers
        How many random workers are delayed in each step.
    workers
        The workers that are delayed in every step, in place of random ones.
    """

    seconds: float
    stragglers: int = 0
    workers: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        if not self.seconds >= 0:
            raise InputError(f"delay={self.seconds}; expected seconds, 0 or more")
        if self.stragglers < 0:
            raise InputError(f"stragglers={self.stragglers}; expected 0 or more")

    def draw(
        self, rng: np.random.Generator, loads: NDArray[np.float64], steps: int, carry: Any
    ) -> tuple[Times, Any]:
        """Return the delays of the chosen workers."""
        count = len(loads)
        if self.workers is not None:
            chosen = np.zeros((steps, count), dtype=bool)
            if self.workers and not 0 <= min(self.workers) <= max(self.workers) < count:
                raise InputError(f"workers {self.workers} are delayed; expected 0 to {count - 1}")
            chosen[:, list(self.workers)] = True
        else:
            if self.stragglers > count:
                raise InputError(f"{self.stragglers} of {count} workers are delayed")
            chosen = rng.random((steps, count)).argsort(axis=1) < self.stragglers
        return Times(np.where(chosen, self.seconds, 0.0), np.zeros((steps, count))), None

    @property
    def written(self) -> str:
        """``"delayed:seconds=2,stragglers=1"``, or with ``workers=0+3``."""
        who = f"stragglers={self.stragglers}"
        if self.workers is not None:
            who = f"workers={'+'.join(map(str, self.workers))}"
        return f"delayed:seconds={self.seconds:g},{who}"


@dataclass(frozen=True)
class Together(StragglerModel):
    """Several models whose delays and working times add up."""

    models: tuple[StragglerModel, ...]

    def draw(
        self, rng: np.random.Generator, loads: NDArray[np.float64], steps: int, carry: Any
    ) -> tuple[Times, Any]:
        """Return the sums of the times."""
        before = carry or (None,) * len(self.models)
        drawn = [
            model.draw(rng, loads, steps, own)
            for model, own in zip(self.models, before, strict=True)
        ]
        return reduce(Times.__add__, (times for times, _ in drawn)), tuple(c for _, c in drawn)

    @property
    def written(self) -> str:
        """The models' texts, joined by ``" + "``."""
        return " + ".join(model.written for model in self.models)


class Timeline:
    """The times of all steps of a run, in blocks; a step's times depend on the seed alone.

    Parameters
    ----------
    model
        The model.
    loads
        Shape (N,): the load of each worker.
    seed
        Seed of the draws.
    """

    def __init__(self, model: StragglerModel, loads: NDArray[np.float64], *, seed: int) -> None:
        self._model, self._loads, self._seed = model, loads, seed
        self._carries: list[Any] = [None]
        self._now = -1
        self._times: Times | None = None

    def block(self, number: int) -> Times:
        """Return the times of the steps from ``number`` × `BLOCK` on."""
        if number != self._now or self._times is None:
            for before in range(len(self._carries) - 1, number):
                self._draw(before)
            self._times, self._now = self._draw(number), number
        return self._times

    def _draw(self, number: int) -> Times:
        rng = np.random.default_rng([self._seed, number])
        times, carry = self._model.draw(rng, self._loads, BLOCK, self._carries[number])
        if len(self._carries) == number + 1:
            self._carries.append(carry)
        return times

    def step(self, step: int) -> Times:
        """Return the times of one step, in arrays of shape (1, N)."""
        block, inside = divmod(step, BLOCK)
        times = self.block(block)
        return Times(times.delay[inside : inside + 1], times.work[inside : inside + 1])
