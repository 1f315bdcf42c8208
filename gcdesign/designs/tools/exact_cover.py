"""Exact covers: choose options so that every item is in exactly one of them."""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.design import BlockDesign
from gcdesign.errors import InputError

SLICE = 200_000
"""Nodes of the search tree between two looks at the clock."""


@dataclass(frozen=True)
class Covers:
    """Exact covers that a search has found.

    Attributes
    ----------
    found
        The covers, each the numbers of its options in increasing order.
    complete
        Whether the search is finished: there are no others.
    nodes
        Nodes of the search tree.
    """

    found: list[list[int]]
    complete: bool
    nodes: int


def exact_covers(
    options: BlockDesign,
    *,
    primary: int | None = None,
    most: int | None = None,
    deadline: float | None = None,
) -> Covers:
    """Search for sets of blocks that hold every point exactly once.

    Parameters
    ----------
    options
        A design: its points are the items and its blocks the options.
    primary
        If given, only the items before this one must be covered; others at most once.
    most
        Stop when so many are found.
    deadline
        Stop when `time.monotonic` says so.

    Raises
    ------
    InputError
        If an option is empty, and could be added to every cover.

    Notes
    -----
    Source: D. E. Knuth, *Dancing links*, 2000 (algorithm X).

    Examples
    --------
    >>> square = BlockDesign.from_blocks([[0, 1], [2, 3], [0, 2], [1, 3], [0, 3], [1, 2]])
    >>> exact_covers(square).found
    [[0, 1], [2, 3], [4, 5]]
    """
    from gcdesign.designs.tools import exact_cover_kernel as kernel

    if options.b and options.block_sizes.min() == 0:
        raise InputError(f"option {int(np.argmin(options.block_sizes))} is empty")
    links, nodes, sizes = _lists(options, options.v if primary is None else primary)
    room = 4096 if most is None else max(1, min(most, 4096))
    state = np.zeros(4, dtype=np.int64)
    stack = np.zeros(options.v + 1, dtype=np.int64)
    covers = np.zeros((room, options.v + 1), dtype=np.int64)
    found: list[list[int]] = []
    while True:
        end = kernel.search(links, nodes, sizes, stack, state, covers, SLICE)
        for row in covers[: state[kernel.FOUND]]:
            chosen = row[row > 0] - options.v - 1
            found.append(np.sort(options.block_of_incidence[chosen]).tolist())
        state[kernel.FOUND] = 0
        enough = most is not None and len(found) >= most
        late = deadline is not None and monotonic() > deadline
        if end == kernel.FINISHED or enough or late:
            complete = end == kernel.FINISHED
            return Covers(found[:most], complete, int(state[kernel.NODES]))


def _lists(
    options: BlockDesign, primary: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the linked lists as `exact_cover_kernel.search` wants them.

    Node i + 1 is the head of item i; entry e of the incidences is node v + 1 + e.
    """
    v, count = options.v, options.incidences
    links = np.tile(np.arange(v + 1, dtype=np.int64), (2, 1))
    links[0, : primary + 1] = np.roll(np.arange(primary + 1), 1)
    links[1, : primary + 1] = np.roll(np.arange(primary + 1), -1)
    nodes = np.zeros((5, v + 1 + count), dtype=np.int64)
    nodes[:2] = np.arange(v + 1 + count)
    entries = np.arange(count) + v + 1
    nodes[2, : v + 1] = np.arange(v + 1)
    nodes[2, v + 1 :] = options.indices + 1
    last = options.indptr[1:] - 1
    following, before = entries + 1, entries - 1
    following[last], before[options.indptr[:-1]] = options.indptr[:-1] + v + 1, last + v + 1
    nodes[3, v + 1 :], nodes[4, v + 1 :] = following, before
    # Up and down: sort the nodes by item, and close each list into a ring.
    order = np.argsort(nodes[2], kind="stable")
    ends = np.cumsum(np.bincount(nodes[2], minlength=v + 1))
    starts = np.concatenate([[0], ends[:-1]])
    down = np.roll(order, -1)
    down[ends - 1] = order[starts]
    nodes[1, order] = down
    nodes[0, down] = order
    sizes = np.bincount(options.indices + 1, minlength=v + 1).astype(np.int64)
    return links, nodes, sizes
