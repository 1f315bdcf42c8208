"""Certificates made by hand, and the truth by brute force: no code is shared with the checker."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb
from typing import Any

import pytest

Json = Any
Blocks = tuple[tuple[int, ...], ...]
Matrix = tuple[tuple[Fraction, ...], ...]

FANO = [sorted((w + d) % 7 for d in (0, 1, 3)) for w in range(7)]
AFFINE = [[0, 1], [2, 3], [0, 2], [1, 3], [0, 3], [1, 2]]
EQUAL = [[0, 1], [0, 1], [2], [2], [2], [3, 4]]
UNEVEN = [[0, 1, 2], [1, 3], [0, 4], [2, 3, 4], [4]]
ANY = [[0, 1], [1, 2, 3], [0, 3], [2, 4], [1, 4]]
DEAR = [[3], [0, 1, 2, 3], [0, 1, 2, 3], [0, 1, 3], [0, 2]]
LOOSE = [[2], [1, 3, 4], [1, 2], [0, 1, 2], [4], [1, 4], [0, 4]]
SQUARE = [[*range(8)], [*range(8, 16)], [*range(4), *range(8, 12)], [*range(4, 8), *range(12, 16)]]
WEIGHTS = [["1/2", 1], [1, -2, "3/4"], [1, 1], [2, "-1/3"], [1, 3]]


# --- the truth --------------------------------------------------------------------------------


@cache
def least_holders(blocks: Blocks, parts: int, eta: int) -> int:
    """S*(η), over all sets of parts."""
    return min(
        sum(not lost.isdisjoint(block) for block in blocks)
        for lost in map(frozenset, combinations(range(parts), eta))
    )


def encoding(blocks: Blocks, parts: int, weights: Json) -> Matrix:
    """The encoding matrix."""
    rows = [[Fraction(0)] * parts for _ in blocks]
    for w, block in enumerate(blocks):
        for i, part in enumerate(block):
            rows[w][part] = Fraction(1) if weights is None else Fraction(weights[w][i])
    return tuple(map(tuple, rows))


def dot(a: Sequence[Fraction], b: Sequence[Fraction]) -> Fraction:
    return sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))


def optimal_error(rows: Sequence[Sequence[Fraction]], parts: int) -> Fraction:
    """min ‖Rᵀv − 1‖², by Gram and Schmidt."""
    residual = [Fraction(1)] * parts
    basis: list[list[Fraction]] = []
    for given in rows:
        row = list(given)
        for other in basis:
            times = dot(row, other) / dot(other, other)
            row = [x - times * y for x, y in zip(row, other, strict=True)]
        if any(row):
            basis.append(row)
            times = dot(residual, row) / dot(row, row)
            residual = [x - times * y for x, y in zip(residual, row, strict=True)]
    return dot(residual, residual)


def plain_error(matrix: Matrix, alive: Sequence[int], parts: int) -> Fraction:
    """‖ρ E_Fᵀ1 − 1‖², ρ = K/(f · mean load)."""
    copies = sum(map(sum, matrix))
    if not alive or not copies:
        return Fraction(parts)
    weight = Fraction(parts * len(matrix)) / (len(alive) * copies)
    received = [weight * sum(matrix[w][j] for w in alive) for j in range(parts)]
    return sum(((x - 1) ** 2 for x in received), Fraction(0))


@cache
def error_of(matrix: Matrix, parts: int, decoder: str, silent: frozenset[int]) -> Fraction:
    alive = [w for w in range(len(matrix)) if w not in silent]
    if decoder == "one-step":
        return plain_error(matrix, alive, parts)
    return optimal_error([matrix[w] for w in alive], parts)


@cache
def worst(matrix: Matrix, parts: int, decoder: str, stragglers: int) -> Fraction:
    """err_S, over all sets of workers."""
    sets = map(frozenset, combinations(range(len(matrix)), stragglers))
    return max(error_of(matrix, parts, decoder, silent) for silent in sets)


def holds(document: Json, claim: Json) -> bool:
    """Whether the bracket of a claim holds the true value."""
    number = claim["placement"]
    placement = document["placements"][number]
    parts, blocks = placement["parts"], tuple(map(tuple, placement["blocks"]))
    weights = document["weights"] if number == 0 else None
    lower, upper = (
        None if claim.get(end) is None else Fraction(claim[end]) for end in ("lower", "upper")
    )
    if claim["question"] == "threshold":
        value: Fraction | int = least_holders(blocks, parts, claim["eta"])
    else:
        matrix, decoder = encoding(blocks, parts, weights), claim["decoder"]
        if claim["question"] == "error":
            value = worst(matrix, parts, decoder, claim["stragglers"])
        else:
            asked = Fraction(claim["error"])
            value = next(
                s for s in range(len(blocks) + 1) if worst(matrix, parts, decoder, s) >= asked
            )
    return (lower is None or lower <= value) and (upper is None or value <= upper)


# --- writing certificates ---------------------------------------------------------------------


def sign(document: Json) -> Json:
    """Write the digests anew."""
    document["digests"] = {
        name: hashlib.sha256(
            json.dumps(document[name], sort_keys=True, separators=(",", ":")).encode()
        ).hexdigest()
        for name in ("placements", "weights", "claims")
    }
    return document


def exact(value: Fraction | int) -> Json:
    """A number as the file writes it."""
    value = Fraction(value)
    return value.numerator if value.denominator == 1 else str(value)


def certificate(
    blocks: Sequence[Sequence[int]],
    *claims: Json,
    parts: int | None = None,
    weights: Json = None,
    more: Sequence[Json] = (),
) -> Json:
    """A certificate about some blocks."""
    count = 1 + max((p for block in blocks for p in block), default=-1) if parts is None else parts
    return sign(
        {
            "schema": "gcdesign.certificate/1",
            "generator": "a test",
            "placements": [{"parts": count, "blocks": [list(b) for b in blocks]}, *more],
            "weights": weights,
            "claims": list(claims),
        }
    )


def threshold(
    blocks: Sequence[Sequence[int]], eta: int, proof: Json, *, parts: int | None = None
) -> Json:
    """The true claim on S*(η), with its witness."""
    count = 1 + max(p for block in blocks for p in block) if parts is None else parts
    sets = (
        (sum(not set(lost).isdisjoint(block) for block in blocks), lost)
        for lost in combinations(range(count), eta)
    )
    value, lost = min(sets)
    return {
        "question": "threshold",
        "eta": eta,
        "lower": value,
        "upper": value,
        "workers": [w for w, block in enumerate(blocks) if not set(lost).isdisjoint(block)],
        "parts": list(lost),
        "placement": 0,
        "proof": proof,
    }


def error(
    blocks: Sequence[Sequence[int]],
    stragglers: int,
    proof: Json,
    *,
    upper: Fraction | None = None,
    decoder: str = "optimal",
    weights: Json = None,
    parts: int | None = None,
) -> Json:
    """The true claim on err_S, with its witness; ``upper`` for a proof that does not reach it."""
    count = 1 + max(p for block in blocks for p in block) if parts is None else parts
    matrix = encoding(tuple(map(tuple, blocks)), count, weights)
    sets = combinations(range(len(blocks)), stragglers)
    value, silent = max(
        ((error_of(matrix, count, decoder, frozenset(s)), s) for s in sets), key=lambda x: x[0]
    )
    return {
        "question": "error",
        "stragglers": stragglers,
        "decoder": decoder,
        "lower": exact(value),
        "upper": exact(value if upper is None else upper),
        "workers": list(silent),
        "placement": 0,
        "proof": proof,
    }


def error_threshold(claim: Json, proof: Json) -> Json:
    """The claim that the error of another claim is first reached with its stragglers."""
    return {
        "question": "error-threshold",
        "error": claim["lower"],
        "decoder": claim["decoder"],
        "lower": claim["stragglers"],
        "upper": claim["stragglers"],
        "workers": claim["workers"],
        "placement": 0,
        "proof": proof,
    }


def as_lemma(claim: Json) -> Json:
    """A claim as a lemma."""
    end = "upper" if claim["question"] == "threshold" else "lower"
    gone = {end, "workers", "parts"}
    return {k: v for k, v in claim.items() if k not in gone} | {"lemma": True}


# --- proofs that take some work ---------------------------------------------------------------


def solve(matrix: list[list[Fraction]], right: list[Fraction]) -> list[Fraction]:
    """Gauss and Jordan, for matrices whose leading minors are not 0."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for i, pivot in enumerate(rows):
        pivot[:] = [x / pivot[i] for x in pivot]
        for j, row in enumerate(rows):
            if j != i:
                row[:] = [x - row[i] * y for x, y in zip(row, pivot, strict=True)]
    return [row[-1] for row in rows]


