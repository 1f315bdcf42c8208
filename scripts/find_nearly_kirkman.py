"""Find nearly Kirkman triple systems that a cyclic group moves, by exact cover.

``python scripts/find_nearly_kirkman.py 18 24 30`` prints base classes of systems on so many points,
as they stand in ``gcdesign/designs/data/nearly_kirkman.json``. The group Z_h moves 2c copies of
itself, h = (v − 2)/2c, and fixes the last two points, which are a group. c parallel classes are
looked for whose translates are all: c = 1, or 2 where there is none with 1. The other groups are
the pairs that the half of the group moves to each other; for odd h, equal elements of copies 2i and
2i + 1. Systems on up to 60 points take it a minute in all.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from itertools import combinations

from ortools.sat.python import cp_model

Block = tuple[int, ...]
SECONDS = 170.0


def pairs_of(block: Block, h: int, copies: int) -> list[tuple[int, ...]] | None:
    """Return the orbits of the pairs in a block, or None if one is a group or occurs twice."""
    found: list[tuple[int, ...]] = []
    for a, b in combinations(block, 2):
        (i, x), (j, y) = divmod(a, h), divmod(b, h)
        d = (y - x) % h
        if b >= h * copies:  # one of the two fixed points
            found.append((i, b))
            if a >= h * copies:
                return None
        elif i == j:
            found.append((i, i, min(d, h - d)))
            if 2 * d == h:
                return None
        else:
            found.append((i, j, d))
            if h % 2 and d == 0 and i ^ 1 == j:
                return None
    return found if len(set(found)) == len(found) else None


def candidates(h: int, copies: int) -> Iterator[tuple[Block, list[tuple[int, ...]]]]:
    """Yield triples with the orbits of their pairs; a fixed point is with two other copies."""
    for block in combinations(range(h * copies + 2), 3):
        if block[2] >= h * copies > block[1] and block[0] // h == block[1] // h:
            continue
        pairs = pairs_of(block, h, copies)
        if pairs is not None:
            yield block, pairs


def search(v: int, classes: int) -> list[list[Block]] | None:
    """Return base classes, or None if there are none or time is over."""
    h = (v - 2) // (2 * classes)
    model, chosen = cp_model.CpModel(), []
    rows: dict[tuple[int, ...], list[cp_model.IntVar]] = {}
    for block, pairs in candidates(h, 2 * classes):
        for number in range(classes):
            variable = model.new_bool_var("")
            chosen.append((number, block, variable))
            for row in [*((-1, number, point) for point in block), *pairs]:
                rows.setdefault(row, []).append(variable)
    for variables in rows.values():
        model.add_exactly_one(variables)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = SECONDS
    if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    return [
        [block for n, block, variable in chosen if n == number and solver.value(variable)]
        for number in range(classes)
    ]


def main(arguments: list[str]) -> None:
    """Print an entry of the data file for each number of points."""
    for v in map(int, arguments):
        for classes in (1, 2):
            found = search(v, classes) if (v - 2) % (2 * classes) == 0 else None
            if found is not None:
                written = ["/".join("+".join(map(str, block)) for block in c) for c in found]
                print(f' "{v}": {json.dumps(written)},', flush=True)
                break


if __name__ == "__main__":
    main(sys.argv[1:])
