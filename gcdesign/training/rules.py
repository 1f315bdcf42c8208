"""When a master has heard enough of a gradient code's workers: on line, and for many steps."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gcdesign.codes import DecoderName, GradientCode, ReplicaGroups
from gcdesign.training.scheme import Collector, Message

Arrivals = NDArray[np.float64]
"""Shape (steps, N): when each worker's message arrives; infinite for never."""


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


def rule_for(code: GradientCode, needed: int, decoder: DecoderName) -> Rule:
    """Return the rule of a code: ``needed`` workers, or as many as lose nothing."""
    structure = code.structure
    if decoder == "optimal" and isinstance(structure, ReplicaGroups) and not structure.unheld:
        return Groups(structure.group_of, needed)
    return Count(needed)
