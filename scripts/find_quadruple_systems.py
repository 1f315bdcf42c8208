"""Find Steiner quadruple systems with a given group, by exact cover on orbits of triples.

``python scripts/find_quadruple_systems.py 7 2 0 2`` takes two copies of Z_7, no fixed point and the
multiplier 2, and prints base blocks of a system on 14 points, those of
``gcdesign.designs.steiner.quadruples``. Systems on 26, 34, 38, 50, 62, 70 and 86 points take it
less than ten seconds each; the package makes them from smaller ones.
"""

from __future__ import annotations

import json
import sys
from itertools import combinations

import numpy as np
from ortools.sat.python import cp_model

from gcdesign.designs.actions import Action, Multiplier
from gcdesign.designs.rings import Ring

Block = tuple[int, ...]


def orbits_of_triples(action: Action) -> tuple[dict[Block, int], list[Block]]:
    """Return the number of each triple's orbit, and one triple of each orbit."""
    number: dict[Block, int] = {}
    first: list[Block] = []
    for triple in combinations(range(action.v), 3):
        if triple not in number:
            number.update(dict.fromkeys(images(action, triple), len(first)))
            first.append(triple)
    return number, first


def images(action: Action, block: Block) -> list[Block]:
    """Return the orbit of a block."""
    return list(map(tuple, action.orbit(np.array(block)).tolist()))


def candidates(
    action: Action, number: dict[Block, int], first: list[Block]
) -> list[tuple[Block, set[int]]]:
    """Return a quadruple of each orbit that covers no triple twice, with the orbits it covers."""
    seen: set[Block] = set()
    found = []
    for triple in first:
        for point in range(action.v):
            block = tuple(sorted({*triple, point}))
            if len(block) < 4 or block in seen:
                continue
            orbit = images(action, block)
            seen.update(orbit)
            triples = [three for four in orbit for three in combinations(four, 3)]
            if len(set(triples)) == len(triples):
                found.append((block, {number[three] for three in triples}))
    return found


def search(action: Action, seconds: float = 60.0) -> list[Block] | None:
    """Return base blocks of a quadruple system with this group, or None."""
    number, first = orbits_of_triples(action)
    blocks = candidates(action, number, first)
    model = cp_model.CpModel()
    chosen = [model.new_bool_var(str(block)) for block, _ in blocks]
    for orbit in range(len(first)):
        model.add_exactly_one(
            x for x, (_, covered) in zip(chosen, blocks, strict=True) if orbit in covered
        )
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = seconds
    solver.parameters.num_workers = 1
    if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    return [block for x, (block, _) in zip(chosen, blocks, strict=True) if solver.value(x)]


def main(modulus: int, copies: int, fixed: int, multiplier: int) -> None:
    """Search and print the base blocks."""
    group = (Multiplier(multiplier),)
    action = Action(Ring.parse(f"Z{modulus}"), copies=copies, fixed=fixed, multipliers=group)
    print(json.dumps(search(action)))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
