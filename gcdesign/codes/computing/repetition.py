"""Repetition, and no code at all: each worker computes f of one input."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gcdesign.codes.computing.arrays import Array
from gcdesign.codes.computing.results import (
    Invalid,
    Received,
    Results,
    check_inputs,
    named,
    receive,
)
from gcdesign.codes.computing.thresholds import repetition_threshold
from gcdesign.codes.counts import check_count
from gcdesign.errors import InputError


@dataclass(frozen=True)
class RepetitionCode:
    """K inputs dealt out in turn: worker i gets input i mod K. For N = K there is no code.

    Parameters
    ----------
    parts, workers
        Numbers of inputs K and workers N ≥ K.

    Raises
    ------
    InputError
        If K is below 1, or N below K.

    Examples
    --------
    >>> code = RepetitionCode(parts=2, workers=5)
    >>> coded = code.encode(np.array([1.0, 3.0]))
    >>> code.decode({4: coded[4] ** 2, 3: coded[3] ** 2}).tolist(), code.threshold
    ([1.0, 9.0], 4)
    """

    parts: int
    workers: int

    def __post_init__(self) -> None:
        repetition_threshold(self.parts, self.workers)
        check_count("workers", self.workers)

    @property
    def threshold(self) -> int:
        """How many results hold every part, whichever they are."""
        return repetition_threshold(self.parts, self.workers)

    def encode(self, data: Array) -> Array:
        """Return what each worker gets, shape (N, …), for inputs of shape (K, …).

        Raises
        ------
        InputError
            If the inputs do not fit.
        """
        array = check_inputs(data, self.parts)
        part_of = np.arange(self.workers) % self.parts
        if isinstance(array, np.ndarray):
            return array[part_of]
        return array.__array_namespace__().stack([array[int(part), ...] for part in part_of])

    def decode(self, results: Results | Received, *, invalid: Invalid = "refuse") -> Array:
        """Return f(X_j), shape (K, …), each from the first of its holders that returned.

        Raises
        ------
        InputError
            If a part has no holder among those that returned, or the results do not fit together.
        """
        if not isinstance(results, Received):
            results = receive(results, workers=self.workers, invalid=invalid)
        found: dict[int, Array] = {}
        for worker, value in zip(results.workers, results.values, strict=True):
            found.setdefault(worker % self.parts, value)
        missing = [part for part in range(self.parts) if part not in found]
        if missing:
            text = named(missing).replace("worker", "part")
            raise InputError(f"{text}: no holder has returned; repetition needs one for each part")
        rows = [found[part] for part in range(self.parts)]
        if isinstance(rows[0], np.ndarray):
            return np.stack(rows)
        return rows[0].__array_namespace__().stack(rows)
