"""The compiled two-sided search: parts T and workers U of a symmetric design without incidence.

In a symmetric 2-(v, k, λ) design let T be t parts and U be u workers that hold none of them.
Each worker w has a value a_w = |T ∩ w|, each part p a value b_p, the number of workers of U that
hold it. Values are kept as bit masks of what they can still be. Where neither T nor U can be
enlarged,

- w is in U exactly if a_w = 0, and p is in T exactly if b_p = 0;
- a_w counts the parts of w with b_p = 0, and Σ_{p in w} b_p = λu + (k - λ)[a_w = 0], as any two
  workers share λ parts; and the same with sides exchanged;
- Σ_w (a_w - m)(a_w - m - 1) over the workers outside U is what t alone makes it, for every m.

Sides are numbered 0 (workers, values a) and 1 (parts, values b). This module is imported only
where a search is worth compiling.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gcdesign.compiled import compiled

Masks = NDArray[np.uint32]
"""Shape (2, v): what each worker's and each part's value can still be."""

PROBES = 3
"""Members that are tried both ways before one of them is branched on."""

EXHAUSTED, FOUND, PAUSED = 0, 1, 2


class Rules(NamedTuple):
    """The constants of one search.

    Attributes
    ----------
    neighbours
        Shape (2, v, k): the parts of each worker, and the workers of each part.
    sizes
        Shape (2,): u and t, the numbers of zeros on either side.
    shared, more
        λ and k - λ.
    budgets
        Shape (2, m): what Σ (a - m)(a - m - 1) over non-zero values must be.
    least
        Shape (2, m, 2^(k+1)): the least cost of a non-zero value in a mask.
    affordable
        Shape (2, m, budget + 1): the values whose cost is within a budget, and zero.
    lowest, highest, count
        The least and the greatest value in each mask, and how many there are.
    completions
        Shape (k + 1, k + 1): binomial coefficients.
    longest, second
        Two workers that share a part of T have at most (longest, second) of T, in this
        order; longest is -1 where nothing is known.
    """

    neighbours: NDArray[np.int32]
    sizes: NDArray[np.int64]
    shared: int
    more: int
    budgets: NDArray[np.int64]
    least: NDArray[np.int32]
    affordable: NDArray[np.uint32]
    lowest: NDArray[np.int8]
    highest: NDArray[np.int8]
    count: NDArray[np.int8]
    completions: NDArray[np.float64]
    longest: int
    second: int


class Queue(NamedTuple):
    """Members whose neighbourhood has changed: a ring, marks, and its ends."""

    ring: NDArray[np.int32]
    waiting: NDArray[np.bool_]
    ends: NDArray[np.int64]


@compiled
def new_queue(v):  # type: ignore[no-untyped-def]
    """Return an empty queue for 2v members."""
    return Queue(np.empty(2 * v + 1, np.int32), np.zeros(2 * v, np.bool_), np.zeros(2, np.int64))


@compiled
def push(queue, member):  # type: ignore[no-untyped-def]
    """Put a member in line, unless it waits already."""
    if not queue.waiting[member]:
        queue.waiting[member] = True
        place = queue.ends[1]
        queue.ring[place] = member
        queue.ends[1] = 0 if place + 1 == len(queue.ring) else place + 1


@compiled
def _clear(queue):  # type: ignore[no-untyped-def]
    while queue.ends[0] != queue.ends[1]:
        queue.waiting[queue.ring[queue.ends[0]]] = False
        queue.ends[0] = (queue.ends[0] + 1) % len(queue.ring)


@compiled
def restrict(masks, queue, rules, side, i, mask):  # type: ignore[no-untyped-def]
    """Give a member a smaller mask and put whom it concerns in line; False if it is empty."""
    if masks[side, i] == mask:
        return True
    if mask == 0:
        return False
    v = masks.shape[1]
    masks[side, i] = mask
    push(queue, side * v + i)
    for place in range(rules.neighbours.shape[2]):
        j = rules.neighbours[side, i, place]
        push(queue, (1 - side) * v + j)
    return True


@compiled
def _sort_in(values, count, value, descending):  # type: ignore[no-untyped-def]
    place = count
    while place > 0 and (values[place - 1] < value) == descending and values[place - 1] != value:
        values[place] = values[place - 1]
        place -= 1
    values[place] = value


@compiled
def _neighbourhood(masks, queue, rules, side, i, lows, highs):  # type: ignore[no-untyped-def]
    """Make a value, the zeros around it and the sum around it agree; False if they cannot."""
    other = 1 - side
    one = np.uint32(1)
    zeros, open_, low_sum, high_sum = 0, 0, 0, 0
    for place in range(rules.neighbours.shape[2]):
        j = rules.neighbours[side, i, place]
        mask = masks[other, j]
        if mask == one:
            zeros += 1
            continue
        low, high = rules.lowest[mask & ~one], rules.highest[mask]
        low_sum += low
        high_sum += high
        if mask & one:
            _sort_in(lows, open_, low, True)
            _sort_in(highs, open_, high, False)
            open_ += 1
    here = masks[side, i]
    kept = np.uint32(0)
    slack_up, slack_down = -1, -1
    low_cut, high_cut = 0, 0
    for more in range(open_ + 1):
        if more:
            low_cut += lows[more - 1]
            high_cut += highs[more - 1]
        value = zeros + more
        if not here >> np.uint32(value) & one:
            continue
        needed = rules.shared * rules.sizes[side] + (rules.more if value == 0 else 0)
        least, most = low_sum - low_cut, high_sum - high_cut
        if least <= needed <= most:
            kept |= one << np.uint32(value)
            slack_up = max(slack_up, needed - least)
            slack_down = max(slack_down, most - needed)
    if kept == 0 or not restrict(masks, queue, rules, side, i, kept):
        return False
    all_zero = open_ > 0 and rules.lowest[kept] == zeros + open_
    none_zero = open_ > 0 and rules.highest[kept] == zeros
    for place in range(rules.neighbours.shape[2]):
        j = rules.neighbours[side, i, place]
        mask = masks[other, j]
        if mask == one:
            continue
        new = mask
        if mask & one:
            if all_zero:
                new = one
            elif none_zero:
                new &= ~one
        if new != one:
            low, high = rules.lowest[mask & ~one], rules.highest[mask]
            top, bottom = min(high, low + slack_up), max(low, high - slack_down)
            between = np.uint32(0)
            if bottom <= top:
                between = (np.uint32(2) << np.uint32(top)) - (one << np.uint32(bottom))
            new &= between | one
        if not restrict(masks, queue, rules, other, j, new):
            return False
    return True


@compiled
def _count_zeros(masks, queue, rules, side):  # type: ignore[no-untyped-def]
    """Hold the number of zeros on one side; return (possible, undecided, undecided non-zeros)."""
    one = np.uint32(1)
    v = masks.shape[1]
    zeros, open_ = 0, 0
    for i in range(v):
        if masks[side, i] == one:
            zeros += 1
        elif masks[side, i] & one:
            open_ += 1
    size = rules.sizes[side]
    if zeros > size or zeros + open_ < size:
        return False, 0, 0
    if open_ and (zeros == size or zeros + open_ == size):
        for i in range(v):
            mask = masks[side, i]
            if mask & one and mask != one:
                new = one if zeros < size else mask & ~one
                if not restrict(masks, queue, rules, side, i, new):
                    return False, 0, 0
        open_ = 0
    return True, open_, zeros + open_ - size


@compiled
def _budgets(masks, queue, rules, side):  # type: ignore[no-untyped-def]
    """Hold the sums of (a - m)(a - m - 1) on one side; False if that cannot be."""
    one = np.uint32(1)
    possible, open_, positive = _count_zeros(masks, queue, rules, side)
    if not possible:
        return False
    v = masks.shape[1]
    for m in range(rules.budgets.shape[1]):
        total, free = 0, 0
        for i in range(v):
            mask = masks[side, i]
            if not mask & one:
                total += rules.least[side, m, mask]
            elif mask != one and rules.least[side, m, mask] == 0:
                free += 1
        # Costs are even: an undecided member that must be non-zero and is not free costs 2.
        extra = 2 * (positive - free) if open_ and positive > free else 0
        left = rules.budgets[side, m] - total - extra
        if left < 0:
            return False
        for i in range(v):
            mask = masks[side, i]
            if mask == one:
                continue
            most = left + ((2 if extra else 0) if mask & one else rules.least[side, m, mask])
            new = mask & rules.affordable[side, m, min(most, rules.affordable.shape[2] - 1)]
            if new != mask and not restrict(masks, queue, rules, side, i, new):
                return False
    return True


@compiled
def _shapes(masks, queue, rules):  # type: ignore[no-untyped-def]
    """Through a part of T on a longest worker no other worker has more than the second count."""
    if rules.longest < 0:
        return True
    one = np.uint32(1)
    full = one << np.uint32(rules.longest)
    within = (np.uint32(2) << np.uint32(rules.second)) - one
    for w in range(masks.shape[1]):
        if masks[0, w] != full:
            continue
        for place in range(rules.neighbours.shape[2]):
            p = rules.neighbours[0, w, place]
            if masks[1, p] != one:
                continue
            for nth in range(rules.neighbours.shape[2]):
                other = rules.neighbours[1, p, nth]
                if other != w and not restrict(
                    masks, queue, rules, 0, other, masks[0, other] & within
                ):
                    return False
    return True


@compiled
def propagate(masks, queue, rules):  # type: ignore[no-untyped-def]
    """Apply all rules until nothing changes; False, with an empty queue, if nothing is left."""
    v = masks.shape[1]
    lows = np.empty(rules.neighbours.shape[2], np.int64)
    highs = np.empty(rules.neighbours.shape[2], np.int64)
    while True:
        while queue.ends[0] != queue.ends[1]:
            place = queue.ends[0]
            member = queue.ring[place]
            queue.ends[0] = 0 if place + 1 == len(queue.ring) else place + 1
            queue.waiting[member] = False
            side = 1 if member >= v else 0
            if not _neighbourhood(masks, queue, rules, side, member - side * v, lows, highs):
                _clear(queue)
                return False
        if not (
            _budgets(masks, queue, rules, 0)
            and _budgets(masks, queue, rules, 1)
            and _shapes(masks, queue, rules)
        ):
            _clear(queue)
            return False
        if queue.ends[0] == queue.ends[1]:
            return True


@compiled
def settle(masks, rules):  # type: ignore[no-untyped-def]
    """Propagate after changes anywhere."""
    queue = new_queue(masks.shape[1])
    for member in range(masks.size):
        push(queue, member)
    return propagate(masks, queue, rules)


@compiled
def _weigh(masks, rules, weights):  # type: ignore[no-untyped-def]
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
def _candidates(masks, rules, weights, best):  # type: ignore[no-untyped-def]
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
def _openness(masks, rules):  # type: ignore[no-untyped-def]
    """Return how many values are still possible beyond one each."""
    total = 0
    for side in range(2):
        for i in range(masks.shape[1]):
            total += rules.count[masks[side, i]] - 1
    return total


@compiled
def _try_both(masks, queue, rules, member, zero, positive):  # type: ignore[no-untyped-def]
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
def _expand(masks, queue, rules, zero, positive):  # type: ignore[no-untyped-def]
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
        greatest = -1.0
        fixed = False
        for place in range(found):
            first, second = _try_both(masks, queue, rules, best[place], first_copy, second_copy)
            if not first and not second:
                return 0
            if not first or not second:
                masks[:] = first_copy if first else second_copy
                fixed = True
                break
            less, more = (
                before - _openness(first_copy, rules),
                before - _openness(second_copy, rules),
            )
            gain = less * more + 0.01 * (less + more)
            if gain > greatest:
                greatest = gain
                zero[:] = first_copy
                positive[:] = second_copy
        if not fixed:
            return 2


@compiled
def advance(stack, top, rules, most):  # type: ignore[no-untyped-def]
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
        outcome = _expand(stack[top], queue, rules, zero, positive)
        if outcome == 1:
            return FOUND, top, nodes
        if outcome == 2:
            stack[top] = positive
            stack[top + 1] = zero
            top += 2
    return EXHAUSTED, top, nodes
