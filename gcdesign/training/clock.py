"""Simulated time: messages arrive in the order that a straggler model gives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gcdesign.errors import RunError
from gcdesign.training.master import Answer
from gcdesign.training.optimisers import State
from gcdesign.training.problems.problem import Problem, SharedGradients
from gcdesign.training.scheme import Collector, Message, Scheme, Worker
from gcdesign.training.stragglers import StragglerModel, Timeline


class SimulatedCluster:
    """N workers on a simulated clock; the messages that are decoded are really computed.

    By default every step begins with all workers idle: late work of the step before is dropped.

    Parameters
    ----------
    scheme
        The scheme.
    problem
        The problem, cut into the scheme's parts.
    model
        How long workers take.
    seed
        Seed of the model's draws.
    finish_late
        Whether a worker that is late finishes what it does before it takes up a later step: then
        it may be late again, or miss steps altogether.
    """

    def __init__(
        self,
        scheme: Scheme,
        problem: Problem,
        model: StragglerModel,
        *,
        seed: int,
        finish_late: bool = False,
    ) -> None:
        source = SharedGradients(problem)
        self._workers = [
            scheme.worker(problem, number, source=source) for number in range(scheme.workers)
        ]
        self._scheme = scheme
        self._progress = progress_of(scheme)
        self._timeline = Timeline(model, loads_of(scheme), seed=seed)
        self._finish_late = finish_late
        self._busy = np.zeros(scheme.workers)

    def ask(self, step: int, point: NDArray[np.float64], collector: Collector) -> Answer:
        """Let messages arrive in their order until the collector is ready, or time is up."""
        arrivals = self._timeline.step(step).arrivals(self._progress)[0] + self._busy[:, None]
        flat = arrivals.ravel()
        deadline = self._scheme.deadline
        limit = np.inf if deadline is None else deadline
        now = 0.0
        for place in flat.argsort(kind="stable").tolist():
            time = float(flat[place])
            if collector.ready or time > limit or time == np.inf:
                break
            collector.add(divmod(place, self._scheme.messages))
            now = time
        if not collector.ready:
            if deadline is None:
                raise RunError(
                    f"step {step}: {self._scheme.label} waits for ever; only "
                    f"{len(collector.arrived)} of {flat.size} messages come"
                )
            now = deadline
        if self._finish_late:
            done = np.where(self._busy < now, arrivals[:, -1], self._busy)
            self._busy = np.maximum(done - now, 0.0)
        return Answer(Computed(self._workers, step, point, collector.arrived), now, arrivals)

    def state(self) -> State:
        """Return how long the workers will still be busy with earlier steps."""
        return {"busy": self._busy}

    def restore(self, state: State) -> None:
        """Go on from such a state."""
        self._busy = state["busy"]


class Computed(Mapping[Message, NDArray[Any]]):
    """The messages that arrived, each computed when it is looked at."""

    def __init__(
        self,
        workers: list[Worker],
        step: int,
        point: NDArray[np.float64],
        arrived: list[Message],
    ) -> None:
        self._workers, self._step, self._point, self._arrived = workers, step, point, arrived

    def __getitem__(self, message: Message) -> NDArray[Any]:
        worker, number = message
        return self._workers[worker].answer(self._step, self._point, number)

    def __iter__(self) -> Iterator[Message]:
        return iter(self._arrived)

    def __len__(self) -> int:
        return len(self._arrived)


def loads_of(scheme: Scheme) -> NDArray[np.float64]:
    """Return each worker's load, shape (N,), where 1 is the Nth part of the data.

    Examples
    --------
    >>> from gcdesign.training import make_scheme
    >>> loads_of(make_scheme("cyclic", workers=5, stragglers=2)).tolist()
    [3.0, 3.0, 3.0, 3.0, 3.0]
    """
    return scheme.shares[:, -1] * scheme.workers


def progress_of(scheme: Scheme) -> NDArray[np.float64]:
    """Return the share of its load that a worker has done at each message, (N, messages).

    A worker without a load sends what it has at once.
    """
    whole = scheme.shares[:, -1:]
    return np.divide(scheme.shares, whole, out=np.zeros_like(scheme.shares), where=whole > 0)
