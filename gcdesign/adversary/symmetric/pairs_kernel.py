"""The compiled branching of the two-sided search that `pairs_rules` explains.

This module is imported only where a search is worth compiling.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gcdesign.adversary.symmetric.pairs_rules import (
    Masks,
    Queue,
    Rules,
    new_queue,
    propagate,
    restrict,
)
from gcdesign.compiled import compiled

PROBES = 3
"""Members that are tried both ways before one of them is branched on."""

EXHAUSTED, FOUND, PAUSED = 0, 1, 2


@compiled
def _weigh(masks: Masks, rules: Rules, weights: NDArray[np.float64]) -> None:
    """Give each member one over the number of ways to complete its neighbourhood."""
    one = np.uint32(1)
    for side in range(2):
        for i in range(masks.shape[1]):
            zeros, open_ = 0, 0
            for place in range(rules.neighbours.shape[2]):
                j = rules.neighbours[side, i, place]
                if masks[1 - side, j] == one:
                    zeros += 1
                elif masks[1 - side, j] & one:
                    open_ += 1
            ways = 0.0
            for more in range(open_ + 1):
                if masks[side, i] >> np.uint32(zeros + more) & one:
                    ways += rules.completions[open_, more]
            weights[side, i] = 1.0 / ways if open_ else 0.0


@compiled
def _candidates(
    masks: Masks, rules: Rules, weights: NDArray[np.float64], best: NDArray[np.int64]
) -> int:
    """Fill ``best`` with the undecided members of greatest weight around; return how many."""
    one = np.uint32(1)
    v = masks.shape[1]
    _weigh(masks, rules, weights)
    scores = np.full(len(best), -1.0)
    found = 0
    for side in range(2):
        for i in range(v):
            mask = masks[side, i]
            if mask == one or not mask & one:
                continue
            score = 0.0
            for place in range(rules.neighbours.shape[2]):
                j = rules.neighbours[side, i, place]
                score += weights[1 - side, j]
            place = len(best)
            while place > 0 and scores[place - 1] < score:
                place -= 1
            if place == len(best):
                continue
            for later in range(len(best) - 1, place, -1):
                scores[later], best[later] = scores[later - 1], best[later - 1]
            scores[place], best[place] = score, side * v + i
            found = min(found + 1, len(best))
    return found


@compiled
def _openness(masks: Masks, rules: Rules) -> int:
    """Return how many values are still possible beyond one each."""
    total = 0
    for side in range(2):
        for i in range(masks.shape[1]):
            total += rules.options[masks[side, i]] - 1
    return total


@compiled
def _try_both(
    masks: Masks, queue: Queue, rules: Rules, member: int, zero: Masks, positive: Masks
) -> tuple[bool, bool]:
    """Set a member to zero in one copy and to non-zero in another; return what is possible."""
    v = masks.shape[1]
    one = np.uint32(1)
    side, i = member // v, member % v
    zero[:] = masks
    positive[:] = masks
    first = restrict(zero, queue, rules, side, i, one) and propagate(zero, queue, rules)
    mask = masks[side, i] & ~one
    second = restrict(positive, queue, rules, side, i, mask) and propagate(positive, queue, rules)
    return first, second


@compiled
def _note(log: NDArray[np.int64], code: int) -> None:
    """Write down a step; the first entry counts them, and the others may be too few."""
    log[0] += 1
    if log[0] < len(log):
        log[log[0]] = code


@compiled
def _expand(
    masks: Masks,
    queue: Queue,
    rules: Rules,
    zero: Masks,
    positive: Masks,
    log: NDArray[np.int64],
) -> int:
    """Branch: return 0 for a dead end, 1 for a solution, 2 for two children.

    Members that are possible one way only are fixed on the way.
    """
    weights = np.empty(masks.shape)
    best = np.empty(PROBES, np.int64)
    first_copy, second_copy = np.empty_like(masks), np.empty_like(masks)
    while True:
        found = _candidates(masks, rules, weights, best)
        if found == 0:
            return 1
        before = _openness(masks, rules)
        greatest, chosen = -1.0, -1
        fixed = False
        for place in range(found):
            first, second = _try_both(masks, queue, rules, best[place], first_copy, second_copy)
            if not first and not second:
                _note(log, 3 * best[place])
                _note(log, -1)
                _note(log, -1)
                return 0
            if not first or not second:
                _note(log, 3 * best[place] + (2 if first else 1))
                masks[:] = first_copy if first else second_copy
                fixed = True
                break
            less, more = (
                before - _openness(first_copy, rules),
                before - _openness(second_copy, rules),
            )
            gain = less * more + 0.01 * (less + more)
            if gain > greatest:
                greatest, chosen = gain, best[place]
                zero[:] = first_copy
                positive[:] = second_copy
        if not fixed:
            _note(log, 3 * chosen)
            return 2


@compiled
def advance(
    stack: Masks, top: int, rules: Rules, most: int, log: NDArray[np.int64]
) -> tuple[int, int, int]:
    """Search depth first for at most so many nodes.

    Parameters
    ----------
    stack
        Shape (depth, 2, v): open nodes, propagated.
    top
        Number of open nodes.
    rules
        The constants.
    most
        Nodes to visit in this call.
    log
        The tree in the order of the search is added to it, as the page on certificates has it;
        entry 0 counts its steps, those beyond its end are lost.

    Returns
    -------
    state, top, nodes
        `EXHAUSTED`, `FOUND` (the solution is at ``stack[top]``) or `PAUSED`; the number of open
        nodes; and the number of nodes visited.
    """
    queue = new_queue(stack.shape[2])
    zero, positive = np.empty_like(stack[0]), np.empty_like(stack[0])
    nodes = 0
    while top > 0:
        if nodes >= most:
            return PAUSED, top, nodes
        top -= 1
        nodes += 1
        outcome = _expand(stack[top], queue, rules, zero, positive, log)
        if outcome == 1:
            return FOUND, top, nodes
        if outcome == 2:
            stack[top] = positive
            stack[top + 1] = zero
            top += 2
    return EXHAUSTED, top, nodes
