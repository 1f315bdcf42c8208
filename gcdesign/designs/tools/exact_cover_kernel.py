"""Compiled search for exact covers: dancing links, stopped and taken up again."""

from __future__ import annotations

from typing import Any

from gcdesign.compiled import compiled

DEPTH, BACKTRACK, NODES, FOUND = 0, 1, 2, 3
"""Places in the state: how many options are chosen, whether to go back, and two counts."""

FINISHED, PAUSED, FULL = 0, 1, 2
"""Why the search came back."""


@compiled
def cover(column: int, links: Any, nodes: Any, sizes: Any) -> None:
    """Take an item, and all options that hold it, out of the lists."""
    links[1, links[0, column]] = links[1, column]
    links[0, links[1, column]] = links[0, column]
    node = nodes[1, column]
    while node != column:
        other = nodes[3, node]
        while other != node:
            nodes[1, nodes[0, other]] = nodes[1, other]
            nodes[0, nodes[1, other]] = nodes[0, other]
            sizes[nodes[2, other]] -= 1
            other = nodes[3, other]
        node = nodes[1, node]


@compiled
def uncover(column: int, links: Any, nodes: Any, sizes: Any) -> None:
    """Undo `cover`."""
    node = nodes[0, column]
    while node != column:
        other = nodes[4, node]
        while other != node:
            sizes[nodes[2, other]] += 1
            nodes[1, nodes[0, other]] = other
            nodes[0, nodes[1, other]] = other
            other = nodes[4, other]
        node = nodes[0, node]
    links[1, links[0, column]] = column
    links[0, links[1, column]] = column


@compiled
def search(
    links: Any, nodes: Any, sizes: Any, stack: Any, state: Any, covers: Any, budget: int
) -> int:
    """Go on with the search until it is finished, the budget is spent or ``covers`` is full.

    Parameters
    ----------
    links
        Shape (2, items + 1): left and right neighbours in the list of items that are still to be
        covered; item i is i + 1, and 0 is the head.
    nodes
        Shape (5, nodes): up, down, the item, and the next and the last node of the same option.
    sizes
        Shape (items + 1,): options left for each item.
    stack
        The nodes chosen.
    state
        See `DEPTH` and those after it.
    covers
        Shape (room, greatest depth): nodes of the covers found, from ``state[FOUND]`` on, filled
        up with 0.
    budget
        Nodes of the search tree.
    """
    end = state[NODES] + budget
    while True:
        depth = state[DEPTH]
        if state[BACKTRACK] == 0:
            if links[1, 0] == 0:
                for i in range(depth):
                    covers[state[FOUND], i] = stack[i]
                for i in range(depth, covers.shape[1]):
                    covers[state[FOUND], i] = 0
                state[FOUND] += 1
                state[BACKTRACK] = 1
                if state[FOUND] == covers.shape[0]:
                    return FULL
                continue
            if state[NODES] >= end:
                return PAUSED
            best, item = links[1, 0], links[1, 0]
            while item != 0:
                if sizes[item] < sizes[best]:
                    best = item
                item = links[1, item]
            cover(best, links, nodes, sizes)
            node = nodes[1, best]
        else:
            if depth == 0:
                return FINISHED
            depth -= 1
            node = stack[depth]
            other = nodes[4, node]
            while other != node:
                uncover(nodes[2, other], links, nodes, sizes)
                other = nodes[4, other]
            best = nodes[2, node]
            node = nodes[1, node]
        state[NODES] += 1
        if node == best:
            uncover(best, links, nodes, sizes)
            state[DEPTH] = depth
            state[BACKTRACK] = 1
            continue
        stack[depth] = node
        other = nodes[3, node]
        while other != node:
            cover(nodes[2, other], links, nodes, sizes)
            other = nodes[3, other]
        state[DEPTH] = depth + 1
        state[BACKTRACK] = 0
