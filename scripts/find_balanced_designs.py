"""Find pairwise balanced designs with one block of 7 points and all others of 4, from differences.

``python scripts/find_balanced_designs.py 63`` looks for one on 63 + 7 points under Z_63 and prints
it as a name in place. It found the one on 70 points behind the Kirkman system on 141, in seconds.

Four points are a base block in Z_n. Three points that are 0, 1 and 2 modulo 3 give n blocks in
three parallel classes, each of which gets a new point; {0, n/3, 2n/3} gives one class. Each
difference but 0 occurs once.
"""

from __future__ import annotations

import sys
from itertools import combinations

from ortools.sat.python import cp_model

Block = tuple[int, ...]


def differences(block: Block, n: int) -> list[int]:
    """Return the differences of a block, both signs."""
    return [d for x, y in combinations(block, 2) for d in ((y - x) % n, (x - y) % n)]


def candidates(n: int, size: int) -> list[tuple[Block, set[int]]]:
    """Return blocks with 0 and distinct differences, with those; none is n/3 or 2n/3."""
    found = []
    for rest in combinations(range(1, n), size - 1):
        block = (0, *rest)
        covered = set(differences(block, n))
        one_of_each = size != 3 or {x % 3 for x in block} == {0, 1, 2}
        if (
            one_of_each
            and len(covered) == size * (size - 1)
            and covered.isdisjoint((n // 3, 2 * n // 3))
        ):
            found.append((block, covered))
    return found


def search(n: int, seconds: float = 120.0) -> list[Block] | None:
    """Return base blocks, two of them of three points, or None."""
    found = candidates(n, 3) + candidates(n, 4)
    model = cp_model.CpModel()
    chosen = [model.new_bool_var(str(block)) for block, _ in found]
    pairs = list(zip(chosen, found, strict=True))
    for difference in range(1, n):
        if difference % (n // 3):
            model.add_exactly_one(x for x, (_, covered) in pairs if difference in covered)
    model.add(sum(x for x, (block, _) in pairs if len(block) == 3) == 2)
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = seconds
    solver.parameters.num_workers = 1
    if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    return [block for x, (block, _) in pairs if solver.value(x)]


def recipe(n: int, blocks: list[Block]) -> str:
    """Return the design as a name in place: three copies of Z_(n/3), seven fixed points."""
    order = n // 3

    def point(x: int) -> int:
        return x % 3 * order + x // 3

    base, new = [tuple(range(n, n + 7))], n
    for block in [*blocks, (0, order, 2 * order)]:
        for shift in range(3):
            images = tuple(sorted(point((x + shift) % n) for x in block))
            base.append((*images, new) if len(block) == 3 else images)
            new += len(block) == 3 and (order not in block or shift == 2)
    text = "/".join("+".join(map(str, block)) for block in base)
    return f"developed:group=Z{order},blocks={text},copies=3,fixed=7"


def main(n: int) -> None:
    """Search and print the name in place."""
    blocks = search(n)
    print("none" if blocks is None else recipe(n, blocks))


if __name__ == "__main__":
    main(int(sys.argv[1]))
