"""Models of how long workers take in each step.

A worker starts after a delay, then works through its load. A message that is sent after the share
x of the load arrives at delay + x × working time.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
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

    Raises
    ------
    InputError
        If the seed is negative.
    """

    def __init__(self, model: StragglerModel, loads: NDArray[np.float64], *, seed: int) -> None:
        if seed < 0:
            raise InputError(f"seed={seed}; expected 0 or more")
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
