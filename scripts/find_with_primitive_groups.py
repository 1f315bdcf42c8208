"""Find designs with a primitive group.

    python scripts/find_with_primitive_groups.py V … > finds

For each number of points, all parameters with r ≤ 41 that have no recipe are asked of
scripts/primitive_groups.g, which needs GAP with its PrimGrp package. What it finds is printed as
lines of the table of base blocks, under a cyclic group of automorphisms all of whose cycles are
equally long but for fixed points; scripts/make_base_blocks.py checks them and adds them.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from math import lcm
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.existence import Exists, Impossible, exists
from gcdesign.designs.existence.catalogue import admissible

PROGRAM = Path(__file__).with_name("primitive_groups.g")
TRIED = 400
MAX_R = 41

Permutation = NDArray[np.int64]
Block = tuple[int, ...]


def targets(v: int) -> list[list[int]]:
    """Return [k, λ, b] of all that is not impossible and has no recipe."""
    found = []
    for wanted in admissible(MAX_R, v):
        answer = exists(*wanted) if wanted.v == v else None
        built = isinstance(answer, Exists) and answer.recipe is not None
        if answer is not None and not built and not isinstance(answer, Impossible):
            found.append([wanted.k, wanted.lambda_, wanted.b])
    return found


def finds(v: int) -> Iterator[tuple[str, list[Permutation], list[Block]]]:
    """Yield the parameters, generators and base blocks that GAP finds."""
    program = f'Read("{PROGRAM}");\nSearchPrimitive({v}, {targets(v)});\nQUIT;\n'
    answer = subprocess.run(
        ["gap", "-q"], input=program, capture_output=True, text=True, check=True
    )
    for line in answer.stdout.splitlines():
        parameters, generators, blocks = line.split(" | ")
        yield (
            parameters,
            [np.array(g) for g in json.loads(generators)],
            [tuple(block) for block in json.loads(blocks)],
        )


def orbit(block: Block, generators: list[Permutation]) -> list[Block]:
    """Return all images of a block."""
    found = {tuple(sorted(block)): None}
    fresh = list(found)
    while fresh:
        images = [tuple(sorted(g[list(b)].tolist())) for b in fresh for g in generators]
        fresh = [b for b in dict.fromkeys(images) if b not in found]
        found.update(dict.fromkeys(fresh))
    return list(found)


def cycles(permutation: Permutation) -> list[list[int]]:
    """Return the cycles, fixed points among them."""
    left, found = set(range(len(permutation))), []
    while left:
        cycle = [min(left)]
        while int(permutation[cycle[-1]]) != cycle[0]:
            cycle.append(int(permutation[cycle[-1]]))
        found.append(cycle)
        left -= set(cycle)
    return found


def evenly(generators: list[Permutation]) -> list[list[int]]:
    """Return the cycles of a random element's power that are as long as can be, and all alike."""
    random, best = Random(0), (0, [[0]])
    for _ in range(TRIED):
        element = np.arange(len(generators[0]))
        for _ in range(random.randrange(1, 25)):
            element = element[random.choice(generators)]
        order = lcm(*map(len, cycles(element)))
        for exponent in (d for d in range(1, order) if order % d == 0):
            power = np.arange(len(element))
            for _ in range(exponent):
                power = power[element]
            parts = cycles(power)
            lengths = {len(part) for part in parts} - {1}
            if len(lengths) == 1 and max(lengths) > best[0]:
                best = max(lengths), parts
    return best[1]


def table_line(parameters: str, generators: list[Permutation], blocks: list[Block]) -> str:
    """Return a design as a line of the table of base blocks."""
    parts = sorted(evenly(generators), key=lambda part: (-len(part), part))
    n = len(parts[0])
    copies = sum(len(part) == n for part in parts)
    number_of = {point: i for i, point in enumerate(p for part in parts for p in part)}

    def moved(block: Block, shift: int) -> Block:
        return tuple(sorted(p // n * n + (p + shift) % n if p < copies * n else p for p in block))

    renamed = [
        tuple(sorted(number_of[p] for p in image))
        for block in blocks
        for image in orbit(block, generators)
    ]
    left, base = Counter(renamed), []
    for block in renamed:
        while left[block] > 0:
            left.subtract({moved(block, shift) for shift in range(n)})
            base.append(" ".join(map(str, block)))
    fixed = len(parts) - copies
    return f"{parameters} | Z{n} | {copies} {fixed} |  | {'; '.join(base)} | search"


def main(points: list[str]) -> None:
    """Search for designs on each of some numbers of points."""
    for v in map(int, points):
        for parameters, generators, blocks in finds(v):
            print(table_line(parameters, generators, blocks), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
