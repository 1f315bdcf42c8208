"""Times that are drawn anew for every worker in every step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gcdesign.codes.times import Fixed, LoadTime
from gcdesign.errors import InputError
from gcdesign.training.stragglers.times import StragglerModel, Times


@dataclass(frozen=True)
class Drawn(StragglerModel):
    """Independent times of one law, which says how they depend on the load.

    A random time that does not grow with the load is a delay of every message, as that of a
    link; all else passes while the worker works.

    Attributes
    ----------
    time
        The law.

    Examples
    --------
    >>> from gcdesign.codes.times import parse_time
    >>> model = Drawn(parse_time("exp:rate=2,work=0.5,scaled=no"))
    >>> times, _ = model.draw(np.random.default_rng(0), np.array([1.0, 3.0]), 1, None)
    >>> times.work.tolist(), bool((times.delay > 0).all())
    ([[0.5, 1.5]], True)
    """

    time: LoadTime

    def draw(
        self, rng: np.random.Generator, loads: NDArray[np.float64], steps: int, carry: Any
    ) -> tuple[Times, Any]:
        """Return independent draws."""
        x = self.time.law.draw(rng, (steps, len(loads)))
        certain = np.broadcast_to(self.time.work * loads, x.shape)
        idle = np.broadcast_to(loads == 0, x.shape)
        if self.time.scaled:
            return Times(np.zeros_like(x), certain + loads * x), None
        return Times(np.where(idle, 0.0, x), certain), None

    @property
    def written(self) -> str:
        """The law's text, as ``"exp:rate=2"``."""
        return self.time.written


def steady(seconds: float) -> Drawn:
    """Return the model in which every worker takes the same time for a load of 1, always."""
    return Drawn(LoadTime(Fixed(seconds)))


@dataclass(frozen=True)
class EachWorker(StragglerModel):
    """A law for each worker: machines that are not alike.

    Raises
    ------
    InputError
        In `draw`, if there is not one law for each worker.
    """

    times: tuple[LoadTime, ...]

    def draw(
        self, rng: np.random.Generator, loads: NDArray[np.float64], steps: int, carry: Any
    ) -> tuple[Times, Any]:
        """Return independent draws, each worker's from its law."""
        if len(self.times) != len(loads):
            raise InputError(f"{len(self.times)} laws of times for {len(loads)} workers")
        drawn = [
            Drawn(time).draw(rng, loads[worker : worker + 1], steps, None)[0]
            for worker, time in enumerate(self.times)
        ]
        return Times(np.hstack([t.delay for t in drawn]), np.hstack([t.work for t in drawn])), None

    @property
    def written(self) -> str:
        """The laws' texts, joined by ``" / "``."""
        return " / ".join(time.written for time in self.times)
