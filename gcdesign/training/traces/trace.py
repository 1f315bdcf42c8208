"""A trace: how long each worker took in each step of a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gcdesign.errors import InputError


@dataclass(frozen=True, eq=False)
class Trace:
    """Recorded times of N workers in some steps.

    Attributes
    ----------
    times
        Shape (steps, N), read-only: seconds from the start of a step until the worker's last
        message arrived; infinite if it never did, NaN if that is not known, as of a late message
        that was dropped.
    loads
        Shape (N,): the load of each worker when this was recorded; 1 is the Nth part of the data.
    about
        Anything else that was written down: the scheme, the host, the date.

    Raises
    ------
    InputError
        If there are no times, or one is negative, or a load is not above 0.
    """

    times: NDArray[np.float64] = field(repr=False)
    loads: NDArray[np.float64] = field(repr=False)
    about: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        times = np.array(self.times, dtype=np.float64)
        loads = np.array(self.loads, dtype=np.float64)
        if times.ndim != 2 or not times.size:
            raise InputError(f"times of shape {times.shape}; expected a row for each step")
        if (times < 0).any():
            step, worker = np.argwhere(times < 0)[0].tolist()
            raise InputError(
                f"step {step}, worker {worker}: a time of {times[step, worker]:g}; expected "
                "seconds, 0 or more"
            )
        if loads.shape != times.shape[1:] or not (np.isfinite(loads) & (loads > 0)).all():
            raise InputError(f"loads {loads.tolist()}; expected one above 0 for each worker")
        times.flags.writeable = loads.flags.writeable = False
        object.__setattr__(self, "times", times)
        object.__setattr__(self, "loads", loads)

    @property
    def steps(self) -> int:
        """Number of steps."""
        return len(self.times)

    @property
    def workers(self) -> int:
        """Number of workers N."""
        return int(self.times.shape[1])

    @property
    def known(self) -> NDArray[np.bool_]:
        """Shape (steps, N): which times are finite numbers."""
        return np.isfinite(self.times)
