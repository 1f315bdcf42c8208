"""What travels between the master and the workers: tags, and the layout of each message.

Models and gradients are rows of floats with a short head, sent from and received into buffers that
are there beforehand. News are short texts: who is ready, who was lost.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

NEWS_BYTES = 2048
"""Room for one piece of news; longer texts are cut."""

LONGEST_TEXT = 400


class Tag(IntEnum):
    """MPI tags."""

    MODEL = 1
    MESSAGE = 2
    NEWS = 3
    END = 4


MESSAGE_HEAD = 4
"""Floats before the values of a message: step, number, seconds, whether all values are finite."""


@dataclass(frozen=True)
class Sizes:
    """How long the rows of a run are.

    Attributes
    ----------
    workers, messages
        N, and how many messages each worker sends in a step.
    parameters
        The number of parameters p.
    length
        The number of values of a message.
    is_complex
        Whether they are complex.

    Examples
    --------
    >>> Sizes(workers=12, messages=1, parameters=100, length=100).model_floats
    113
    """

    workers: int
    messages: int
    parameters: int
    length: int
    is_complex: bool = False

    @property
    def model_floats(self) -> int:
        """Length of a model's row: the step, when each message may go, the parameters."""
        return 1 + self.workers * self.messages + self.parameters

    @property
    def message_floats(self) -> int:
        """Length of a message's row: `MESSAGE_HEAD` floats and the values."""
        return MESSAGE_HEAD + self.length * (2 if self.is_complex else 1)

    def holds(self, model: Floats) -> Floats:
        """Return the view of a model's row that says when messages may go, shape (N, messages)."""
        held = model[1 : 1 + self.workers * self.messages]
        return held.reshape(self.workers, self.messages)

    def point(self, model: Floats) -> Floats:
        """Return the view of a model's row that holds the parameters."""
        return model[1 + self.workers * self.messages :]

    def values(self, message: Floats) -> NDArray[Any]:
        """Return the view of a message's row that holds the values."""
        return message[MESSAGE_HEAD:].view(np.complex128 if self.is_complex else np.float64)


@dataclass(frozen=True)
class News:
    """What a worker's process tells the master, apart from gradients.

    Attributes
    ----------
    kind
        ``ready`` (it can begin), ``raised``, ``died`` or ``silent`` (it is lost), ``alive``
        (nothing new), ``bye`` (it has ended).
    worker
        The worker's number.
    step
        The step that it worked on; -1 before the first.
    text
        What happened, one line.
    numbers
        ``ready``: the lengths of a model's and a message's row; ``bye``: how many messages were
        sent in all.
    refused
        Whether the input was at fault, so that the text is an error message for the user.
    """

    kind: str
    worker: int
    step: int = -1
    text: str = ""
    numbers: tuple[int, ...] = ()
    refused: bool = False

    def packed(self) -> NDArray[np.uint8]:
        """Return the news as bytes of fixed number."""
        fields = asdict(self) | {"text": one_line(self.text)}
        data = json.dumps(fields).encode()
        return np.frombuffer(data.ljust(NEWS_BYTES), np.uint8).copy()

    @classmethod
    def unpacked(cls, data: NDArray[np.uint8]) -> News:
        """Return the news that were packed.

        Examples
        --------
        >>> news = News("died", 3, step=7, text="killed by SIGKILL")
        >>> News.unpacked(news.packed()) == news
        True
        """
        fields: dict[str, Any] = json.loads(data.tobytes())
        return cls(**fields | {"numbers": tuple(fields["numbers"])})


def one_line(text: str) -> str:
    """Return the text without line breaks, cut to `LONGEST_TEXT` characters."""
    joined = " ".join(text.split())
    return joined if len(joined) <= LONGEST_TEXT else joined[: LONGEST_TEXT - 1] + "…"
