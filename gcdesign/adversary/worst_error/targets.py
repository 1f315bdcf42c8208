"""What the searches for an extreme error ask of a form: a common protocol."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from gcdesign.adversary.running.chunks import Stop

Floats = NDArray[np.float64]
Sets = NDArray[np.int64]
Found = tuple[float, tuple[int, ...]]
"""A key with a set: `want` times an end of the error, and the elements in the form's terms."""

Task = tuple[tuple[int, ...], int]
"""Elements that are given, and the number p of the first ones that may join them."""

MAX_LEADERS = 256
"""Sets that one chunk of a search keeps of those that pass the bar."""


class Target(Protocol):
    """A function of the sets of one size whose extreme is sought."""

    @property
    def alive(self) -> bool:
        """Whether sets are survivors; else they are silent workers."""

    @property
    def want(self) -> int:
        """1 if the greatest error is sought, -1 for the least."""

    @property
    def size(self) -> int:
        """Number of workers N."""

    def promise(self) -> Floats:
        """Return a number for each worker that tends to be great for those in extreme sets."""

    def permuted(self, order: NDArray[np.int64]) -> Self:
        """Return the same with the workers in another order."""

    def climb(self, starts: Sets, stop: Stop) -> Floats:
        """Improve starts in place by swaps, -1 standing for elements to be chosen.

        Returns `want` times their errors; NaN for starts that were stopped.
        """

    def visit(self, tasks: Sequence[Task], leaders: Leaders, stop: Stop) -> bool:
        """Put the sets of some tasks into ``leaders``, if `want` times their error may pass.

        Returns whether every set was visited.
        """


@dataclass(frozen=True, eq=False)
class Leaders:
    """The sets that pass a bar, as compiled code writes them.

    Attributes
    ----------
    keys, sets
        Shapes (M,) and (M, S).
    tally
        Number of sets kept, and two counts of work.
    bar
        Shape (1,): what the next set has to pass; it rises when more than M sets have passed.
    """

    keys: Floats
    sets: Sets
    tally: Sets
    bar: Floats

    @classmethod
    def empty(cls, size: int, bar: float) -> Leaders:
        """Return room for `MAX_LEADERS` sets of a size."""
        sets = np.zeros((MAX_LEADERS, size), dtype=np.int64)
        return cls(np.zeros(MAX_LEADERS), sets, np.zeros(3, dtype=np.int64), np.array([bar]))

    @property
    def arrays(self) -> tuple[Floats, Sets, Sets, Floats]:
        """What compiled code takes."""
        return self.keys, self.sets, self.tally, self.bar

    def found(self) -> list[Found]:
        """Return the keys and sets that were kept."""
        kept = int(self.tally[0])
        sets = (tuple(members) for members in self.sets[:kept].tolist())
        return list(zip(self.keys[:kept].tolist(), sets, strict=True))


def silent_sets(target: Target, sets: Iterable[Sequence[int]]) -> list[tuple[int, ...]]:
    """Return the silent workers of sets in a form's terms, in increasing order.

    Examples
    --------
    >>> from gcdesign.adversary.worst_error.forms import survivors_form
    >>> silent_sets(survivors_form(np.eye(4)), [(0, 2)])
    [(1, 3)]
    """
    everyone = set(range(target.size))
    return [tuple(sorted(everyone.difference(s) if target.alive else s)) for s in sets]


def padded(known: Sequence[int], size: int) -> tuple[Sets, int]:
    """Return the known elements in an array with room for a set, and their number.

    Examples
    --------
    >>> padded((5, 3), 4)
    (array([5, 3, 0, 0]), 2)
    """
    chosen = np.zeros(size, dtype=np.int64)
    chosen[: len(known)] = known
    return chosen, len(known)
