"""Times from a trace, step by step or shuffled."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gcdesign.errors import InputError
from gcdesign.training.stragglers.times import StragglerModel, Times
from gcdesign.training.traces.trace import Trace


@dataclass(frozen=True, eq=False)
class Replay(StragglerModel):
    """The times of a trace, scaled from the loads of the trace to those of the scheme.

    Where the trace ends it begins again. A time that is not known counts as infinite: nobody
    waited for that message when the trace was recorded.

    Attributes
    ----------
    trace
        The trace, of as many workers as the scheme has.
    name
        What to call it.
    shuffled
        Whether steps are drawn at random in place of their order, each with all its workers.
    scaled
        Whether a time grows with the load; else it is taken as it is.
    """

    trace: Trace
    name: str = "trace"
    shuffled: bool = False
    scaled: bool = True
    _times: NDArray[np.float64] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        times = self.trace.times
        object.__setattr__(self, "_times", np.where(np.isnan(times), np.inf, times))

    def draw(
        self, rng: np.random.Generator, loads: NDArray[np.float64], steps: int, carry: Any
    ) -> tuple[Times, Any]:
        """Return the next steps of the trace; what is carried is the place in it."""
        if len(loads) != self.trace.workers:
            raise InputError(
                f"{self.name} is a trace of {self.trace.workers} workers, and {len(loads)} are "
                "simulated"
            )
        start = carry or 0
        rows = (start + np.arange(steps)) % self.trace.steps
        if self.shuffled:
            rows = rng.integers(0, self.trace.steps, steps)
        times = self._times[rows]
        never = np.isinf(times)
        factor = loads / self.trace.loads if self.scaled else 1.0
        work = np.where(never, 0.0, times) * factor
        return Times(np.where(never, np.inf, 0.0), work), start + steps

    @property
    def written(self) -> str:
        """``"trace:file=times.csv"``, with what differs from the defaults."""
        extra = ",shuffled=yes" if self.shuffled else ""
        return f"trace:file={self.name}{extra}{'' if self.scaled else ',scaled=no'}"
