"""Peeling on-line: messages come in one by one and give what they can at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gcdesign.codes.code import GradientCode
from gcdesign.errors import InputError

Reals = NDArray[np.float64]


class PeelingDecoder:
    """A decoder that takes workers' messages as they arrive.

    Parameters
    ----------
    code
        A code with real weights, or 0/1.

    Raises
    ------
    InputError
        If the weights are complex.

    Examples
    --------
    >>> from gcdesign.codes import GradientCode
    >>> code = GradientCode.from_matrix(np.array([[1, 1, 0], [0, 1, 1], [0, 0, 1]]))
    >>> decoder = PeelingDecoder(code)
    >>> decoder.arrive(0, np.array([3.0])), decoder.arrive(1, np.array([5.0]))
    ([], [])
    >>> decoder.arrive(2, np.array([3.0]))
    [2, 1, 0]
    >>> decoder.values.ravel().tolist()
    [1.0, 2.0, 3.0]
    """

    def __init__(self, code: GradientCode) -> None:
        if code.is_complex:
            raise InputError("peeling takes real messages; this code has complex weights")
        self.code = code
        self._unknown = code.placement.loads.copy()
        self._arrived = np.zeros(code.workers, dtype=bool)
        self._rest: dict[int, Reals] = {}
        self._values: dict[int, Reals] = {}
        self._shape: tuple[int, ...] | None = None

    def arrive(self, worker: int, message: NDArray[np.floating]) -> list[int]:
        """Take one worker's message and return the parts that it gives, in order.

        Raises
        ------
        InputError
            If there is no such worker, it has answered before, or the message is of another
            shape than the first, complex, NaN or infinite: one such number would spoil the parts
            that come after it.
        """
        if not 0 <= worker < self.code.workers:
            raise InputError(f"worker {worker}; expected 0 to {self.code.workers - 1}")
        if self._arrived[worker]:
            raise InputError(f"worker {worker} has answered before")
        if np.iscomplexobj(message):
            raise InputError("peeling takes real messages; this one is complex")
        rest = np.array(message, dtype=np.float64)
        if not np.isfinite(rest).all():
            raise InputError(f"worker {worker}: NaN or infinity in the message; leave it out")
        if self._shape not in (None, rest.shape):
            raise InputError(f"a message of shape {rest.shape}; the first had {self._shape}")
        self._shape = rest.shape
        self._arrived[worker] = True
        for part, weight in self._entries(worker):
            if part in self._values:
                rest -= weight * self._values[part]
        self._rest[worker] = rest
        ready, found = [worker], []
        while ready:
            given = self._give(ready.pop(0))
            if given is not None:
                found.append(given)
                ready += self._subtract(given)
        return found

    def _give(self, worker: int) -> int | None:
        """Recover the last unknown part of a worker, if it has exactly one."""
        if self._unknown[worker] == 0:
            self._rest.pop(worker, None)
        if self._unknown[worker] != 1 or worker not in self._rest:
            return None
        entries = self._entries(worker)
        part, weight = next((p, w) for p, w in entries if p not in self._values)
        rest = self._rest.pop(worker)
        self._values[part] = rest if weight == 1 else rest / weight
        return part

    def _subtract(self, part: int) -> list[int]:
        """Take a recovered part out of the messages that hold it; return who has one left."""
        ready = []
        for holder in self.code.placement.holders_of(part).tolist():
            self._unknown[holder] -= 1
            rest = self._rest.get(holder)
            if rest is None:
                continue
            weight = dict(self._entries(holder))[part]
            self._rest[holder] = rest - weight * self._values[part]
            if self._unknown[holder] <= 1:
                ready.append(holder)
        return ready

    def _entries(self, worker: int) -> list[tuple[int, float]]:
        design, weights = self.code.placement.design, self.code.weights
        part = slice(design.indptr[worker], design.indptr[worker + 1])
        entries = np.ones(part.stop - part.start) if weights is None else weights[part]
        return list(zip(design.indices[part].tolist(), entries.tolist(), strict=True))

    @property
    def complete(self) -> bool:
        """Whether every part is recovered."""
        return len(self._values) == self.code.parts

    @property
    def recovered(self) -> list[int]:
        """The recovered parts, in the order in which they were recovered."""
        return list(self._values)

    @property
    def values(self) -> Reals:
        """Shape (K, …): the gradients of the recovered parts; the others are NaN."""
        result = np.full((self.code.parts, *(self._shape or ())), np.nan)
        for part, value in self._values.items():
            result[part] = value
        return result

    @property
    def total(self) -> Reals:
        """The sum of the recovered gradients; 0 if there is none."""
        total = np.zeros(self._shape or ())
        for value in self._values.values():
            total += value
        return total

    @property
    def stopping_set(self) -> list[int]:
        """The unknown parts that some message holds, in increasing order."""
        return sorted(
            {
                part
                for worker in self._rest
                for part, _ in self._entries(worker)
                if part not in self._values
            }
        )
