"""How long a master waits, over very many steps, without computing any gradient."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gcdesign.codes.counts import check_count
from gcdesign.errors import LimitError, RunError
from gcdesign.training.clock import loads_of, progress_of
from gcdesign.training.scheme import Scheme
from gcdesign.training.stragglers import StragglerModel, Timeline
from gcdesign.training.stragglers.times import BLOCK

MAX_STEPS = 100_000_000
"""Greatest number of steps: 800 MB of waiting times."""


@dataclass(frozen=True, eq=False)
class Waits:
    """Waiting times of a scheme.

    Attributes
    ----------
    scheme
        The scheme's label.
    seconds
        Shape (steps,): how long the master waited in each step.
    heard
        Shape (steps,): how many messages the master had heard by then; of those that arrive at
        the same moment as the last one, only as many as it needs.
    errors
        Shape (steps,): the squared decoding error of each step; None if it was not asked for.
    """

    scheme: str
    seconds: NDArray[np.float64] = field(repr=False)
    heard: NDArray[np.int64] = field(repr=False)
    errors: NDArray[np.float64] | None = field(repr=False)

    @property
    def mean(self) -> float:
        """The mean waiting time; infinite if the master once waits for ever."""
        return float(self.seconds.mean())

    def quantiles(self, shares: Iterable[float]) -> list[float]:
        """Return quantiles of the waiting times, such as ``[0.5, 0.99]``."""
        found = np.quantile(self.seconds, list(shares), method="inverted_cdf")
        return [float(value) for value in found]


def waiting_times(
    scheme: Scheme,
    model: StragglerModel,
    *,
    steps: int,
    seed: int = 0,
    errors: bool = False,
    progress: Callable[[int], bool] | None = None,
) -> Waits:
    """Simulate the times of many steps; they are those of `simulate` with the same seed.

    Parameters
    ----------
    scheme
        The scheme.
    model
        How long workers take.
    steps
        Number of steps, 1 to `MAX_STEPS`.
    seed
        Seed of the times.
    errors
        Whether to decode what arrived in each step; sets that occur again cost nothing.
    progress
        Called now and then with the number of steps done; the simulation stops early, with the
        steps so far, if it returns True.

    Raises
    ------
    InputError
        If there is no step.
    LimitError
        If the steps are too many.
    RunError
        If the master waits for ever in some step, which is named.

    Examples
    --------
    >>> from gcdesign.training import RandomWorkers, Slowed, make_scheme, steady
    >>> model = Slowed(steady(0.5), RandomWorkers(1), delay=3)
    >>> waiting_times(make_scheme("naive", workers=6), model, steps=1000).mean
    3.5
    >>> waiting_times(make_scheme("frc", workers=6, stragglers=1), model, steps=1000).mean
    1.0
    """
    check_count("steps", steps)
    if steps > MAX_STEPS:
        raise LimitError(f"steps={steps}; the limit is {MAX_STEPS}")
    timeline = Timeline(model, loads_of(scheme), seed=seed)
    share = progress_of(scheme)
    seconds, heard = np.empty(steps), np.empty(steps, dtype=np.int64)
    lost = np.empty(steps) if errors else None
    done = 0
    while done < steps:
        arrivals = timeline.block(done // BLOCK).arrivals(share)[: steps - done]
        now = slice(done, done + len(arrivals))
        seconds[now] = _waits(scheme, arrivals, first=done)
        here = _heard(scheme, arrivals, seconds[now])
        heard[now] = here.sum(axis=(1, 2))
        if lost is not None:
            lost[now] = _errors(scheme, here)
        done += len(arrivals)
        if progress is not None and progress(done):
            break
    return Waits(scheme.label, seconds[:done], heard[:done], None if lost is None else lost[:done])


def _waits(scheme: Scheme, arrivals: NDArray[np.float64], *, first: int) -> NDArray[np.float64]:
    """Return the waiting times of one block, the deadline counted."""
    waits = scheme.waits(arrivals)
    if scheme.deadline is not None:
        return np.minimum(waits, scheme.deadline)
    never = np.flatnonzero(np.isinf(waits))
    if len(never):
        come = int(np.isfinite(arrivals[never[0]]).sum())
        raise RunError(
            f"step {first + never[0]}: {scheme.label} waits for ever; only {come} of "
            f"{arrivals[0].size} messages come"
        )
    return waits


def _heard(
    scheme: Scheme, arrivals: NDArray[np.float64], seconds: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Return which messages the master takes in, one after the other as `simulate` does.

    Only where several arrive at the last moment does it matter which one is the first.
    """
    flat = arrivals.reshape(len(arrivals), -1)
    here: NDArray[np.bool_] = flat <= seconds[:, None]
    tied = np.flatnonzero((flat == seconds[:, None]).sum(axis=1) > 1)
    if not len(tied):
        return here.reshape(arrivals.shape)
    order = flat[tied].argsort(axis=1, kind="stable")
    ranks = np.empty(order.shape)
    np.put_along_axis(ranks, order, np.arange(flat.shape[1], dtype=float)[None, :], axis=1)
    ranks[~here[tied]] = np.inf
    enough = scheme.waits(ranks.reshape(len(tied), *arrivals.shape[1:]))
    here[tied] = (ranks <= enough[:, None]) & here[tied]
    return here.reshape(arrivals.shape)


def _errors(scheme: Scheme, here: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the decoding error of what is here in each step, each set decoded once."""
    flat = here.reshape(len(here), -1)
    sets, place = np.unique(flat, axis=0, return_inverse=True)
    found = [
        scheme.decode([divmod(at, scheme.messages) for at in np.flatnonzero(one).tolist()]).error
        for one in sets
    ]
    return np.array(found)[place.reshape(-1)]