def multiplier(
    matrix: Matrix, parts: int, stragglers: int, *, known: tuple[Sequence[int], Sequence[int]]
) -> tuple[Json, Fraction]:
    """The proof with D = 1 and V = 1, scaled until its matrix is definite, and what it shows.

    ``known`` are silent and surviving workers.
    """
    silent, alive = known
    undecided = [w for w in range(len(matrix)) if w not in {*silent, *alive}]
    few = stragglers - len(silent)
    size = sum(x * x for row in matrix for x in row)
    scale = max(1, few) * int(size + 1)
    own, penalty = Fraction(1, scale), Fraction(5, 2)
    rows = [[Fraction(i == j) for j in range(parts)] for i in range(parts)]
    for i in range(parts):
        for j in range(parts):
            squares = sum(matrix[w][i] * matrix[w][j] for w in undecided)
            mixed = sum(matrix[w][i] for w in undecided) * sum(matrix[w][j] for w in undecided)
            rows[i][j] -= own * (few * squares - mixed)
            rows[i][j] += penalty * sum(matrix[w][i] * matrix[w][j] for w in alive)
    shows = sum(solve(rows, [Fraction(1)] * parts), Fraction(0))
    n = len(undecided)
    proof = {"scale": scale, "diagonal": [1] * n, "off_diagonal": [1] * comb(n, 2)}
    return proof | ({"penalty": exact(penalty)} if silent or alive else {}), shows


