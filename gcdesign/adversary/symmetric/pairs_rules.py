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
    lowest, highest, options
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
    options: NDArray[np.int8]
    completions: NDArray[np.float64]
    longest: int
    second: int


class Queue(NamedTuple):
    """Members whose neighbourhood has changed: a ring, marks, and its ends."""

    ring: NDArray[np.int32]
    waiting: NDArray[np.bool_]
    ends: NDArray[np.int64]


@compiled
def new_queue(v: int) -> Queue:
    """Return an empty queue for 2v members."""
    return Queue(np.empty(2 * v + 1, np.int32), np.zeros(2 * v, np.bool_), np.zeros(2, np.int64))


@compiled
def push(queue: Queue, member: int) -> None:
    """Put a member in line, unless it waits already."""
    if not queue.waiting[member]:
        queue.waiting[member] = True
        place = queue.ends[1]
        queue.ring[place] = member
        queue.ends[1] = 0 if place + 1 == len(queue.ring) else place + 1


@compiled
def _clear(queue: Queue) -> None:
    while queue.ends[0] != queue.ends[1]:
        queue.waiting[queue.ring[queue.ends[0]]] = False
        queue.ends[0] = (queue.ends[0] + 1) % len(queue.ring)


@compiled
def restrict(masks: Masks, queue: Queue, rules: Rules, side: int, i: int, mask: np.uint32) -> bool:
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
def _sort_in(values: NDArray[np.int64], count: int, value: int, descending: bool) -> None:
    place = count
    while place > 0 and (values[place - 1] < value) == descending and values[place - 1] != value:
        values[place] = values[place - 1]
        place -= 1
    values[place] = value


@compiled
def _neighbourhood(
    masks: Masks,
    queue: Queue,
    rules: Rules,
    side: int,
    i: int,
    lows: NDArray[np.int64],
    highs: NDArray[np.int64],
) -> bool:
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
def _count_zeros(masks: Masks, queue: Queue, rules: Rules, side: int) -> tuple[bool, int, int]:
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
def _budgets(masks: Masks, queue: Queue, rules: Rules, side: int) -> bool:
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
def _shapes(masks: Masks, queue: Queue, rules: Rules) -> bool:
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
def propagate(masks: Masks, queue: Queue, rules: Rules) -> bool:
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
def settle(masks: Masks, rules: Rules) -> bool:
    """Propagate after changes anywhere."""
    queue = new_queue(masks.shape[1])
    for member in range(masks.size):
        push(queue, member)
    return propagate(masks, queue, rules)
