"""Nodes on a line: where data and workers stand in coded computing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gcdesign.errors import InputError, LimitError

Reals = NDArray[np.float64]
NodeChoice = Literal["chebyshev-1", "chebyshev-2", "equispaced"]
"""Names of node choices on [−1, 1]; wherever one is taken, a list of numbers is taken as well."""

NODE_CHOICES: tuple[NodeChoice, ...] = ("chebyshev-1", "chebyshev-2", "equispaced")

MAX_NODES = 4096
"""The most nodes of a code: the matrices between nodes then have 128 MB."""

COINCIDE = 4 * float(np.finfo(np.float64).eps)
"""Nodes that differ by no more than this part of their span are one and the same."""


def make_nodes(choice: NodeChoice | Sequence[float] | Reals, count: int) -> Reals:
    """Return so many nodes of a choice, or check those that are given.

    Parameters
    ----------
    choice
        ``"chebyshev-1"``: cos((2j + 1)π/(2n)); ``"chebyshev-2"``: cos(iπ/(n − 1)), with the ends
        of the interval; ``"equispaced"``; or the nodes themselves, in any order.
    count
        Number of nodes n.

    Returns
    -------
    array
        Shape (n,), from 1 down to −1 for the named choices. A single node is 0.

    Raises
    ------
    InputError
        If the choice is unknown, or given nodes are not so many finite, different numbers.
    LimitError
        If there are more than `MAX_NODES`.

    Notes
    -----
    Source: Jahani-Nezhad, Maddah-Ali 2020: first kind for data, second kind for workers. They are
    computed as sines of angles around 0, so that they lie symmetric to the last bit.

    Examples
    --------
    >>> make_nodes("chebyshev-2", 3).tolist(), make_nodes("chebyshev-1", 1).tolist()
    ([1.0, 0.0, -1.0], [0.0])
    """
    if count > MAX_NODES:
        raise LimitError(f"{count} nodes; coded computing takes at most {MAX_NODES}")
    if not isinstance(choice, str):
        return _checked(choice, count)
    if choice not in NODE_CHOICES:
        raise InputError(f"nodes {choice!r}; expected {', '.join(NODE_CHOICES)} or the numbers")
    steps = np.arange(count - 1, -count, -2, dtype=np.float64)
    if choice == "chebyshev-1":
        return np.sin(np.pi / 2 * steps / count)
    steps /= max(count - 1, 1)
    return steps if choice == "equispaced" else np.sin(np.pi / 2 * steps)


def _checked(given: Any, count: int) -> Reals:
    try:
        array = np.asarray(given)
    except ValueError:
        raise InputError("the nodes are no line of numbers; expected one number for each") from None
    if array.dtype.kind not in "iuf":
        raise InputError(f"nodes of type {array.dtype}; expected real numbers")
    nodes = array.astype(np.float64)
    if nodes.shape != (count,):
        raise InputError(f"nodes of shape {nodes.shape}; expected {count} numbers")
    if not np.isfinite(nodes).all():
        raise InputError("a node is NaN or infinite; expected finite numbers")
    gaps = np.diff(np.sort(nodes))
    if count > 1 and gaps.min() <= COINCIDE * np.ptp(nodes):
        raise InputError("two nodes are equal, or nearly; expected nodes that differ")
    return nodes
