"""The exact error of silent workers, and the worst over all sets of them."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import comb

from gcdesign.checker.document import Code
from gcdesign.checker.linear import check_memory, semidefinite
from gcdesign.checker.verdicts import Budget, TooMuch

MAX_SETS = 10**8
"""Most sets of silent workers that an exhaustion may have to try."""

Rows = list[list[int]]


def costs_at_least(
    code: Code, silent: Iterable[int], decoder: str, bound: Fraction, budget: Budget
) -> bool:
    """Return whether silencing some workers makes the squared error at least so much.

    For optimal decoding K − gᵀG⁺g ≥ bound exactly if [G g; gᵀ K − bound] is semidefinite: g is in
    the range of G, for both come from the survivors' rows.

    Examples
    --------
    >>> code = Code(3, ((0, 1), (1, 2)))
    >>> costs_at_least(code, [], "optimal", Fraction(1, 3), Budget(None))
    True
    >>> costs_at_least(code, [], "optimal", Fraction(334, 1000), Budget(None))
    False
    """
    gone = set(silent)
    survivors = [w for w in range(code.workers) if w not in gone]
    if decoder == "one-step":
        return one_step_error(code, survivors) >= bound
    times = bound.denominator
    rows = [[times * x for x in row] for row in bordered(code, survivors, budget)]
    rows[-1][-1] -= bound.numerator
    return semidefinite(rows, budget)


def one_step_error(code: Code, survivors: list[int]) -> Fraction:
    """Return Σ_j (ρ c_j − 1)², c_j the number of survivors that hold part j."""
    counts = [0] * code.parts
    for worker in survivors:
        for part in code.blocks[worker]:
            counts[part] += 1
    weight = one_step_weight(code, len(survivors))
    return sum(((weight * count - 1) ** 2 for count in counts), Fraction(0))


def one_step_weight(code: Code, survivors: int) -> Fraction:
    """Return ρ = KN/(f Σ L_w), 0 where that is no number."""
    below = survivors * sum(code.loads)
    return Fraction(code.parts * code.workers, below) if below else Fraction(0)


def bordered(code: Code, workers: list[int], budget: Budget) -> Rows:
    """Return the lower triangle of [G g; gᵀ K]: products of rows, and last their sums."""
    gram, sums = code.gram(budget), code.sums
    digits = max((gram[w][w].bit_length() for w in workers), default=0)
    check_memory(len(workers), digits)
    budget.spend(len(workers) ** 2 // 2)
    rows = [
        [gram[i][j] if j <= i else gram[j][i] for j in workers[: n + 1]]
        for n, i in enumerate(workers)
    ]
    rows.append([*(sums[w] for w in workers), code.parts])
    return rows


def eliminated(rows: Rows, before: int, budget: Budget) -> tuple[Rows, int]:
    """Eliminate the first row of a semidefinite matrix in whole numbers; return the new pivot too.

    A row whose pivot is 0 depends on those before it, is 0 itself, and only left out.
    """
    pivot = rows[0][0]
    rest = rows[1:]
    if pivot == 0:
        return [row[1:] for row in rest], before
    budget.spend(len(rest) * len(rest) * (1 + pivot.bit_length() // 256) // 2)
    column = [row[0] for row in rest]
    found = []
    for row, factor in zip(rest, column, strict=True):
        pairs = zip(row[1:], column, strict=False)
        found.append([(pivot * x - factor * c) // before for x, c in pairs])
    return found, pivot


def worst_error(
    code: Code, stragglers: int, decoder: str, budget: Budget, *, enough: Fraction | None = None
) -> Fraction:
    """Return err_S by trying every set; or any number up to ``enough``, if it is no more.

    Raises
    ------
    TooMuch
        If there are too many sets, or the time is over.
    """
    if comb(code.workers, stragglers) > MAX_SETS:
        raise TooMuch(f"there are over {MAX_SETS} sets of {stragglers} workers")
    if decoder == "one-step":
        return _worst_one_step(code, stragglers, budget)
    rows = bordered(code, list(range(code.workers)), budget)
    return worst_completion(rows, 1, stragglers, budget, enough=enough)


def worst_completion(
    rows: Rows, before: int, stragglers: int, budget: Budget, *, enough: Fraction | None = None
) -> Fraction:
    """Return the worst error if so many of the workers in a partly eliminated matrix are silent.

    Elimination is shared: a worker that survives is eliminated once for all sets that agree so
    far, and one that is silent is struck out. The corner is the error of the survivors so far;
    more of them only lower it, so what is no worse than the worst found is not looked into.
    """
    worst = Fraction(-1) if enough is None else enough
    stack = [(rows, before, stragglers)]
    while stack:
        rows, before, silent = stack.pop()
        budget.spend(len(rows))
        if rows[-1][-1] * worst.denominator <= worst.numerator * before:
            continue
        undecided = len(rows) - 1
        if undecided == 0 or undecided == silent:
            worst = Fraction(rows[-1][-1], before)
            continue
        stack.append((*eliminated(rows, before, budget), silent))
        if silent > 0:
            stack.append(([row[1:] for row in rows[1:]], before, silent - 1))
    return worst


def _worst_one_step(code: Code, stragglers: int, budget: Budget) -> Fraction:
    """Return the worst error of one-step decoding, q(Z) = ρ² Σ c_j² − 2ρ Σ c_j + K.

    Silent sets are listed depth first; the two sums change with each worker.
    """
    weight = one_step_weight(code, code.workers - stragglers)
    top, bottom = weight.numerator, weight.denominator
    counts, total = list(code.replications), sum(code.loads)
    squares = sum(count * count for count in counts)
    worst, worker = -1, 0
    silent: list[int] = []
    while True:
        missing = stragglers - len(silent)
        if missing == 0:
            value = top * (top * squares - 2 * bottom * total) + code.parts * bottom * bottom
            worst = max(worst, value)
        if missing and worker + missing <= code.workers:
            silent.append(worker)
            budget.spend(code.loads[worker] + 4)
            total -= code.loads[worker]
            for part in code.blocks[worker]:
                counts[part] -= 1
                squares -= 2 * counts[part] + 1
        elif silent:
            worker = silent.pop()
            total += code.loads[worker]
            for part in code.blocks[worker]:
                squares += 2 * counts[part] + 1
                counts[part] += 1
        else:
            return Fraction(worst, bottom * bottom)
        worker += 1
