"""All admissible parameter sets up to a limit, each with its answer."""

from __future__ import annotations

from collections.abc import Iterator

from gcdesign.designs.existence.answers import Answer
from gcdesign.designs.existence.asking import exists
from gcdesign.designs.existence.parameters import Bibd
from gcdesign.errors import InputError, LimitError

MAX_R = 200
"""Largest replication that a catalogue goes to."""


def admissible(max_r: int, max_v: int | None = None) -> list[Bibd]:
    """Return the parameters with 3 ≤ k ≤ v/2 that divisibility and Fisher's inequality allow.

    Parameters
    ----------
    max_r
        Largest replication.
    max_v
        Largest number of points; without it, all that the replication allows.

    Raises
    ------
    InputError
        If a limit is too small for any design.
    LimitError
        If ``max_r`` is beyond `MAX_R`.

    Examples
    --------
    >>> [str(wanted) for wanted in admissible(4)]
    ['(7,3,1)', '(9,3,1)', '(13,4,1)']
    >>> len(admissible(41)), len(admissible(41, 200))
    (1196, 949)
    """
    if max_r < 3:
        raise InputError(f"max-r={max_r}; expected 3 or more")
    if max_v is not None and max_v < 6:
        raise InputError(f"max-v={max_v}; expected 6 or more")
    if max_r > MAX_R:
        raise LimitError(f"max-r={max_r}; the limit is {MAX_R}: take a smaller one")
    return sorted(_parameters(max_r, max_v or max_r * max_r))


def _parameters(max_r: int, max_v: int) -> Iterator[Bibd]:
    for r in range(3, max_r + 1):
        for k in range(3, r + 1):  # Fisher: k ≤ r
            for lambda_ in range(1, r):
                points, rest = divmod(r * (k - 1), lambda_)
                wanted = Bibd(points + 1, k, lambda_)
                if not rest and 2 * k <= wanted.v <= max_v and wanted.divides:
                    yield wanted


def catalogue(max_r: int, max_v: int | None = None) -> Iterator[Answer]:
    """Yield the answer for every set of parameters of `admissible`, in order of v, k and λ."""
    return (exists(*wanted) for wanted in admissible(max_r, max_v))