def one_step_multiplier(matrix: Matrix, parts: int, stragglers: int) -> tuple[Json, Fraction]:
    """A proof with some linear part and some pairs, and the least error that it shows."""
    n, scale = len(matrix), 6
    weight = Fraction(parts * n) / ((n - stragglers) * sum(map(sum, matrix)))
    gram = [[dot(a, b) for b in matrix] for a in matrix]
    linear = [3, *((w % 3) - 1 for w in range(n))]
    pairs = [[0, 1, 1], [0, n - 1, 2]]
    # Enough on the diagonal to dominate everything else.
    most = max(weight**2 * sum(row) for row in gram)
    diagonal = [-scale * int(most + n + 3) - w for w in range(n)]
    u, (m0, *m) = [Fraction(x, scale) for x in diagonal], [Fraction(x, scale) for x in linear]
    square = [[-(weight**2) * gram[i][j] - (m[i] + m[j]) / 2 for j in range(n)] for i in range(n)]
    for i in range(n):
        square[i][i] -= u[i]
    for i, j, count in pairs:
        square[i][j] -= Fraction(count, scale)
        square[j][i] -= Fraction(count, scale)
    line = [
        2 * weight**2 * sum(gram[i]) - 2 * weight * sum(matrix[i]) + u[i] - m0 + m[i] * stragglers
        for i in range(n)
    ]
    constant = (
        -(weight**2) * sum(map(sum, gram)) + 2 * weight * sum(map(sum, matrix)) - parts
    ) + m0 * stragglers
    shows = dot(line, solve(square, line)) / 4 - constant
    proof = {
        "by": "one-step multiplier",
        "scale": scale,
        "diagonal": diagonal,
        "linear": linear,
        "pairs": pairs,
    }
    return proof, shows


