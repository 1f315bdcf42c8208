"""Whole numbers of nodes for the shares of a degree distribution, with edges that match."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.ensembles.degrees import Degrees
from gcdesign.errors import InputError

MOVED = 0.01
"""Share of the nodes that may get another degree of the distribution, so that edges match."""

SEARCHED = 2000
"""How far from the numbers asked for the nearest that fit are looked for."""

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class DegreeSequences:
    """The degree of every part and of every worker; both have the same sum.

    Attributes
    ----------
    parts
        Shape (K,): the number of workers of each part, in decreasing order.
    workers
        Shape (N,): the number of parts of each worker, in decreasing order.
    """

    parts: Ints
    workers: Ints

    @property
    def edges(self) -> int:
        """The number of edges."""
        return int(self.workers.sum())


def node_degrees(degrees: Degrees, count: int) -> Ints:
    """Return the degrees of so many nodes, decreasing, by the method of largest remainders.

    Examples
    --------
    >>> node_degrees(Degrees.from_table({1: 0.5, 3: 0.5}), 5).tolist()
    [3, 3, 1, 1, 1]
    """
    numbers = [share * count for _, share in degrees.shares]
    whole = np.array([int(number) for number in numbers], dtype=np.int64)
    left = count - int(whole.sum())
    remainders = [number - int(number) for number in numbers]
    # Ties go to the lower degree.
    for place in sorted(range(len(numbers)), key=lambda i: -remainders[i])[:left]:
        whole[place] += 1
    return np.repeat(degrees.degrees, whole)[::-1].copy()


def even_degrees(edges: int, count: int) -> Ints:
    """Return degrees of so many nodes that differ by at most 1, decreasing.

    Examples
    --------
    >>> even_degrees(8, 3).tolist()
    [3, 3, 2]
    """
    return edges // count + (np.arange(count) < edges % count).astype(np.int64)


def degree_sequences(
    workers: int,
    parts: int,
    degrees: Degrees,
    copies: Degrees | None = None,
    *,
    exact: bool = True,
) -> DegreeSequences:
    """Return whole degrees of all nodes, so that both sides have the same number of edges.

    Parameters
    ----------
    workers, parts
        N and K.
    degrees
        Distribution of the workers' degrees, R(x).
    copies
        Distribution of the parts' degrees, L(x); by default they are as even as possible.
    exact
        Whether both distributions must hold; if not, a few parts may have one edge more or less.

    Raises
    ------
    InputError
        If K L'(1) and N R'(1) are further apart than whole numbers of nodes explain, so that
        no graph has this rate; the nearest is named. Or if a degree is larger than the number
        of nodes on the other side, or there are too few edges to reach every part.

    Examples
    --------
    >>> found = degree_sequences(4, 3, Degrees.from_table({1: 0.5, 2: 0.5}))
    >>> found.parts.tolist(), found.workers.tolist()
    ([2, 2, 2], [2, 2, 1, 1])
    """
    if workers < 1 or parts < 1:
        raise InputError(f"workers={workers}, parts={parts}; expected 1 or more of both")
    _check_reach(degrees, parts, "workers have", "parts")
    loads = node_degrees(degrees, workers)
    if copies is None:
        edges = int(loads.sum())
        if edges < parts:
            raise InputError(
                f"{workers} workers with {edges} edges cannot reach {parts} parts; take more "
                f"workers, from {-(-parts // degrees.mean)} on, or larger degrees"
            )
        even = even_degrees(edges, parts)
        if even[0] > workers:
            raise InputError(
                f"{edges} edges for {parts} parts; expected at most {workers} for each, one on "
                "every worker"
            )
        return DegreeSequences(even, loads)
    _check_reach(copies, workers, "parts have", "workers")
    held = node_degrees(copies, parts)
    moved = _moved(degrees, loads, int(held.sum()))
    if moved is not None:
        return DegreeSequences(held, moved)
    missing = int(loads.sum() - held.sum())
    if exact or abs(missing) > max(degrees.largest, MOVED * parts) or abs(missing) > parts:
        raise _no_such_rate(workers, parts, degrees, copies)
    held[: abs(missing)] += 1 if missing > 0 else -1
    return DegreeSequences(np.sort(held)[::-1].copy(), loads)


def _check_reach(degrees: Degrees, others: int, who: str, what: str) -> None:
    if degrees.largest > others:
        raise InputError(
            f"some {who} the degree {degrees.largest}, and there are {others} {what}; expected "
            f"degrees up to {others}"
        )


def _moved(degrees: Degrees, loads: Ints, edges: int) -> Ints | None:
    """Return the loads with some nodes moved to other degrees of the distribution.

    The sum becomes ``edges``. The largest steps that do not go too far come first; None if that
    takes more than a few nodes, or the steps that there are cannot make the difference.
    """
    values = degrees.degrees
    counts = np.bincount(np.searchsorted(values, loads), minlength=len(values))
    missing, budget = edges - int(loads.sum()), max(len(values), int(MOVED * len(loads)))
    while missing and budget >= 0:
        sources = np.flatnonzero(counts)
        steps = (values[None, :] - values[sources][:, None]) * (1 if missing > 0 else -1)
        steps[(steps > abs(missing)) | (steps <= 0)] = 0
        source, target = np.unravel_index(int(steps.argmax()), steps.shape)
        size = int(steps[source, target])
        if not size:
            return None
        times = min(abs(missing) // size, int(counts[sources[source]]))
        counts[sources[source]] -= times
        counts[target] += times
        missing -= times * size * (1 if missing > 0 else -1)
        budget -= times
    return None if budget < 0 else np.repeat(values, counts)[::-1].copy()


def _fits(workers: int, parts: int, degrees: Degrees, copies: Degrees) -> bool:
    edges = int(node_degrees(copies, parts).sum())
    return _moved(degrees, node_degrees(degrees, workers), edges) is not None


def _no_such_rate(workers: int, parts: int, degrees: Degrees, copies: Degrees) -> InputError:
    fit_parts = round(workers * degrees.mean / copies.mean)
    fit_workers = round(parts * copies.mean / degrees.mean)
    around = [step * sign for step in range(SEARCHED) for sign in (1, -1)]
    more_parts = (fit_parts + d for d in around if fit_parts + d > 0)
    more_workers = (fit_workers + d for d in around if fit_workers + d > 0)
    near = [
        f"{name}={found}"
        for name, found in (
            ("parts", next((k for k in more_parts if _fits(workers, k, degrees, copies)), None)),
            ("workers", next((n for n in more_workers if _fits(n, parts, degrees, copies)), None)),
        )
        if found is not None
    ]
    return InputError(
        f"no graph gives {workers} workers of mean degree {float(degrees.mean):.6g} and {parts} "
        f"parts of mean degree {float(copies.mean):.6g} as many edges; the nearest: "
        f"{' or '.join(near) or 'other degrees'}"
    )
