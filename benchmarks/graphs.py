"""Building Ramanujan graphs, against breadth-first search over their groups in plain Python.

Every sample is a fresh process; imports are done before the clock starts.
"""

from __future__ import annotations

import json
import sys
import time

from measuring import Row, alternate, child, print_rows, row

SAMPLES = 7
GRAPHS = ((5, 13, 5), (5, 29, 12))
"""The primes p and q, and a root of −1 modulo q."""

MAX_TIME_RATIO = 1.0

Element = tuple[int, int, int, int]


def plain_neighbours(p: int, q: int, root: int) -> dict[Element, list[Element]]:
    """Return the neighbours of every group element, by breadth-first search from the identity."""
    even = range(-(int(p**0.5) // 2) * 2, int(p**0.5) + 1, 2)
    quaternions = [
        (a, b, c, d)
        for a in range(1, int(p**0.5) + 1, 2)
        for b in even
        for c in even
        for d in even
        if a * a + b * b + c * c + d * d == p
    ]
    generators = [
        (a + root * b, c + root * d, root * d - c, a - root * b) for a, b, c, d in quaternions
    ]
    neighbours: dict[Element, list[Element]] = {}
    frontier: list[Element] = [(1, 0, 0, 1)]
    while frontier:
        a, b, c, d = here = frontier.pop()
        if here in neighbours:
            continue
        found = [
            scaled((a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h), q)
            for e, f, g, h in generators
        ]
        neighbours[here] = found
        frontier += [element for element in found if element not in neighbours]
    return neighbours


def scaled(matrix: Element, q: int) -> Element:
    """Return the multiple of a matrix whose first non-zero entry is 1."""
    a, b, c, d = (entry % q for entry in matrix)
    inverse = pow(a or b, -1, q)
    return a * inverse % q, b * inverse % q, c * inverse % q, d * inverse % q


def run_child(task: str, p: int, q: int, root: int) -> None:
    """Do one task once and print CPU milliseconds and the number of vertices as JSON."""
    from gcdesign.designs.graphs.lps import lps_graph

    start = time.process_time()
    order = lps_graph(p, q).vertices if task == "build" else len(plain_neighbours(p, q, root))
    print(json.dumps({"cpu": 1000 * (time.process_time() - start), "order": order}))


def measure_graph(p: int, q: int, root: int, samples: int) -> Row:
    """Measure one graph; both sides must find the same number of vertices."""
    orders = set()

    def run(task: str) -> float:
        answer = child("graphs.py", task, str(p), str(q), str(root))
        orders.add(answer["order"])
        if len(orders) > 1:
            raise RuntimeError(f"LPS({p},{q}) has {orders} vertices")
        return float(answer["cpu"])

    times = alternate(lambda: run("build"), lambda: run("plain"), samples=samples)
    subject = f"LPS({p},{q}) built, {orders.pop():,} vertices"
    reference = "breadth-first search over the group, plain Python"
    return row("graphs", subject, reference, "ms CPU", times, target=MAX_TIME_RATIO)


def measure(samples: int = SAMPLES) -> list[Row]:
    """Measure all graphs."""
    rows = []
    for p, q, root in GRAPHS:
        rows.append(measure_graph(p, q, root, samples))
        print_rows(rows[-1:])
    return rows


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        run_child(sys.argv[2], *map(int, sys.argv[3:]))
    else:
        measure()
