"""Whether slow steps come in runs: a Markov chain of two states fitted to a trace."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gcdesign.training.stragglers.slow import OnOff
from gcdesign.training.traces.trace import Trace

MEMORY = 4.0
"""By how many standard errors slow steps must be followed by slow ones more often than chance."""


@dataclass(frozen=True)
class Persistence:
    """Slow and other steps of a trace.

    Attributes
    ----------
    chain
        The chain between the two.
    threshold
        Times for a load of 1 above this are slow.
    factor
        How many times longer slow steps take, in the median.
    share
        The share of steps that are slow.
    repeated
        The share of slow steps that are followed by another slow step of the same worker; as
        much as ``share`` if there is no memory.
    """

    chain: OnOff
    threshold: float
    factor: float
    share: float
    repeated: float


def persistence(trace: Trace) -> Persistence | None:
    """Return the chain, or None where slow steps are followed by slow ones no oftener than others.

    The threshold is that of Otsu on the logarithms: it makes the two groups as narrow as can be.
    Messages that never came are slow, unknown times are not counted.

    Examples
    --------
    >>> times = np.ones((100, 2))
    >>> times[40:50, 0] = 9
    >>> found = persistence(Trace(times, np.ones(2)))
    >>> found.chain.leave, round(found.chain.enter, 4), found.factor
    (0.1, 0.0053, 9.0)
    """
    times = trace.times / trace.loads
    finite = times[trace.known & (times > 0)]
    if len(finite) < 2 or finite.min() == finite.max():
        return None
    threshold = _otsu(np.sort(finite))
    slow = times > threshold
    low = float(np.median(finite[finite <= threshold]))
    high = float(np.median(times[slow & ~np.isnan(times)]))
    share = float(slow[~np.isnan(times)].mean())
    enter, leave = _turns(slow, np.isnan(times))
    if enter is None or leave is None or enter + leave == 0:
        return None
    slack = MEMORY * (share * (1 - share) / max(1, int(slow[:-1].sum()))) ** 0.5
    if 1 - leave <= share + slack:
        return None
    return Persistence(OnOff(enter, leave), threshold, high / low, share, 1 - leave)


def _otsu(times: NDArray[np.float64]) -> float:
    """Return a threshold between sorted times that leaves the least variance in its two sides."""
    logs = np.log(times)
    count = np.arange(1, len(logs))
    total = logs.sum()
    first = logs.cumsum()[:-1]
    between = (first / count - (total - first) / (len(logs) - count)) ** 2 * count * count[::-1]
    between[logs[:-1] == logs[1:]] = -1
    at = int(between.argmax())
    return float(np.sqrt(times[at] * times[at + 1]))


def _turns(
    slow: NDArray[np.bool_], unknown: NDArray[np.bool_]
) -> tuple[float | None, float | None]:
    """Return how often a worker turns slow, and a slow one recovers; None where none could."""
    known = ~(unknown[:-1] | unknown[1:])
    before, after = slow[:-1][known], slow[1:][known]
    enter = float(after[~before].mean()) if (~before).any() else None
    leave = float((~after[before]).mean()) if before.any() else None
    return enter, leave