def most_shared(
    matrix: Matrix, stragglers: int, *, second: Fraction, weight: Fraction, sets: Json
) -> Fraction | None:
    """The bound of Σ a_j² of a proof ``sharing``, for sets of one size; None if it shows none."""
    n = len(matrix)
    top = sum(matrix[0]) * sum(row[0] for row in matrix)
    size = len(sets[0]) if sets else 0
    times = sum(0 in members for members in sets)
    rows = [
        [
            second * (i == j)
            + (top - second) / n
            - dot(a, b)
            - weight * (sum(i in x and j in x for x in sets) - Fraction(times * size, n))
            for j, b in enumerate(matrix)
        ]
        for i, a in enumerate(matrix)
    ]
    if weight < 0 or not semidefinite(rows):
        return None
    level = [0] * len(sets)
    for _ in range(times * stragglers):
        level[level.index(min(level))] += 1
    uneven = sum(x * x for x in level) - Fraction(times * size * stragglers**2, n)
    return second * stragglers + (top - second) / n * stragglers**2 - weight * uneven


def semidefinite(rows: Sequence[Sequence[Fraction]]) -> bool:
    """Whether a symmetric matrix is positive semidefinite, by elimination."""
    left = [list(row) for row in rows]
    while left:
        pivot, *across = left.pop(0)
        if pivot < 0 or (pivot == 0 and any(across)):
            return False
        left = [
            [x - row[0] / pivot * y if pivot else x for x, y in zip(row[1:], across, strict=True)]
            for row in left
        ]
    return True


def sharing(
    matrix: Matrix,
    parts: int,
    stragglers: int,
    *,
    second: Fraction,
    weight: Fraction = Fraction(0),
    sets: Json = (),
) -> tuple[Json, Fraction | None]:
    """A proof of kind ``sharing``, and what it shows; None if its matrix is not semidefinite."""
    proof = {"by": "sharing", "second_squared": exact(second), "weight": exact(weight)}
    proof["sets"] = [list(members) for members in sets]
    shared = most_shared(matrix, stragglers, second=second, weight=weight, sets=sets)
    if shared is None:
        return proof, None
    load, copies = dot(matrix[0], matrix[0]), Fraction(sum(map(sum, matrix)))
    received = copies**2 / parts - 2 * copies / parts * load * stragglers
    received += max(t for t in range(int(shared) + 1) if (t - load * stragglers) % 2 == 0)
    aimed = copies - load * stragglers
    return proof, parts - aimed**2 / received if received > 0 else Fraction(parts)


def cases_of_workers(
    matrix: Matrix, parts: int, stragglers: int, depth: int
) -> tuple[Json, Fraction]:
    """A tree whose leaves are all of the three kinds, and the least error that it shows."""
    n, bounds = len(matrix), [Fraction(0)]

    def tree(worker: int, silent: list[int], alive: list[int]) -> Json:
        few = stragglers - len(silent)
        if few < 0 or few > n - worker:
            return 0
        if worker == depth:
            if len(alive) % 2:
                sets = combinations(range(worker, n), few)
                errors = (
                    error_of(matrix, parts, "optimal", frozenset([*silent, *s])) for s in sets
                )
                bounds.append(max(errors))
                return "exhaustion"
            proof, shows = multiplier(matrix, parts, stragglers, known=(silent, alive))
            bounds.append(shows)
            return proof
        return [
            worker,
            tree(worker + 1, [*silent, worker], alive),
            tree(worker + 1, silent, [*alive, worker]),
        ]

    return {"by": "cases", "tree": tree(0, [], [])}, max(bounds)


