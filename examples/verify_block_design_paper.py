"""Check the statements of the block-design paper by brute force on small fields.

Kadhe, Koyluoglu, Ramchandran, "Gradient coding based on block designs for mitigating adversarial
stragglers", 2019 (arXiv 1904.13373). Every line that this script prints is one statement: ✓ if
it held for all sets of stragglers that were tried, ✗ if not. The exit code is 1 if any failed.

The brute force is written out here, in whole numbers and fractions, and shares no code with
gcdesign. Small cases run over all 2^N sets of stragglers, larger ones over sets drawn with the
seed SEED.

Words: N workers, K parts, load L (parts of a worker), replication R (workers of a part), S
stragglers, f = N − S survivors F. The error is squared: err(F) = min_v ‖E_Fᵀ v − 1‖².
"""

from __future__ import annotations

import cmath
import random
import sys
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import partial
from itertools import combinations

import gcdesign

SEED = 20190430
SAMPLES = 60

Blocks = list[list[int]]
Matrix = list[list[int]]


# --- The brute force ------------------------------------------------------------------------


def gram(blocks: Blocks, parts: int) -> Matrix:
    """Return the Gram matrix of the workers' 0/1 rows with a row of ones added at the end."""
    rows = [set(block) for block in blocks] + [set(range(parts))]
    return [[len(a & b) for b in rows] for a in rows]


