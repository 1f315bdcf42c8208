"""What the values of workers and parts can still be, in a proof that some are apart.

Members are numbered: workers 0 to v − 1, parts v to 2v − 1. A set of values is a number whose bits
they are. Of the page on certificates this is the part on states and rules, kind ``apart``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from gcdesign.checker.verdicts import Budget

State = list[int]
"""For each member the set of its values."""


@dataclass(frozen=True)
class Rules:
    """The rules of one question: t parts T and u workers U of a symmetric design, apart.

    Attributes
    ----------
    neighbours
        For each member those on the other side that it is incident with.
    k, shared
        The design's k and λ.
    zeros
        How many workers, and how many parts, have the value 0: u and t.
    budget
        The time for it.
    """

    neighbours: Sequence[Sequence[int]]
    k: int
    shared: int
    zeros: tuple[int, int]
    budget: Budget
    _least: dict[tuple[int, int], int] = field(default_factory=dict)

    @property
    def v(self) -> int:
        """Number of workers, and of parts."""
        return len(self.neighbours) // 2

    def start(self) -> State | None:
        """Return the state in which nothing is decided, as far as the rules bring it."""
        return self.restricted([(2 << self.k) - 1] * (2 * self.v), [], everything=True)

    def restricted(
        self,
        state: State,
        changes: Iterable[tuple[int, int]],
        *,
        shape: tuple[int, int] | None = None,
        everything: bool = False,
    ) -> State | None:
        """Return a state with fewer values, as far as the rules bring it; None if it is refuted.

        Parameters
        ----------
        state
            A state that the rules change no more.
        changes
            Members, each with the set that its values are to be in.
        shape
            M and M₂ below a flag.
        everything
            Whether all members are to be looked at.
        """
        work = _Work(self, state.copy(), shape)
        if everything:
            work.waiting.update(range(2 * self.v))
        if not all(work.keep(member, within) for member, within in changes):
            return None
        return work.state if work.settle() else None

    def least_cost(self, values: int, m: int) -> int:
        """Return the least (a − m)(a − m − 1) of the non-zero values in a set."""
        key = values, m
        if key not in self._least:
            costs = [(a - m) * (a - m - 1) for a in range(1, self.k + 1) if values >> a & 1]
            self._least[key] = min(costs)
        return self._least[key]

    def budgets(self, side: int) -> Iterable[tuple[int, int]]:
        """Yield m with what Σ (a − m)(a − m − 1) over the non-zero values of one side must be."""
        size, hit = self.zeros[1 - side], self.v - self.zeros[side]
        total, meetings = self.k * size, self.shared * size * (size - 1)
        first = max(1, total // max(hit, 1) - 1)
        for m in range(first, first + 4):
            yield m, total + meetings - (2 * m + 1) * total + m * (m + 1) * hit


class _Work:
    """One run of the rules."""

    def __init__(self, rules: Rules, state: State, shape: tuple[int, int] | None) -> None:
        self.rules, self.state, self.shape = rules, state, shape
        self.waiting: set[int] = set()

    def keep(self, member: int, within: int) -> bool:
        """Leave a member only values within a set; False if there is none."""
        old = self.state[member]
        new = old & within
        if new != old:
            self.state[member] = new
            self.waiting.add(member)
            self.waiting.update(self.rules.neighbours[member])
        return new != 0

    def settle(self) -> bool:
        """Apply all rules until nothing changes; False if the state is refuted."""
        while True:
            while self.waiting:
                self.rules.budget.spend(4 * self.rules.k)
                if not self.sums(self.waiting.pop()):
                    return False
            if not (self.counts(0) and self.counts(1) and self.shapes()):
                return False
            if not self.waiting:
                return True

    def sums(self, member: int) -> bool:
        """Rule 1."""
        rules, state = self.rules, self.state
        known, low_sum, high_sum = 0, 0, 0
        lows: list[int] = []
        highs: list[int] = []
        rest: list[tuple[int, int, int]] = []
        for other in rules.neighbours[member]:
            values = state[other]
            if values == 1:
                known += 1
                continue
            positive = values & ~1
            low, high = (positive & -positive).bit_length() - 1, positive.bit_length() - 1
            low_sum += low
            high_sum += high
            rest.append((other, low, high))
            if values & 1:
                lows.append(low)
                highs.append(high)
        lows.sort(reverse=True)
        highs.sort()
        side = 0 if member < rules.v else 1
        kept, up, down = 0, -1, -1
        for more in range(len(lows) + 1):
            if more:
                low_sum -= lows[more - 1]
                high_sum -= highs[more - 1]
            value = known + more
            if not state[member] >> value & 1:
                continue
            total = rules.shared * rules.zeros[side]
            if value == 0:
                total += rules.k - rules.shared
            if low_sum <= total <= high_sum:
                kept |= 1 << value
                up, down = max(up, total - low_sum), max(down, high_sum - total)
        if not self.keep(member, kept):
            return False
        every, none = kept == 1 << known + len(lows), kept == 1 << known
        return all(
            self.keep(other, self._left(state[other], low, high, up, down, every, none))
            for other, low, high in rest
        )

    @staticmethod
    def _left(values: int, low: int, high: int, up: int, down: int, every: bool, none: bool) -> int:
        """Return the values that a member outside Z may keep."""
        if values & 1 and every:
            return 1
        bottom, top = max(low, high - down), min(high, low + up)
        within = (2 << top) - (1 << bottom) if bottom <= top else 0
        return within if none else within | 1

    def counts(self, side: int) -> bool:
        """Rules 2 and 3."""
        rules, state = self.rules, self.state
        members = range(side * rules.v, (side + 1) * rules.v)
        rules.budget.spend(6 * rules.v)
        zeros = sum(state[i] == 1 for i in members)
        undecided = [i for i in members if state[i] & 1 and state[i] != 1]
        size = rules.zeros[side]
        if not zeros <= size <= zeros + len(undecided):
            return False
        if undecided and size in (zeros, zeros + len(undecided)):
            within = ~1 if size == zeros else 1
            if not all(self.keep(i, within) for i in undecided):
                return False
        return all(self.affordable(members, size, m, total) for m, total in rules.budgets(side))

    def affordable(self, members: range, size: int, m: int, total: int) -> bool:
        """Rule 3 for one m."""
        cost, state = self.rules.least_cost, self.state
        certain = [i for i in members if not state[i] & 1]
        undecided = [i for i in members if state[i] & 1 and state[i] != 1]
        left = total - sum(cost(state[i], m) for i in certain)
        # Of those undecided so many are not 0, and those that may then cost nothing come first.
        positive = len(members) - size - len(certain)
        free = sum(cost(state[i], m) == 0 for i in undecided)
        extra = 2 if undecided and positive > free else 0
        left -= extra * (positive - free)
        if left < 0:
            return False
        for i in certain:
            if not self.keep(i, self._within(m, left + cost(state[i], m))):
                return False
        within = self._within(m, left + extra) | 1
        return all(self.keep(i, within) for i in undecided)

    def _within(self, m: int, most: int) -> int:
        """Return the non-zero values whose cost is no more than so much."""
        return sum(1 << a for a in range(1, self.rules.k + 1) if (a - m) * (a - m - 1) <= most)

    def shapes(self) -> bool:
        """Rule 4."""
        if self.shape is None:
            return True
        (longest, second), rules, state = self.shape, self.rules, self.state
        for worker in range(rules.v):
            if state[worker] != 1 << longest:
                continue
            for part in rules.neighbours[worker]:
                if state[part] != 1:
                    continue
                for other in rules.neighbours[part]:
                    if other != worker and not self.keep(other, (2 << second) - 1):
                        return False
        return True
