"""When a master has heard enough of a gradient code's workers: on line, and for many steps."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gcdesign.codes import ConstantIntersection, GradientCode, ParallelClasses, ReplicaGroups
from gcdesign.training.scheme import Collector, Message

Arrivals = NDArray[np.float64]
"""Shape (steps, N): when each worker's message arrives; infinite for never."""

ErrorOf = Callable[[list[Message]], float]
"""The decoding error of the messages that arrived."""

LOSSLESS = 1e-9
"""Times K: decoding errors up to this count as 0."""


class Rule(ABC):
    """Says when the messages that arrived are enough."""

    @abstractmethod
    def collector(self) -> Collector:
        """Return the collector of a new step."""

    @abstractmethod
    def waits(self, arrivals: Arrivals) -> NDArray[np.float64]:
        """Return how long the master waits in each of many steps, shape (steps,)."""


@dataclass(frozen=True)
class Count(Rule):
    """Enough is a number of workers, whoever they are."""

    needed: int

    def collector(self) -> Collector:
        """Return a collector that counts."""
        return _Counting(self.needed)

    def waits(self, arrivals: Arrivals) -> NDArray[np.float64]:
        """Return the needed-th smallest time of each step."""
        waits: NDArray[np.float64] = np.partition(arrivals, self.needed - 1, axis=1)
        return waits[:, self.needed - 1]


class _Counting(Collector):
    def __init__(self, needed: int) -> None:
        super().__init__()
        self._needed = needed

    def _enough(self, message: Message) -> bool:
        return len(self.arrived) >= self._needed


@dataclass(frozen=True, eq=False)
class Groups(Rule):
    """Enough is one worker of each group, or a number of workers, whichever comes first."""

    group_of: NDArray[np.int64] = field(repr=False)
    needed: int

    def collector(self) -> Collector:
        """Return a collector that counts groups and workers."""
        return _Grouping(self)

    def waits(self, arrivals: Arrivals) -> NDArray[np.float64]:
        """Return when the last group was heard of, or enough workers were."""
        first = [arrivals[:, self.group_of == group].min(axis=1) for group in self.groups]
        all_heard: NDArray[np.float64] = np.max(first, axis=0)
        return np.minimum(all_heard, Count(self.needed).waits(arrivals))

    @property
    def groups(self) -> range:
        """The groups' numbers."""
        return range(int(self.group_of.max()) + 1)


class _Grouping(Collector):
    def __init__(self, rule: Groups) -> None:
        super().__init__()
        self._group_of = rule.group_of.tolist()
        self._needed = rule.needed
        self._missing = set(rule.groups)

    def _enough(self, message: Message) -> bool:
        self._missing.discard(self._group_of[message[0]])
        return not self._missing or len(self.arrived) >= self._needed


@dataclass(frozen=True, eq=False)
class Classes(Rule):
    """Enough is all workers of some class, or a number of workers, whichever comes first."""

    class_of: NDArray[np.int64] = field(repr=False)
    needed: int

    def collector(self) -> Collector:
        """Return a collector that counts what is missing of each class."""
        return _Completing(self)

    def waits(self, arrivals: Arrivals) -> NDArray[np.float64]:
        """Return when the first class was complete, or enough workers were heard."""
        classes = range(int(self.class_of.max()) + 1)
        last = [arrivals[:, self.class_of == number].max(axis=1) for number in classes]
        complete: NDArray[np.float64] = np.min(last, axis=0)
        return np.minimum(complete, Count(self.needed).waits(arrivals))


class _Completing(Collector):
    def __init__(self, rule: Classes) -> None:
        super().__init__()
        self._class_of = rule.class_of.tolist()
        self._needed = rule.needed
        self._missing = np.bincount(rule.class_of).tolist()

    def _enough(self, message: Message) -> bool:
        own = self._class_of[message[0]]
        self._missing[own] -= 1
        return not self._missing[own] or len(self.arrived) >= self._needed


@dataclass(frozen=True, eq=False)
class Lossless(Rule):
    """Enough is any set that loses nothing, or a number of workers, whichever comes first.

    Attributes
    ----------
    code
        The code.
    needed
        The number of workers.
    error_of
        Decodes; asked only once every part has been heard of.
    """

    code: GradientCode
    needed: int
    error_of: ErrorOf = field(repr=False)

    def collector(self) -> Collector:
        """Return a collector that decodes when every part has been heard of."""
        return _Covering(self)

    def waits(self, arrivals: Arrivals) -> NDArray[np.float64]:
        """Let the messages of every step arrive one after the other."""
        waits = np.full(len(arrivals), np.inf)
        for step, (times, order) in enumerate(zip(arrivals, arrivals.argsort(axis=1), strict=True)):
            collector = self.collector()
            for worker in order.tolist():
                if times[worker] == np.inf:
                    break
                if collector.add((worker, 0)):
                    waits[step] = times[worker]
                    break
        return waits


class _Covering(Collector):
    def __init__(self, rule: Lossless) -> None:
        super().__init__()
        self._rule = rule
        self._unheard = np.ones(rule.code.parts, dtype=bool)

    def _enough(self, message: Message) -> bool:
        rule = self._rule
        if len(self.arrived) >= rule.needed:
            return True
        self._unheard[rule.code.placement.design.block(message[0])] = False
        if self._unheard.any():
            return False
        return rule.error_of(self.arrived) <= LOSSLESS * rule.code.parts


def rule_for(code: GradientCode, needed: int, error_of: ErrorOf | None) -> Rule:
    """Return the rule of a code: ``needed`` workers, or as many as lose nothing.

    Parameters
    ----------
    code
        The code.
    needed
        The number of workers that are enough in any case.
    error_of
        The error of optimal decoding; None if the decoder is another, for which the number
        alone counts.
    """
    structure = code.structure
    sure = code.weights is not None and code.promises(code.workers - needed)
    if error_of is None or needed == 1 or sure or isinstance(structure, ConstantIntersection):
        return Count(needed)
    if isinstance(structure, ReplicaGroups) and not structure.unheld:
        return Groups(structure.group_of, needed)
    if isinstance(structure, ParallelClasses):
        return Classes(structure.class_of, needed)
    return Lossless(code, needed, error_of)
