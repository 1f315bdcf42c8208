"""What a trace holds, in a few numbers."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import isfinite

import numpy as np

from gcdesign.training.traces.trace import Trace


@dataclass(frozen=True)
class WorkerSummary:
    """The times of one worker.

    Attributes
    ----------
    load
        Its load.
    median, p99, max
        Of its finite times; None if it has none.
    never, unknown
        How often its message never came, and how often that is not known.
    """

    load: float
    median: float | None
    p99: float | None
    max: float | None
    never: int
    unknown: int


@dataclass(frozen=True)
class Summary:
    """The numbers of a trace.

    Attributes
    ----------
    steps, workers
        Numbers of steps and workers.
    about
        What was written down with it.
    by_worker
        The times of each worker.
    waits
        The mean time until m workers had answered, for m = 1 … N; None if in some step fewer
        are known to have done so.
    """

    steps: int
    workers: int
    about: dict[str, str]
    by_worker: tuple[WorkerSummary, ...]
    waits: tuple[float | None, ...]

    def to_json(self) -> dict[str, object]:
        """Return it for JSON."""
        return asdict(self) | {
            "by_worker": [asdict(worker) for worker in self.by_worker],
            "waits": list(self.waits),
        }


def summarise(trace: Trace) -> Summary:
    """Return the numbers of a trace.

    Examples
    --------
    >>> found = summarise(Trace(np.array([[1.0, 3.0], [2.0, np.inf]]), np.ones(2)))
    >>> found.waits, found.by_worker[1].never
    ((1.5, None), 1)
    """
    waits = [float(time) for time in np.sort(trace.times, axis=1).mean(axis=0)]
    return Summary(
        trace.steps,
        trace.workers,
        dict(trace.about),
        tuple(_worker(trace, worker) for worker in range(trace.workers)),
        tuple(wait if isfinite(wait) else None for wait in waits),
    )


def _worker(trace: Trace, worker: int) -> WorkerSummary:
    times = trace.times[:, worker]
    known = times[np.isfinite(times)]
    found: list[float | None] = [None, None, None]
    if len(known):
        quantiles = np.quantile(known, [0.5, 0.99, 1.0], method="inverted_cdf")
        found = [float(value) for value in quantiles]
    return WorkerSummary(
        float(trace.loads[worker]),
        found[0],
        found[1],
        found[2],
        int(np.isinf(times).sum()),
        int(np.isnan(times).sum()),
    )
