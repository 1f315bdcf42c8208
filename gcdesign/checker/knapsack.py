"""Workers in groups that hold the same parts, with none in common between groups."""

from __future__ import annotations

from collections import Counter

from gcdesign.checker.case import Case

Group = tuple[int, int]
"""Number of workers, number of parts."""


def groups(case: Case) -> tuple[list[Group], int]:
    """Return the groups that hold parts, and the number of parts that nobody holds.

    Disjoint exactly if the sizes of the different blocks add up to that of their union.
    """
    sizes = Counter(mask for mask in case.code.masks if mask)
    union = 0
    for mask in sizes:
        union |= mask
    found = [(count, mask.bit_count()) for mask, count in sizes.items()]
    held = union.bit_count()
    case.require(
        sum(size for _, size in found) == held,
        "two workers hold neither the same parts nor none in common",
    )
    return found, case.code.parts - held


def fewest_workers(case: Case) -> int:
    """Return the least number of workers in groups that lose η parts."""
    found, free = groups(case)
    need = max(case.asked - free, 0)
    dearest = sum(count for count, _ in found) + 1
    least = [0] + [dearest] * need
    for count, size in found:
        case.budget.spend(need)
        for parts in range(need, 0, -1):
            least[parts] = min(least[parts], least[max(parts - size, 0)] + count)
    return least[need]


def most_parts(case: Case) -> int:
    """Return the greatest number of parts that S silent workers lose."""
    found, free = groups(case)
    most = [0] * (case.asked + 1)
    for count, size in found:
        case.budget.spend(case.asked)
        for workers in range(case.asked, count - 1, -1):
            most[workers] = max(most[workers], most[workers - count] + size)
    return most[case.asked] + free
