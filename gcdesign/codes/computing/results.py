"""What comes back from workers: checked, put into the order of the workers, NaN found."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

import numpy as np

from gcdesign.codes.computing.arrays import Array, all_finite, as_array
from gcdesign.errors import InputError

Results = Mapping[Any, Any] | Iterable[tuple[Any, Any]]
"""Results by worker, as a mapping or as pairs in any order."""

Invalid = Literal["refuse", "leave-out"]
"""What is done with results that hold NaN or infinity."""


@dataclass(frozen=True, eq=False)
class Received:
    """Results that fit together, in the order of the workers.

    Attributes
    ----------
    workers
        Who returned a result that is used, increasing.
    values
        The results of these workers; all of one shape, not copied.
    left_out
        Workers whose result held NaN or infinity and is not used.
    """

    workers: tuple[int, ...]
    values: tuple[Array, ...]
    left_out: tuple[int, ...] = ()

    def without(self, workers: Collection[int]) -> Received:
        """Return the same but for the results of some workers."""
        pairs = zip(self.workers, self.values, strict=True)
        kept = [(worker, value) for worker, value in pairs if worker not in workers]
        return Received(
            tuple(worker for worker, _ in kept), tuple(value for _, value in kept), self.left_out
        )


def receive(results: Results, *, workers: int, invalid: Invalid = "refuse") -> Received:
    """Check results and put them into the order of the workers.

    Parameters
    ----------
    results
        A mapping from workers to arrays of one shape, or pairs of the two.
    workers
        Number of workers N; they are numbered from 0.
    invalid
        ``"refuse"``: a NaN or an infinity is an error that names its workers. ``"leave-out"``:
        results with one count as not returned.

    Raises
    ------
    InputError
        If there is no result, a worker is unknown or has two, shapes differ, or NaN or infinity
        is refused.

    Examples
    --------
    >>> found = receive({3: [1.0, 2.0], 0: [0.5, float("nan")]}, workers=5, invalid="leave-out")
    >>> found.workers, found.left_out
    ((3,), (0,))
    """
    if invalid not in ("refuse", "leave-out"):
        raise InputError(f"invalid={invalid!r}; expected refuse or leave-out")
    found: dict[int, Array] = {}
    for worker, value in pairs_of(results):
        number = check_worker(worker, workers)
        if number in found:
            raise InputError(f"worker {number} has two results; expected one from each worker")
        found[number] = as_array(value, f"results of worker {number}")
    if not found:
        raise InputError("no result has come back; decoding needs at least one")
    check_alike(found)
    broken = sorted(worker for worker, value in found.items() if not all_finite(value))
    if broken and invalid == "refuse":
        raise InputError(
            f"{named(broken)}: NaN or infinity in the result; leave it out or repair it"
        )
    good = sorted(found.keys() - set(broken))
    if not good:
        raise InputError(
            f"{named(broken)}: NaN or infinity in every result; none is left to decode"
        )
    return Received(tuple(good), tuple(found[worker] for worker in good), tuple(broken))


def check_inputs(data: Any, parts: int) -> Array:
    """Return the inputs as an array, shape (K, …).

    Raises
    ------
    InputError
        If there are not K inputs, or one is NaN or infinite.
    """
    array = as_array(data, "inputs")
    if array.ndim == 0 or array.shape[0] != parts:
        raise InputError(
            f"inputs of shape {tuple(array.shape)}; expected one for each of {parts} parts"
        )
    if not all_finite(array):
        raise InputError("an input is NaN or infinite, and would spoil what every worker gets")
    return array


def check_worker(worker: Any, workers: int) -> int:
    """Return a worker's number, or refuse what is none.

    Raises
    ------
    InputError
        If it is no whole number from 0 to N − 1.
    """
    whole = isinstance(worker, (int, np.integer)) and not isinstance(worker, (bool, np.bool_))
    if not whole or not 0 <= worker < workers:
        raise InputError(f"unknown worker {worker!r}; expected a number from 0 to {workers - 1}")
    return int(worker)


def check_workers(given: Iterable[int], workers: int) -> tuple[int, ...]:
    """Return different workers in increasing order.

    Raises
    ------
    InputError
        If there is none, or one is unknown or named twice.
    """
    numbers = sorted(check_worker(worker, workers) for worker in given)
    if not numbers:
        raise InputError("no worker has returned a result; decoding needs at least one")
    twice = [a for a, b in pairwise(numbers) if a == b]
    if twice:
        raise InputError(f"worker {twice[0]} is named twice; expected each worker once")
    return tuple(numbers)


def named(workers: list[int]) -> str:
    """Return ``"worker 3"`` or ``"workers 3, 5"``."""
    return f"worker{'s' if len(workers) > 1 else ''} {', '.join(map(str, workers))}"


def pairs_of(results: Results) -> Iterator[tuple[Any, Any]]:
    """Yield (worker, result), whichever way the results are given; refuse what is neither."""
    pairs: Any = results.items() if isinstance(results, Mapping) else results
    try:
        yield from ((worker, value) for worker, value in pairs)
    except (TypeError, ValueError):
        raise InputError(
            "the results are no mapping from workers to arrays, nor pairs of the two"
        ) from None


def check_alike(found: Mapping[int, Array]) -> None:
    """Refuse results, by worker, that differ in shape or in array library.

    Raises
    ------
    InputError
        If two of them do.
    """
    (first, model), *others = found.items()
    for worker, value in others:
        if value.shape != model.shape:
            raise InputError(
                f"worker {worker} returned shape {tuple(value.shape)}, worker {first} "
                f"{tuple(model.shape)}; expected one shape"
            )
        if _library(value) != _library(model):
            raise InputError(
                f"worker {worker} returned an array of another library than worker {first}"
            )


def _library(value: Array) -> str:
    return type(value).__module__.partition(".")[0]