def refuted(
    blocks: Sequence[Sequence[int]],
    parts: int,
    eta: int,
    least: int,
    known: tuple[set[int], set[int]],
    *,
    rules: int,
) -> bool:
    """Whether a node is refuted by the first rules of the page, with plain sets."""
    inside, out = known
    holders = [{w for w, block in enumerate(blocks) if p in block} for p in range(parts)]
    dead = set[int]().union(*(holders[p] for p in inside))
    rest = [p for p in range(parts) if p not in inside | out]
    n = eta - len(inside)
    if n < 0 or len(dead) >= least:
        return True
    n = max(0, n - sum(holders[p] <= dead for p in rest))
    rest = [p for p in rest if 0 < len(holders[p] - dead) < least - len(dead)]
    if n > len(rest):
        return True
    need = sum(sorted(len(holders[p] - dead) for p in rest)[:n])
    alive = [set(block) & set(rest) for w, block in enumerate(blocks) if w not in dead]
    caps = sorted(map(len, alive), reverse=True)
    if rules >= 2 and sum(caps[: least - len(dead) - 1]) < need:
        return True
    shared = [
        sorted((len((holders[p] & holders[q]) - dead) for q in rest if q != p), reverse=True)
        for p in rest
    ]
    most = sum(sorted((sum(s[: max(n - 1, 0)]) for s in shared), reverse=True)[:n])
    if rules >= 3 and any(
        len(dead) + -(-(2 * m * need - most) // (m * (m + 1))) >= least
        for m in range(1, max(map(len, blocks)) + 1)
    ):
        return True
    return rules >= 4 and any(
        len(dead) + -(-sum(sorted(costs)[:n]) // 720720) >= least for costs in levelled(alive, rest)
    )


def levelled(alive: Sequence[set[int]], rest: Sequence[int]) -> Iterator[list[int]]:
    """What the parts get from the workers, after each of the page's 16 rounds."""
    shares = {(w, p): 0 for w, block in enumerate(alive) for p in block}
    for _ in range(16):
        for w, block in enumerate(alive):
            if block:
                x = {
                    p: sum(shares.get((v, p), 0) for v in range(len(alive)) if v != w)
                    for p in block
                }
                low = sorted(x.values())
                i = next(
                    i
                    for i in range(1, len(low) + 1)
                    if i == len(low) or i * low[i] >= 720720 + sum(low[:i])
                )
                height = (720720 + sum(low[:i])) // i
                shares |= {(w, p): height - x[p] if x[p] < height else 0 for p in block}
        assert all(sum(shares[w, p] for p in block) <= 720720 for w, block in enumerate(alive))
        yield [sum(shares.get((w, p), 0) for w in range(len(alive))) for p in rest]


def cases_of_parts(
    blocks: Sequence[Sequence[int]], parts: int, eta: int, least: int, *, rules: int
) -> Json:
    """A tree that refutes every attack on fewer than ``least`` workers, by the first rules only."""

    def tree(inside: set[int], out: set[int]) -> Json:
        if refuted(blocks, parts, eta, least, (inside, out), rules=rules):
            return 0
        part = next(p for p in range(parts) if p not in inside | out)
        return [part, tree(inside | {part}, out), tree(inside, out | {part})]

    return {"by": "cases", "tree": tree(set(), set())}


# --- the catalogue ----------------------------------------------------------------------------


def _multiplier(weights: Json, stragglers: int) -> Json:
    matrix = encoding(tuple(map(tuple, ANY)), 5, weights)
    proof, shows = multiplier(matrix, 5, stragglers, known=((), ()))
    proof = {"by": "multiplier", **proof}
    return certificate(
        ANY, error(ANY, stragglers, proof, upper=shows, weights=weights), weights=weights
    )


def _cases_of_workers() -> Json:
    matrix = encoding(tuple(map(tuple, ANY)), 5, None)
    proof, shows = cases_of_workers(matrix, 5, 2, 2)
    lemma = as_lemma(error(ANY, 2, proof, upper=shows))
    claim = error_threshold(error(ANY, 5, None), {"by": "monotone", "claim": 0})
    return certificate(ANY, lemma, claim | {"lower": 3})


def _one_step() -> Json:
    matrix = encoding(tuple(map(tuple, UNEVEN)), 5, None)
    proof, shows = one_step_multiplier(matrix, 5, 2)
    ask = {"decoder": "one-step"}
    first = error(UNEVEN, 2, proof, upper=shows, **ask)  # type: ignore[arg-type]
    alone = error(UNEVEN, 1, {"by": "alone"}, upper=Fraction(11), **ask)  # type: ignore[arg-type]
    later = error(UNEVEN, 1, {"by": "monotone", "claim": 0}, upper=shows, **ask)  # type: ignore[arg-type]
    every = error(UNEVEN, 3, {"by": "exhaustion"}, **ask)  # type: ignore[arg-type]
    tight = error_threshold(every, {"by": "exhaustion"})
    return certificate(UNEVEN, first, alone, later, every, tight)


def _sharing() -> Json:
    """A square with four parts on each side: one of two opposite workers, or both or none."""
    matrix = encoding(tuple(map(tuple, SQUARE)), 16, None)
    halves = {"second": Fraction(8), "weight": Fraction(4), "sets": ((0, 1), (2, 3))}
    proof, shows = sharing(matrix, 16, 1, **halves)  # type: ignore[arg-type]
    even, also = sharing(matrix, 16, 2, **halves)  # type: ignore[arg-type]
    first, second = error(SQUARE, 1, proof, upper=shows), error(SQUARE, 2, even, upper=also)
    tight = error_threshold(second, proof) | {"upper": 3, "workers": [0, 1, 2]}
    return certificate(SQUARE, first, second, tight)


@cache
def catalogue() -> dict[str, Json]:
    """Certificates that hold, by the kind of proof."""
    fano, two = tuple(map(tuple, FANO)), {"by": "spectral", "second_squared": 2}
    plain, _ = sharing(encoding(fano, 7, None), 7, 3, second=Fraction(2))
    turn = [(-i) % 7 for i in range(7)]
    orbit = [[(i + 1) % 7 for i in range(7)]]
    rest = cases_of_parts(FANO, 7, 2, 5, rules=1)["tree"]
    by_orbit = {"orbit": orbit, "part": 0, "in": rest[1], "out": 0}
    proof, shows = multiplier(encoding(fano, 7, None), 7, 3, known=((), ()))
    sub = [w for w in range(7) if w != 3]
    kept = [p for p in range(7) if p not in FANO[3]]
    affine = [[kept.index(p) for p in FANO[w] if p in kept] for w in sub]
    extension = {"by": "extension", "claim": 0, "workers": sub, "parts": kept, "extra": []}
    halves = [[1, 1], [1, 1], [2], [2], [2], [1, 1]]
    further = as_lemma(threshold(FANO, 2, {"by": "pairs", "m": 1})) | {"placement": 1}
    plus_one = [*AFFINE, [0, 4]]
    with_extra = {
        "by": "extension",
        "claim": 0,
        "workers": [0, 1, 2, 3, 4, 5],
        "parts": [0, 1, 2, 3],
        "extra": [4],
    }
    beyond = as_lemma(threshold(plus_one, 2, {"by": "copies"})) | {"placement": 1, "lower": 1}
    small = threshold(AFFINE, 1, with_extra) | {"lower": 0}
    return {
        "pairs": certificate(FANO, threshold(FANO, 3, {"by": "pairs", "m": 1})),
        "copies": certificate(EQUAL, threshold(EQUAL, 1, {"by": "copies"})),
        "spectral": certificate(FANO, threshold(FANO, 6, two), error(FANO, 2, two)),
        "spectral one-step": certificate(
            FANO, error(FANO, 3, two, decoder="one-step", upper=Fraction(7, 6))
        ),
        "groups": certificate(
            EQUAL,
            threshold(EQUAL, 3, {"by": "groups"}, parts=6),
            error(EQUAL, 3, {"by": "groups"}, parts=6),
            parts=6,
        ),
        "shares": certificate(
            EQUAL,
            threshold(EQUAL, 4, {"by": "shares", "scale": 2, "shares": halves}),
            threshold(EQUAL, 5, {"by": "shares", "claim": 0}),
        ),
        "monotone": certificate(
            FANO,
            as_lemma(threshold(FANO, 3, {"by": "pairs", "m": 1})),
            threshold(FANO, 4, {"by": "monotone", "claim": 0}),
        ),
        "correlation": certificate(
            FANO,
            as_lemma(threshold(FANO, 3, {"by": "pairs", "m": 1})),
            threshold(
                FANO,
                2,
                {
                    "by": "correlation",
                    "claim": 0,
                    "parts_to_workers": turn,
                    "workers_to_parts": turn,
                },
            ),
        ),
        "extension": certificate(
            affine,
            further,
            threshold(affine, 2, extension) | {"lower": 5},
            more=[{"parts": 7, "blocks": FANO}],
        ),
        "extension with an extra part": certificate(
            AFFINE, beyond, small, more=[{"parts": 5, "blocks": plus_one}]
        ),
        "cases": certificate(
            UNEVEN, threshold(UNEVEN, 2, cases_of_parts(UNEVEN, 5, 2, 3, rules=1))
        ),
        "cases by all rules": certificate(
            ANY, threshold(ANY, 3, cases_of_parts(ANY, 5, 3, 4, rules=3))
        ),
        "cases by shares": certificate(LOOSE, threshold(LOOSE, 4, {"by": "cases", "tree": 0})),
        "cases by settling": certificate(DEAR, threshold(DEAR, 2, {"by": "cases", "tree": 0})),
        "cases by orbits": certificate(FANO, threshold(FANO, 2, {"by": "cases", "tree": by_orbit})),
        "all parts": certificate(FANO, error(FANO, 7, {"by": "all parts"})),
        "intersection": certificate(FANO, error(FANO, 5, {"by": "intersection"})),
        "classes": certificate(
            AFFINE, error(AFFINE, 4, {"by": "classes"}), error(AFFINE, 2, {"by": "classes"})
        ),
        "sharing": certificate(FANO, error(FANO, 3, plain)),
        "sharing, unevenly": _sharing(),
        "multiplier": certificate(FANO, error(FANO, 3, {"by": "multiplier", **proof}, upper=shows)),
        "multiplier, uneven": _multiplier(None, 2),
        "multiplier, real": _multiplier(WEIGHTS, 3),
        "exhaustion": certificate(
            ANY,
            error(ANY, 2, {"by": "exhaustion"}, weights=WEIGHTS),
            error_threshold(error(ANY, 4, None, weights=WEIGHTS), {"by": "exhaustion"}),
            weights=WEIGHTS,
        ),
        "error cases": _cases_of_workers(),
        "one-step": _one_step(),
    }


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "known" in metafunc.fixturenames:
        metafunc.parametrize("known", catalogue())


@pytest.fixture
def document(known: str) -> Json:
    """A certificate of the catalogue, a copy that may be spoilt."""
    return json.loads(json.dumps(catalogue()[known]))


class Kit:
    """What the tests here share."""

    affine, any, equal, fano, uneven = AFFINE, ANY, EQUAL, FANO, UNEVEN
    sign, holds, refuted = staticmethod(sign), staticmethod(holds), staticmethod(refuted)
    certificate, threshold, error = (
        staticmethod(certificate),
        staticmethod(threshold),
        staticmethod(error),
    )
    error_threshold, as_lemma = staticmethod(error_threshold), staticmethod(as_lemma)
    exact, encoding = staticmethod(exact), staticmethod(encoding)
    error_of, worst = staticmethod(error_of), staticmethod(worst)
    multiplier, one_step_multiplier = staticmethod(multiplier), staticmethod(one_step_multiplier)
    cases_of_parts, cases_of_workers = (
        staticmethod(cases_of_parts),
        staticmethod(cases_of_workers),
    )
    most_shared, sharing = staticmethod(most_shared), staticmethod(sharing)
    catalogue = staticmethod(catalogue)


@pytest.fixture(scope="session")
def kit() -> type[Kit]:
    return Kit
