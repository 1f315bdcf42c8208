"""What happened in a run: the steps, and how good the model was on the way."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Evaluation:
    """How good the model was after some steps.

    Attributes
    ----------
    step
        Number of steps done.
    seconds
        The time that they took on the cluster's clock, evaluations not counted.
    loss
        The objective on all samples.
    metrics
        Scores such as AUC, on the test samples if there are any.
    """

    step: int
    seconds: float
    loss: float
    metrics: dict[str, float]


@dataclass(frozen=True, eq=False)
class History:
    """The steps of a run.

    Attributes
    ----------
    seconds
        Shape (steps,): how long each step took, on the cluster's clock.
    heard
        Shape (steps,): how many messages the master had heard when it decoded.
    errors
        Shape (steps,): the squared decoding error of each step; None where nothing was decoded.
    overhead
        Shape (steps,): real seconds that the master spent on decoding and updating; in a
        simulation this includes the gradients themselves. None where nothing was decoded.
    evaluations
        How good the model was on the way and at the end.
    """

    seconds: Numbers = field(repr=False)
    heard: NDArray[np.int64] = field(repr=False)
    errors: Numbers | None = field(repr=False)
    overhead: Numbers | None = field(repr=False)
    evaluations: tuple[Evaluation, ...]

    @property
    def steps(self) -> int:
        """Number of steps."""
        return len(self.seconds)

    @property
    def clock(self) -> Numbers:
        """Shape (steps,): the time at the end of each step."""
        clock: Numbers = self.seconds.cumsum()
        return clock


class Recording:
    """A history that is being written."""

    def __init__(self) -> None:
        self.clock = 0.0
        self._columns: dict[str, list[float]] = {
            name: [] for name in ("seconds", "heard", "errors", "overhead")
        }
        self._evaluations: list[Evaluation] = []

    @property
    def steps(self) -> int:
        """Number of steps done."""
        return len(self._columns["seconds"])

    @property
    def is_evaluated(self) -> bool:
        """Whether the model as it is now has been evaluated."""
        return bool(self._evaluations) and self._evaluations[-1].step == self.steps

    def stepped(self, *, seconds: float, heard: int, error: float, overhead: float) -> None:
        """Write down one step."""
        for name, value in zip(self._columns, (seconds, heard, error, overhead), strict=True):
            self._columns[name].append(value)
        self.clock += seconds

    def evaluated(self, evaluation: Evaluation) -> None:
        """Write down an evaluation."""
        self._evaluations.append(evaluation)

    def history(self) -> History:
        """Return what was written."""
        columns = {name: np.array(values, float) for name, values in self._columns.items()}
        return History(
            columns["seconds"],
            columns["heard"].astype(np.int64),
            columns["errors"],
            columns["overhead"],
            tuple(self._evaluations),
        )

    def to_arrays(self) -> tuple[dict[str, NDArray[Any]], list[str]]:
        """Return all of it as arrays, and the names of the metrics, for a checkpoint."""
        evaluations = self._evaluations
        names = list(dict.fromkeys(name for e in evaluations for name in e.metrics))
        rows = [[e.step, e.seconds, e.loss, *(e.metrics[n] for n in names)] for e in evaluations]
        columns = {name: np.array(values, float) for name, values in self._columns.items()}
        table = np.array(rows, float).reshape(len(rows), 3 + len(names))
        return columns | {"evaluations": table}, names

    @classmethod
    def from_arrays(cls, arrays: dict[str, NDArray[Any]], metrics: list[str]) -> Recording:
        """Return a recording from what `to_arrays` gave."""
        made = cls()
        for name in made._columns:
            made._columns[name] = arrays[name].tolist()
        for seconds in made._columns["seconds"]:
            made.clock += seconds  # one after the other, as they were added up at first
        for step, at, loss, *scores in arrays["evaluations"].tolist():
            named = dict(zip(metrics, scores, strict=True))
            made._evaluations.append(Evaluation(int(step), at, loss, named))
        return made