def survive(matrix: Matrix, pivot: int) -> tuple[Matrix, int]:
    """Project the first row out of all others (Bareiss: whole numbers stay whole).

    Entries are inner products of what is left of the rows, times ``pivot``. A first row of
    which nothing is left depends on those before it, and changes nothing.
    """
    head = matrix[0]
    if head[0] == 0:
        return silence(matrix), pivot
    swept = [
        [(head[0] * x - row[0] * h) // pivot for x, h in zip(row[1:], head[1:], strict=True)]
        for row in matrix[1:]
    ]
    return swept, head[0]


def silence(matrix: Matrix) -> Matrix:
    """Drop the first row and column: a silent worker."""
    return [row[1:] for row in matrix[1:]]


def all_errors(blocks: Blocks, parts: int) -> list[Fraction]:
    """Return err for every set of stragglers; entry s is for those whose bits are set in s."""
    workers = len(blocks)
    errors = [Fraction(0)] * 2**workers

    def descend(matrix: Matrix, pivot: int, worker: int, silent: int) -> None:
        if worker == workers:
            errors[silent] = Fraction(matrix[0][0], pivot)
            return
        descend(silence(matrix), pivot, worker + 1, silent | 1 << worker)
        descend(*survive(matrix, pivot), worker + 1, silent)

    descend(gram(blocks, parts), 1, 0, 0)
    return errors


def error_of(blocks: Blocks, parts: int, silent: int) -> Fraction:
    """Return err for one set of stragglers, given as bits."""
    matrix, pivot = gram(blocks, parts), 1
    for worker in range(len(blocks)):
        if silent >> worker & 1:
            matrix = silence(matrix)
        else:
            matrix, pivot = survive(matrix, pivot)
    return Fraction(matrix[0][0], pivot)


def independent(blocks: Blocks, parts: int) -> bool:
    """Whether the rows of all workers, and so of any survivors, are linearly independent."""
    matrix, pivot = gram(blocks, parts), 1
    for _ in blocks:
        if matrix[0][0] == 0:
            return False
        matrix, pivot = survive(matrix, pivot)
    return True


def worst_by_size(errors: list[Fraction], pick: Callable[..., Fraction] = max) -> list[Fraction]:
    """Return the greatest (or least) of all errors for each number of stragglers."""
    by_size: dict[int, list[Fraction]] = {}
    for silent, error in enumerate(errors):
        by_size.setdefault(silent.bit_count(), []).append(error)
    return [pick(by_size[size]) for size in sorted(by_size)]


def thresholds(blocks: Blocks, parts: int) -> list[int]:
    """Return S*(η) for η = 0 … K: the least |N(T)| over all sets T of at least η parts."""
    holders = [0] * parts
    for worker, block in enumerate(blocks):
        for part in block:
            holders[part] |= 1 << worker
    reached = [0] * 2**parts  # N(T) for every T, one part at a time
    best = [len(blocks)] * (parts + 1)
    best[0] = 0
    for chosen in range(1, 2**parts):
        lowest = chosen & -chosen
        reached[chosen] = reached[chosen ^ lowest] | holders[lowest.bit_length() - 1]
        size = chosen.bit_count()
        best[size] = min(best[size], reached[chosen].bit_count())
    for eta in range(parts - 1, -1, -1):  # a larger set counts for η too
        best[eta] = min(best[eta], best[eta + 1])
    return best


def members(silent: int) -> list[int]:
    """Return the workers whose bits are set."""
    return [worker for worker in range(silent.bit_length()) if silent >> worker & 1]


def sampled_sets(workers: int) -> Iterator[int]:
    """Yield sets of stragglers of random sizes, from a recorded seed."""
    rng = random.Random(SEED)
    for _ in range(SAMPLES):
        size = rng.randint(0, workers)
        yield sum(1 << worker for worker in rng.sample(range(workers), size))


def sets_with_errors(blocks: Blocks, parts: int) -> Iterator[tuple[int, Fraction]]:
    """Yield (stragglers, err): all sets up to 16 workers, sampled ones beyond."""
    if len(blocks) <= 16:
        yield from enumerate(all_errors(blocks, parts))
    else:
        for silent in sampled_sets(len(blocks)):
            yield silent, error_of(blocks, parts, silent)


# --- The report -----------------------------------------------------------------------------


class Report:
    """Prints one line for each statement and counts those that fail."""

    def __init__(self) -> None:
        self.made = 0
        self.failed = 0

    def state(self, text: str, holds: bool) -> None:
        """Print a statement and whether it holds."""
        self.made += 1
        self.failed += not holds
        print("✓" if holds else "✗", text, flush=True)


def code_of(name: str) -> tuple[gcdesign.GradientCode, Blocks]:
    """Return a code by name and its blocks as plain lists: worker i holds the parts blocks[i]."""
    code = gcdesign.load_code(name)
    return code, code.placement.design.blocks()


def shown(values: Iterable[object]) -> str:
    """Return values in one line."""
    return ", ".join(map(str, values))


# --- Table III: parameters ------------------------------------------------------------------


def pair_values(blocks: Blocks) -> set[int]:
    """Return the sizes of the intersections of two different blocks."""
    return {len(set(a) & set(b)) for a, b in combinations(blocks, 2)}


def transposed(blocks: Blocks, parts: int) -> Blocks:
    """Return for each part the workers that hold it."""
    return [[w for w, block in enumerate(blocks) if part in block] for part in range(parts)]


def counted(blocks: Blocks, parts: int) -> tuple[int, int, set[int], set[int]]:
    """Return N, K, the set of all loads and the set of all replications, by counting."""
    loads = {len(block) for block in blocks}
    return len(blocks), parts, loads, {len(holders) for holders in transposed(blocks, parts)}


def check_table_iii(report: Report) -> None:
    """Count N, K, L, R and λ of the three constructions in dimensions 2 and 3."""
    for m, orders in ((2, (2, 3, 4, 5)), (3, (2, 3))):
        right = {"pg": True, "ag": True, "dual-ag": True}
        for q in orders:
            points = (q ** (m + 1) - 1) // (q - 1)
            r = (q**m - 1) // (q - 1)
            common = {(q ** (m - 1) - 1) // (q - 1)}
            flats = q * r  # hyperplanes of AG(m, q)
            for family in right:
                code, blocks = code_of(f"{family}:q={q},dim={m}")
                found = counted(blocks, code.parts)
                by_parts = pair_values(transposed(blocks, code.parts))
                by_workers = pair_values(blocks)
                if family == "pg":
                    right[family] &= found == (points, points, {r}, {r})
                    right[family] &= by_parts == by_workers == common
                elif family == "ag":
                    right[family] &= found == (flats, q**m, {q ** (m - 1)}, {r})
                    right[family] &= by_parts == common and by_workers == {0, q ** (m - 2)}
                else:
                    right[family] &= found == (q**m, flats, {r}, {q ** (m - 1)})
                    right[family] &= by_workers == common
        where = f"m={m}, q={shown(orders)}"
        report.state(
            f"Table III, PG_m(q), {where}: N = K = (q^(m+1)-1)/(q-1), L = R = (q^m-1)/(q-1), "
            "λ = (q^(m-1)-1)/(q-1)",
            right["pg"],
        )
        report.state(
            f"Table III, AG_m(q), {where}: N = q(q^m-1)/(q-1), K = q^m, L = q^(m-1), "
            "R = (q^m-1)/(q-1), two parts share λ = (q^(m-1)-1)/(q-1) workers, two workers "
            "0 or q^(m-2) parts",
            right["ag"],
        )
        report.state(
            f"Table III, dual AG_m(q), {where}: N = q^m, K = q(q^m-1)/(q-1), "
            "L = (q^m-1)/(q-1), R = q^(m-1), two workers share λ = (q^(m-1)-1)/(q-1) parts",
            right["dual-ag"],
        )
    report.state(
        "Table III has a misprint: its AG row says N = q²+1, which breaks NL = KR "
        "(q=3: 10·3 ≠ 9·4); with N = q²+q it holds (12·3 = 9·4)",
        all(
            (q * q + q) * q == q * q * (q + 1) and (q * q + 1) * q != q * q * (q + 1)
            for q in (2, 3, 4, 5, 7, 8, 9)
        ),
    )


# --- Workers that pairwise share λ parts: symmetric designs and duals of designs -------------


def constant_vector_is_optimal(blocks: Blocks, parts: int, common: int, silent: int) -> bool:
    """Whether v = L/(L + λ(f − 1)) on all survivors solves E_F(E_Fᵀ v − 1) = 0."""
    alive = [block for worker, block in enumerate(blocks) if not silent >> worker & 1]
    copies = [0] * parts
    for block in alive:
        for part in block:
            copies[part] += 1
    load = len(blocks[0])
    scale = load + common * (len(alive) - 1)
    return all(sum(load * copies[part] - scale for part in block) == 0 for block in alive)


def gcdesign_decodes_alike(
    code: gcdesign.GradientCode, silent: int, error: Fraction, weight: Fraction
) -> bool:
    """Whether gcdesign finds this error, with this weight on every survivor."""
    decoding = gcdesign.decode(code, members(silent))
    expected = [0.0 if silent >> worker & 1 else float(weight) for worker in range(code.workers)]
    return decoding.error_exact == error and decoding.weights.tolist() == expected


def check_constant_intersection(
    report: Report, name: str, common: int, formula: str, value: Callable[[int], Fraction]
) -> None:
    """Check the error formula, the constant decoder, and what gcdesign says, for one code.

    ``common`` is λ, the number of parts that any two workers share.
    """
    code, blocks = code_of(name)
    n, k, load = code.workers, code.parts, len(blocks[0])
    tried, by_formula, by_vector, alike = 0, True, True, True
    for silent, error in sets_with_errors(blocks, k):
        f = n - silent.bit_count()
        weight = Fraction(load, load + common * (f - 1)) if f else Fraction(0)
        tried += 1
        by_formula &= error == value(n - f) == k - load * f * weight
        by_vector &= constant_vector_is_optimal(blocks, k, common, silent)
        alike &= gcdesign_decodes_alike(code, silent, error, weight)
    which = f"all {tried}" if tried == 2**n else f"{tried} random"
    what = f"{code.label}, {which} sets of stragglers"
    report.state(
        f"{what}: err = K-L²f/(L+λ(f-1)) = {formula}, whichever workers are silent", by_formula
    )
    report.state(f"{what}: weight L/(L+λ(f-1)) on every survivor is optimal", by_vector)
    report.state(f"{what}: gcdesign gives the same errors and weights", alike)
    report.state(f"{code.label}: no other decoding vector is optimal", independent(blocks, k))


def plane_error(q: int, stragglers: int) -> Fraction:
    """Return the error of PG(2, q) in its reduced form."""
    return Fraction(q * stragglers, (q + 1) ** 2 - stragglers)


def dual_affine_error(q: int, stragglers: int) -> Fraction:
    """Return the error of the dual of AG(2, q) in its reduced form."""
    return Fraction((q + 1) * stragglers, q * q + q - stragglers)


def check_symmetric_designs(report: Report) -> None:
    """Check symmetric designs: PG(m, q) with points and hyperplanes."""
    for q in (2, 3, 4, 5):
        check_constant_intersection(
            report,
            f"pg:q={q}",
            1,
            "qS/((q+1)²-S)",
            partial(plane_error, q),
        )
    check_constant_intersection(
        report, "pg:q=2,dim=3", 3, "S(L-λ)/(L²-λS)", lambda s: Fraction(4 * s, 49 - 3 * s)
    )
    special = True
    for q in (2, 3):
        code, blocks = code_of(f"pg:q={q}")
        worst = worst_by_size(all_errors(blocks, code.parts))
        n, load = code.workers, q + 1
        special &= worst[q + 1] == 1 and worst[n - 1] == n - load and worst[n] == n
    report.state("PG(2,q), q=2, 3: err is 1 for S = q+1, K-L for S = N-1, K for S = N", special)


def check_duals(report: Report) -> None:
    """Check duals of designs: points as workers."""
    for q in (2, 3, 4, 5):
        check_constant_intersection(
            report,
            f"dual-ag:q={q}",
            1,
            "(q+1)S/(q²+q-S)",
            partial(dual_affine_error, q),
        )
    # The 2-(8, 4, 3) design of points and planes: b = 14, r = 7.
    check_constant_intersection(
        report, "dual-ag:q=2,dim=3", 3, "S(r²-λb)/(rk-λS)", lambda s: Fraction(7 * s, 28 - 3 * s)
    )


# --- Affine geometries: the error depends on which workers are silent ------------------------


def affine_error(parts: int, size: int, counts: list[int]) -> Fraction:
    """Return 0 if a class is whole, else K/(1 − r + n Σ 1/s_i) for s_i stragglers in class i."""
    if 0 in counts:
        return Fraction(0)
    return parts / (1 - len(counts) + size * sum((Fraction(1, s) for s in counts), Fraction(0)))


def balanced(stragglers: int, classes: int) -> list[int]:
    """Return the spread of S stragglers over r classes that is as even as possible."""
    each, more = divmod(stragglers, classes)
    return [each + (i < more) for i in range(classes)]


def parallel_classes(blocks: Blocks) -> list[list[int]]:
    """Group workers that share no part."""
    classes: list[list[int]] = []
    for worker, block in enumerate(blocks):
        for group in classes:
            if not set(block) & set(blocks[group[0]]):
                group.append(worker)
                break
        else:
            classes.append([worker])
    return classes


def counts_of(classes: list[list[int]], silent: int) -> list[int]:
    """Return the number of stragglers in each class."""
    return [sum(silent >> worker & 1 for worker in group) for group in classes]


def check_affine(report: Report) -> None:
    """Check the closed form, its worst and best cases, and its departure from the paper."""
    for name in ("ag:q=2", "ag:q=3", "ag:q=2,dim=3", "ag:q=4"):
        code, blocks = code_of(name)
        classes = parallel_classes(blocks)
        tried, right, alike = 0, True, True
        for silent, error in sets_with_errors(blocks, code.parts):
            tried += 1
            right &= error == affine_error(code.parts, len(classes[0]), counts_of(classes, silent))
            alike &= gcdesign.decode(code, members(silent)).error_exact == error
        which = f"all {tried}" if tried == 2**code.workers else f"{tried} random"
        report.state(
            f"{code.label}, {which} sets: with s_i stragglers in parallel class i, err is 0 if "
            "a class is whole, else K/(1-r+nΣ1/s_i)",
            right,
        )
        report.state(f"{code.label}, {which} sets: gcdesign gives the same errors", alike)
    for name in ("ag:q=2", "ag:q=3", "ag:q=2,dim=3"):
        check_affine_extremes(report, name)
    check_departure(report)


def check_affine_extremes(report: Report, name: str) -> None:
    """Check that the balanced spread is the worst, and what gcdesign calls worst and best."""
    code, blocks = code_of(name)
    classes = parallel_classes(blocks)
    errors = all_errors(blocks, code.parts)
    worst, best = worst_by_size(errors), worst_by_size(errors, min)
    r, size = len(classes), len(classes[0])
    spreads = [affine_error(code.parts, size, balanced(s, r)) for s in range(code.workers + 1)]
    report.state(
        f"{code.label}: the worst of all sets of S stragglers is spread evenly over the "
        f"classes, err_S = {shown(worst)}",
        worst == spreads,
    )
    answers = gcdesign.worst_case_error_profile(code)
    least = [None if answer.least is None else answer.least.value for answer in answers]
    report.state(
        f"{code.label}: gcdesign gives the same worst errors, and the least ones",
        [answer.value for answer in answers] == worst and least == best,
    )


def check_departure(report: Report) -> None:
    """Show that "the error depends on the number of stragglers only" fails for AG(2, q)."""
    _, blocks = code_of("ag:q=3")
    classes = parallel_classes(blocks)
    spread = [group[0] for group in classes]
    huddled = classes[0] + classes[1][:1]
    pair = [error_of(blocks, 9, sum(1 << w for w in chosen)) for chosen in (spread, huddled)]
    report.state(
        f'AG(2,3) departs from "the error depends only on the number of stragglers": workers '
        f"{shown(spread)} give {pair[0]}, workers {shown(huddled)} give {pair[1]}",
        pair == [1, 0],
    )
    planes, affine = [], []
    for q in (2, 3):
        for s in range(0, q * q + q + 1, q + 1):
            planes.append(plane_error(q, s))
            affine.append(affine_error(q * q, q, balanced(s, q + 1)))
    report.state(
        "AG(2,q), q=2, 3: when q+1 divides S the worst error is that of PG(2,q), qS/((q+1)²-S)",
        planes == affine,
    )


# --- Baselines and the lower bound -----------------------------------------------------------


def check_baselines(report: Report) -> None:
    """Check fractional repetition, uncoded, and the bound ⌊S/R⌋ that no code escapes."""
    for n, s in ((9, 2), (8, 1), (12, 3)):
        code, blocks = code_of(f"frc:workers={n},stragglers={s}")
        worst = worst_by_size(all_errors(blocks, n))
        load = s + 1
        answers = gcdesign.worst_case_error_profile(code)
        report.state(
            f"{code.label}: worst err_S = L⌊S/R⌋ with L = R = {load}, over all {2**n} sets, "
            "and by gcdesign",
            worst
            == [load * (t // load) for t in range(n + 1)]
            == [answer.value for answer in answers],
        )
    code, blocks = code_of("uncoded:workers=10")
    report.state(
        f"{code.label}: err = S for every set",
        all(error == silent.bit_count() for silent, error in sets_with_errors(blocks, 10)),
    )
    names = ("pg:q=2", "pg:q=3", "ag:q=3", "dual-ag:q=3", "frc:workers=9,stragglers=2")
    bounded = True
    for name in names:
        code, blocks = code_of(name)
        worst = worst_by_size(all_errors(blocks, code.parts))
        r = len(transposed(blocks, code.parts)[0])
        bounded &= all(error >= s // r for s, error in enumerate(worst))
    report.state(f"err_S ≥ ⌊S/R⌋, which is ⌊S/L⌋ for N = K: {shown(names)}", bounded)


# --- The adversarial threshold S*(η) ----------------------------------------------------------


def check_thresholds(report: Report) -> None:
    """Check S*(η) against gcdesign, its bounds, and the relation of affine to projective."""
    names = ("pg:q=2", "pg:q=3", "ag:q=2", "ag:q=3", "dual-ag:q=2", "dual-ag:q=3")
    truth: dict[str, list[int]] = {}
    sound = True
    for name in (*names, "frc:workers=9,stragglers=2"):
        code, blocks = code_of(name)
        truth[name] = thresholds(blocks, code.parts)
        answers = gcdesign.threshold_profile(code.placement)
        report.state(
            f"{code.label}: S*(η) = {shown(truth[name])} over all {2**code.parts} sets of "
            "parts, and by gcdesign",
            [answer.value for answer in answers] == truth[name],
        )
        for answer, least in zip(answers, truth[name], strict=True):
            for bound in answer.bounds:
                sound &= bound.value <= least if bound.side == "lower" else bound.value >= least
    report.state("no bound that gcdesign names for these is on the wrong side of S*(η)", sound)
    report.state(
        "FRC (N=9, S=2): S*(η) = R⌈η/L⌉",
        truth["frc:workers=9,stragglers=2"] == [3 * -(-eta // 3) for eta in range(10)],
    )
    for q in (2, 3):
        report.state(
            f"S*(η) of AG(2,{q}) is S*(η) of PG(2,{q}) for all η ≤ q² = {q * q}",
            truth[f"ag:q={q}"] == truth[f"pg:q={q}"][: q * q + 1],
        )
    for q in (2, 3):
        n = q * q + q + 1
        report.state(
            f"PG(2,{q}): spectral bound S*(η) ≥ η(q+1)²/(q+η)",
            all(s >= Fraction(e * (q + 1) ** 2, q + e) for e, s in enumerate(truth[f"pg:q={q}"])),
        )
        code, blocks = code_of(f"pg:q={q}")
        theirs = [spectral_bound_of_gcdesign(code.placement, eta) for eta in range(n + 1)]
        report.state(
            f"PG(2,{q}): gcdesign's spectral bound is that number for every η",
            theirs == [Fraction(eta * (q + 1) ** 2, q + eta) for eta in range(n + 1)],
        )
    check_best_spectrum(report)
    check_error_thresholds(report, truth)


def spectral_bound_of_gcdesign(
    placement: gcdesign.Placement, eta: int
) -> int | Fraction | float | None:
    """Return the bound called "spectral" in gcdesign's answer."""
    bounds = gcdesign.threshold(placement, eta).bounds
    return next((bound.value for bound in bounds if bound.name == "spectral"), None)


def circulant(shifts: Iterable[int], n: int) -> Blocks:
    """Return the blocks {i + d : d in shifts} modulo n."""
    return [sorted((i + d) % n for d in shifts) for i in range(n)]


def check_best_spectrum(report: Report) -> None:
    """Check on circulants that symmetric designs have the least second singular value."""
    n, load = 7, 3
    least = load * (n - load) / (n - 1)
    optimal: set[float] = set()
    others: set[float] = set()
    for shifts in combinations(range(n), load):
        second = max(
            abs(sum(cmath.exp(2j * cmath.pi * j * d / n) for d in shifts)) ** 2 for j in range(1, n)
        )
        is_design = pair_values(circulant(shifts, n)) == {1}
        (optimal if is_design else others).add(round(second, 9))
    report.state(
        "N = 7, L = 3, all 35 circulants: σ₂² ≥ L(N-L)/(N-1) = 2, with equality exactly for "
        "symmetric designs, so these maximise the spectral bound",
        optimal == {least} and min(others) > least,
    )


def check_error_thresholds(report: Report, truth: dict[str, list[int]]) -> None:
    """Check that an optimal decoder is off by η before η parts are lost altogether."""
    for q in (2, 3):
        code, blocks = code_of(f"pg:q={q}")
        worst = worst_by_size(all_errors(blocks, code.parts))
        etas = range(code.parts + 1)
        first = [next(s for s, error in enumerate(worst) if error >= eta) for eta in etas]
        report.state(
            f"PG(2,{q}): the least S with err_S ≥ η is the spectral bound rounded up, "
            f"{shown(first)}, and by gcdesign",
            first
            == [-(-eta * (q + 1) ** 2 // (q + eta)) for eta in etas]
            == [gcdesign.error_threshold(code, eta).value for eta in etas],
        )
        report.state(
            f"PG(2,{q}): that never exceeds S*(η)",
            all(a <= b for a, b in zip(first, truth[f"pg:q={q}"], strict=True)),
        )
    plane = gcdesign.load_code("pg:q=3")
    lost = gcdesign.threshold(plane.placement, 3).value
    off = gcdesign.error_threshold(plane, 3).value
    report.state(
        f"PG(2,3), η = 3: {lost} silent workers are needed to lose 3 parts altogether, {off} "
        "for a worst error of 3",
        (lost, off) == (9, 8),
    )


# --- Where a projective plane is not the best -------------------------------------------------


def check_where_planes_lose(report: Report) -> None:
    """Compare PG(2,2) with all circulant placements of 7 parts on 7 workers with load 3."""
    n, load = 7, 3
    _, plane_blocks = code_of("pg:q=2")
    plane = worst_by_size(all_errors(plane_blocks, n))
    cyclic_blocks = circulant(range(load), n)
    cyclic = worst_by_size(all_errors(cyclic_blocks, n))
    report.state(
        "N = K = 7, L = 3: for S < L the cyclic placement beats PG(2,2): err_1 = "
        f"{cyclic[1]} against {plane[1]}, err_2 = {cyclic[2]} against {plane[2]}",
        (cyclic[1], cyclic[2]) == (Fraction(1, 13), Fraction(1, 4))
        and (plane[1], plane[2]) == (Fraction(1, 4), Fraction(4, 7)),
    )
    code = gcdesign.GradientCode.from_design(gcdesign.BlockDesign.from_blocks(cyclic_blocks))
    report.state(
        "N = K = 7, L = 3: gcdesign gives the same errors for the cyclic placement",
        [answer.value for answer in gcdesign.worst_case_error_profile(code)] == cyclic,
    )
    best = True
    for shifts in combinations(range(n), load):
        worst = worst_by_size(all_errors(circulant(shifts, n), n))
        best &= all(plane[s] <= worst[s] for s in range(load, n + 1))
    report.state("N = K = 7, L = 3: for S ≥ L no circulant is better than PG(2,2)", best)
    report.state(
        "cyclic placement, N = K = 7, L = 3: S*(η) = min(η+L-1, N)",
        thresholds(cyclic_blocks, n) == [0, *(min(eta + load - 1, n) for eta in range(1, n + 1))],
    )


def main() -> int:
    """Check everything and return the exit code."""
    report = Report()
    check_table_iii(report)
    check_symmetric_designs(report)
    check_duals(report)
    check_affine(report)
    check_baselines(report)
    check_thresholds(report)
    check_where_planes_lose(report)
    print(f"{report.made} statements, {report.failed} failed (random sets: seed {SEED})")
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main())
