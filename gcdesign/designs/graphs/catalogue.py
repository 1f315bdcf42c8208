"""Named graphs: ``petersen``, ``cycle:n=7``, ``lps:p=5,q=13`` and so on.

A graph is named as a design is, and its numbers of vertices and edges are known before it is
built. Graphs themselves are no placements: families make placements of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gcdesign.designs.cyclic import cyclic_blocks
from gcdesign.designs.design import Size, check_size
from gcdesign.designs.fields import galois_field, not_prime_power, prime_power
from gcdesign.designs.graphs.graph import Graph
from gcdesign.designs.graphs.lps import lps_graph, lps_order
from gcdesign.designs.graphs.regular import check_regular, random_regular_graph
from gcdesign.designs.singer import singer_difference_set
from gcdesign.designs.values import WHOLE, ParameterValue, parse_settings, settings_text
from gcdesign.errors import InputError, nearest


class Order(NamedTuple):
    """Numbers of vertices, of edges between different vertices, and of vertices with a loop."""

    vertices: int
    edges: int
    loops: int = 0


@dataclass(frozen=True)
class NamedGraph:
    """A family of graphs: its whole-number parameters with defaults, and how it is made.

    Attributes
    ----------
    parameters
        Name and default of each parameter; None where it has to be given.
    construct, order
        Take the parameters by keyword; ``order`` judges them and builds nothing.
    example
        Name of a small member.
    """

    parameters: dict[str, int | None]
    construct: Callable[..., Graph]
    order: Callable[..., Order]
    example: str


def graph(name: str) -> Graph:
    """Return a graph by its name.

    Raises
    ------
    InputError
        If there is no such graph.
    LimitError
        If it is too large.

    Examples
    --------
    >>> graph("petersen").vertices, graph("paley:q=13").degrees[0]
    (10, np.int64(6))
    """
    kind, values = _resolve(name)
    order = kind.order(**values)
    arcs = 2 * order.edges + order.loops
    check_size(Size(order.vertices, order.vertices, arcs), name=name)
    return kind.construct(**values)


def graph_order(name: str) -> Order:
    """Return the numbers of vertices, edges and loops of a graph without building it.

    Examples
    --------
    >>> graph_order("petersen"), graph_order("lps:p=5,q=13")
    (Order(vertices=10, edges=15, loops=0), Order(vertices=2184, edges=6552, loops=0))
    """
    kind, values = _resolve(name)
    return kind.order(**values)


def full_name(name: str) -> str:
    """Return the name with all parameters in their order.

    Examples
    --------
    >>> full_name("regular: degree=3, n=8")
    'regular:n=8,degree=3,seed=0'
    """
    _, values = _resolve(name)
    settings = settings_text(tuple(values.items()))
    head = name.partition(":")[0].strip()
    return f"{head}:{settings}" if settings else head


def _resolve(name: str) -> tuple[NamedGraph, dict[str, ParameterValue]]:
    head, _, settings = name.partition(":")
    kind = GRAPHS.get(head.strip())
    if kind is None:
        raise InputError(f"no graph is called {head!r}; {nearest(head, GRAPHS)}")
    given = parse_settings(settings, dict.fromkeys(kind.parameters, WHOLE), where=name)
    for key in given:
        if key not in kind.parameters:
            advice = nearest(key, kind.parameters)
            raise InputError(f"the graph {head} has no parameter {key!r}; {advice}")
    values: dict[str, ParameterValue] = {}
    for key, default in kind.parameters.items():
        value = given.get(key, default)
        if value is None:
            raise InputError(f"the graph {head} needs {key}: for example {kind.example}")
        values[key] = value
    return kind, values


def petersen() -> Graph:
    """Return the Petersen graph: 2-subsets of 5 elements, joined if they are disjoint."""
    outer = np.arange(5)
    spokes = np.stack([outer, outer + 5], axis=1)
    cycle = np.stack([outer, (outer + 1) % 5], axis=1)
    star = np.stack([outer + 5, (outer + 2) % 5 + 5], axis=1)
    return Graph.from_edges(10, np.concatenate([cycle, spokes, star]), transitive=True)


def cycle_graph(n: int) -> Graph:
    """Return the cycle C_n, n ≥ 3."""
    vertices = np.arange(n)
    return Graph.from_edges(n, np.stack([vertices, (vertices + 1) % n], axis=1), transitive=True)


def complete_graph(n: int) -> Graph:
    """Return the complete graph K_n, n ≥ 2."""
    pairs = np.stack(np.triu_indices(n, 1), axis=1)
    return Graph.from_edges(n, pairs, transitive=True)


def hypercube(dim: int) -> Graph:
    """Return the graph of the cube {0,1}^dim."""
    vertices, steps = np.arange(1 << dim), 1 << np.arange(dim)
    heads = (vertices[:, None] ^ steps).reshape(-1)
    return Graph.from_arcs(1 << dim, np.repeat(vertices, dim), heads, transitive=True)


def paley_graph(q: int) -> Graph:
    """Return the Paley graph: elements of GF(q), joined if their difference is a square.

    Notes
    -----
    Source: Paley 1933. Strongly regular with k = (q − 1)/2, λ = (q − 5)/4, μ = (q − 1)/4, for
    a prime power q ≡ 1 (mod 4): then −1 is a square and the relation is symmetric.
    """
    field = galois_field(q)
    squares = field.exp[: q - 1 : 2]
    tails = np.repeat(np.arange(q, dtype=np.int32), len(squares))
    heads = field.add(np.arange(q, dtype=np.int32)[:, None], squares[None, :])
    return Graph.from_arcs(q, tails, heads.reshape(-1), transitive=True)


def polarity_graph(q: int) -> Graph:
    """Return the polarity graph ER_q of Erdős and Rényi; its absolute points carry loops.

    Points of PG(2,q) numbered along a Singer cycle with difference set D, i and j joined if
    i + j ∈ D. That is a polarity with q + 1 absolute points, 2i ∈ D, so the orthogonal one for
    odd q (Baer 1946). With the loops A² = qI + J.

    Notes
    -----
    Source: Erdős and Rényi 1962; Brown 1966.
    """
    base = singer_difference_set(q, 2)
    n = q * q + q + 1
    heads = cyclic_blocks(base, n)[-np.arange(n) % n]
    return Graph.from_arcs(n, np.repeat(np.arange(n), q + 1), heads.reshape(-1))


def margulis_gabber_galil_graph(n: int) -> Graph:
    """Return the 8-regular graph of Margulis, Gabber and Galil on (Z mod n)².

    (x, y) leads to (x ± 2y, y), (x ± (2y + 1), y), (x, y ± 2x) and (x, y ± (2x + 1)), so every
    row of the adjacency matrix sums to 8; loops and multiple edges occur. λ₂ ≤ 5√2.

    Notes
    -----
    Source: Gabber and Galil 1981; Hoory, Linial, Wigderson 2006, section 8. The public code
    for Raviv, Tamo, Tandon, Dimakis calls it Margulis. It is no Ramanujan graph.
    """
    x, y = np.divmod(np.arange(n * n), n)
    right = [a for step in (2 * y, 2 * y + 1) for a in (step, -step)]
    up = [a for step in (2 * x, 2 * x + 1) for a in (step, -step)]
    heads = [(x + a) % n * n + y for a in right] + [x * n + (y + a) % n for a in up]
    return Graph.from_arcs(n * n, np.tile(np.arange(n * n), 8), np.concatenate(heads))


def _at_least(least: int, order: Callable[[int], Order]) -> Callable[[int], Order]:
    def checked(n: int) -> Order:
        if n < least:
            raise InputError(f"n={n}; expected {least} or more")
        return order(n)

    return checked


def _hypercube_order(dim: int) -> Order:
    if not 1 <= dim <= 24:
        raise InputError(f"dim={dim}; expected 1 to 24")
    return Order(1 << dim, dim << (dim - 1))


def paley_order(q: int) -> Order:
    """Return the order of the Paley graph; q must be a prime power ≡ 1 (mod 4)."""
    check_size(Size(max(q, 0), 0, 0), name=f"the Paley graph of q={q}")
    if q < 2 or prime_power(q) is None or q % 4 != 1:
        near = [n for n in range(max(5, q - 64), q + 64) if n % 4 == 1 and prime_power(n)] or [5]
        below = [f"q={n}" for n in near if n < q][-1:]
        above = [f"q={n}" for n in near if n > q][:1]
        raise InputError(
            f"q={q} is no prime power ≡ 1 mod 4; the nearest: {' or '.join(below + above)}"
        )
    return Order(q, q * (q - 1) // 4)


def polarity_order(q: int) -> Order:
    """Return the order of the polarity graph; q must be a prime power."""
    if q < 2:
        raise InputError(f"q={q}; expected a prime power, 2 or more")
    check_size(Size(q * q + q + 1, 0, 0), name=f"the polarity graph of q={q}")
    if prime_power(q) is None:
        raise InputError(not_prime_power(q))
    return Order(q * q + q + 1, q * (q + 1) ** 2 // 2, q + 1)


def _regular_order(n: int, degree: int, seed: int) -> Order:
    check_regular(n, degree)
    if seed < 0:
        raise InputError(f"seed={seed}; expected 0 or more")
    return Order(n, n * degree // 2)


def _lps_order(p: int, q: int) -> Order:
    n = lps_order(p, q)
    return Order(n, n * (p + 1) // 2)


GRAPHS = {
    "petersen": NamedGraph({}, petersen, lambda: Order(10, 15), "petersen"),
    "cycle": NamedGraph({"n": None}, cycle_graph, _at_least(3, lambda n: Order(n, n)), "cycle:n=7"),
    "complete": NamedGraph(
        {"n": None},
        complete_graph,
        _at_least(2, lambda n: Order(n, n * (n - 1) // 2)),
        "complete:n=6",
    ),
    "hypercube": NamedGraph({"dim": None}, hypercube, _hypercube_order, "hypercube:dim=4"),
    "regular": NamedGraph(
        {"n": None, "degree": None, "seed": 0},
        random_regular_graph,
        _regular_order,
        "regular:n=20,degree=3,seed=1",
    ),
    "lps": NamedGraph({"p": None, "q": None}, lps_graph, _lps_order, "lps:p=5,q=13"),
    "paley": NamedGraph({"q": None}, paley_graph, paley_order, "paley:q=13"),
    "polarity": NamedGraph({"q": None}, polarity_graph, polarity_order, "polarity:q=4"),
}
"""Every named graph. That of Margulis, Gabber and Galil has multiple edges and stands apart."""
