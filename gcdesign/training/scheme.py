"""What a master needs to know of a code: who sends what, when that is enough, and how to decode.

A *message* is known by its worker and its number: nearly all schemes have one message of each
worker and step, those for partial stragglers have two. Everything that decoding does is linear
in the messages, so a `Decoded` is weights, known before the messages themselves are looked at.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from gcdesign.training.vectors import add_scaled

if TYPE_CHECKING:
    from gcdesign.codes import GradientCode
    from gcdesign.training.problems.problem import GradientSource, Problem

Message = tuple[int, int]
"""A worker, and the number of its message in the step: (3, 0) is the first of worker 3."""

Messages = Mapping[Message, NDArray[Any]]
"""The content of messages, each of shape (length,)."""


class Worker(Protocol):
    """One worker of a scheme with its data: it answers a model with messages."""

    def answer(self, step: int, point: NDArray[np.float64], number: int) -> NDArray[Any]:
        """Return message ``number`` of this step, of shape (length,).

        Parameters
        ----------
        step
            The step, from 0; it picks the mini-batch.
        point
            The parameters that the master sent, shape (p,).
        number
            Which message: 0, 1, … below the scheme's number of messages.
        """
        ...


@dataclass(frozen=True, eq=False)
class Decoded:
    """How the messages that arrived combine to the gradient: Σ weight × message.

    Attributes
    ----------
    messages
        The messages that are used; others need not be looked at.
    weights
        Shape (number of messages,): real, or complex, of whose combination the real part counts.
    error
        The squared decoding error: of ‖Eᵀv − 1‖², or what the scheme states in its place.
    """

    messages: tuple[Message, ...]
    weights: NDArray[Any] = field(repr=False)
    error: float

    def combine(self, contents: Messages, length: int) -> NDArray[np.float64]:
        """Return the decoded sum of all parts' gradients, shape (length,).

        Parameters
        ----------
        contents
            At least the messages that are used.
        length
            The number of parameters p.
        """
        total = np.zeros(length, np.result_type(self.weights, np.float64))
        for message, weight in zip(self.messages, self.weights.tolist(), strict=True):
            add_scaled(total, contents[message], weight)
        return total.real


class Collector(ABC):
    """What has arrived in one step, and whether it is enough.

    Attributes
    ----------
    arrived
        The messages, in the order of their arrival.
    ready
        Whether the master can stop waiting.
    """

    def __init__(self) -> None:
        self.arrived: list[Message] = []
        self.ready = False

    def add(self, message: Message) -> bool:
        """Take in one message, which comes once; return whether that is enough now."""
        self.arrived.append(message)
        self.ready = self.ready or self._enough(message)
        return self.ready

    @abstractmethod
    def _enough(self, message: Message) -> bool:
        """Whether the messages that arrived, of which this is the last, are enough."""


class Asking(Collector):
    """A collector that asks the scheme anew after each arrival."""

    def __init__(self, scheme: Scheme) -> None:
        super().__init__()
        self._scheme = scheme

    def _enough(self, message: Message) -> bool:
        return self._scheme.enough(self.arrived)


class Scheme(ABC):
    """A way to share a gradient's work among N workers, as the master sees it.

    Simulation and real runs use the same: the master sends a point, feeds each message that
    arrives to a `collector`, and when that is ready, or the ``deadline`` is over, decodes.

    Attributes
    ----------
    name
        As `gcdesign.training.make_scheme` takes it.
    label
        A short title for people.
    workers, parts
        N and K.
    messages
        Number of messages that each worker sends in a step.
    shares
        Shape (N, messages): the share of the data that a worker has been through when it sends
        each message, increasing along a row; 1/N is the load of a worker without coding.
    deadline
        Seconds after which the master decodes what it has; None if it waits until it is ready.
    is_complex
        Whether messages are complex.
    code
        The gradient code that an adversary would attack; None if there is none.
    """

    name: str
    label: str
    workers: int
    parts: int
    messages: int = 1
    shares: NDArray[np.float64]
    deadline: float | None = None
    is_complex: bool = False
    code: GradientCode | None = None

    @abstractmethod
    def worker(
        self, problem: Problem, number: int, *, source: GradientSource | None = None
    ) -> Worker:
        """Return one worker with its share of the problem's data.

        Parameters
        ----------
        problem
            Cut into this scheme's K parts.
        number
            The worker.
        source
            Where the gradients of parts come from, by default the problem itself; a simulation
            gives one that works out each part once for all workers.
        """

    @abstractmethod
    def enough(self, arrived: Collection[Message]) -> bool:
        """Whether the master need not wait for more than these messages, in any order."""

    @abstractmethod
    def decode(self, arrived: Iterable[Message]) -> Decoded:
        """Return how these messages combine to the gradient; any set of them will do."""

    def collector(self) -> Collector:
        """Return the collector of a new step."""
        return Asking(self)

    def waits(self, arrivals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return how long the master waits in each of many steps, the deadline not counted.

        Parameters
        ----------
        arrivals
            Shape (steps, N, messages): when each message arrives; infinite for never.

        Returns
        -------
        array
            Shape (steps,): the time of the message that is enough; infinite if none is.
        """
        waits = np.full(len(arrivals), np.inf)
        for step, times in enumerate(arrivals.reshape(len(arrivals), -1)):
            collector = self.collector()
            for place in times.argsort(kind="stable").tolist():
                if times[place] < np.inf and collector.add(divmod(place, self.messages)):
                    waits[step] = times[place]
                    break
        return waits

    def hopeless(self, lost: Collection[int]) -> bool:
        """Whether the master waits for ever once these workers have fallen silent for good."""
        if self.deadline is not None:
            return False
        alive = [w for w in range(self.workers) if w not in lost]
        return not self.enough([(w, m) for m in range(self.messages) for w in alive])

    def settings(self) -> list[object]:
        """Return what tells this scheme from others with its label, as plain values.

        A checkpoint must agree in them; numbers that rounding may change are left out.
        """
        return [self.deadline]

    def length(self, parameters: int) -> int:
        """Return the length of a message when there are so many parameters."""
        return parameters
