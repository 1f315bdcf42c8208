"""From the sizes of a family to its errors, decoders and bounds. Imports sympy.

Nothing here is typed in from a paper: weights solve the normal equations of the structure, and
errors follow from the weights.
"""

from __future__ import annotations

from collections.abc import Iterator

import sympy as sp

from gcdesign.adversary.formulas.symbols import EACH, ETA, MORE, S, SymbolicFamily

Derived = tuple[str, sp.Expr, str, str, str]
"""Key, rational expression, how it is rounded, what it is, and where it is from."""


def derive(family: SymbolicFamily) -> Iterator[Derived]:
    """Yield every formula of a family, the sizes first."""
    for key, expression, what in (
        ("N", family.workers, "workers"),
        ("K", family.parts, "data parts"),
        ("L", family.load, "load: parts on a worker"),
        ("R", family.replication, "replication: workers that hold a part"),
    ):
        yield key, expression, "", what, "count of flats" if family.common else "definition"
    yield from {
        "constant intersection": _constant_intersection,
        "parallel classes": _parallel_classes,
        "replica groups": _replica_groups,
    }[family.structure](family)
    yield (
        "err_S >=",
        S / family.replication,
        "floor",
        "lower bound of every code with this replication: S workers isolate ⌊S/R⌋ parts",
        "Raviv, Tamo, Tandon, Dimakis, Lemma 21",
    )


def _constant_intersection(family: SymbolicFamily) -> Iterator[Derived]:
    """Workers share λ parts pairwise: EEᵀ = (L − λ)I + λJ, so one weight w serves all survivors."""
    load, shared, alive = family.load, family.common, family.workers - S
    weight = sp.Symbol("w")
    # Row of the normal equations E_F E_Fᵀ w = E_F 1 for a survivor.
    [solution] = sp.solve(sp.Eq(weight * (load + shared * (alive - 1)), load), weight)
    error = family.parts - load * alive * solution
    yield "w", solution, "", "weight of every survivor", "normal equations"
    yield (
        "err_S",
        error,
        "",
        "squared error of every set of S stragglers",
        "Kadhe, Koyluoglu, Ramchandran 2019, Theorems 1 and 2: K − L(N − S)w",
    )
    stragglers = sp.Symbol("x")
    [reached] = sp.solve(sp.Eq(error.subs(S, stragglers), ETA), stragglers)
    yield (
        "error threshold",
        reached,
        "ceiling",
        "least S with err_S ≥ η",
        "err_S = η solved for S",
    )
    yield from _thresholds(family, family.load - shared)


def _parallel_classes(family: SymbolicFamily) -> Iterator[Derived]:
    """Classes are partitions of the parts; workers of two classes share μ parts."""
    count, load, shared = family.classes, family.load, family.common
    size = family.workers / count
    # The m_i = n − s_i survivors of class i have one weight w_i; let c = Σ_j m_j w_j. The normal
    # equation L w_i + μ (c − m_i w_i) = L gives w_i = (L − μc)/(L − μm_i), and L = μn.
    few, many = EACH, EACH + 1
    total = sp.Symbol("c")
    weights = {s: (load - shared * total) / (load - shared * (size - s)) for s in (few, many)}
    equation = (count - MORE) * (size - few) * weights[few] + MORE * (size - many) * weights[many]
    [solution] = sp.solve(sp.Eq(sp.together(equation), total), total)
    error = family.parts - load * solution
    yield (
        "w_a",
        weights[few].subs(total, solution),
        "",
        "weight of a survivor in a class with a stragglers, where S = a·r + b, 0 ≤ b < r",
        "normal equations; balanced stragglers",
    )
    yield (
        "err_S",
        error,
        "",
        "worst squared error, for S = a·r + b with a ≥ 1: stragglers balanced over the classes",
        "a class that is whole decodes alone, so err_S = 0 for S < r; Σ 1/s_i is convex",
    )
    even = error.subs({MORE: 0, EACH: S / count})
    yield "err_S, r | S", even, "", "the same where r divides S", "b = 0"
    yield from _thresholds(family, load)


def _replica_groups(family: SymbolicFamily) -> Iterator[Derived]:
    """Each group of R workers holds the same L parts; it is lost when all of them are silent."""
    replication, load = family.replication, family.load
    yield (
        "w",
        1 / (replication - sp.Symbol("s_i")),
        "",
        "weight of a survivor of a group with s_i stragglers",
        "normal equations; any weights that add up to 1 in each group are as good",
    )
    yield (
        "lost groups",
        S / replication,
        "floor",
        "groups that S stragglers can silence; err_S is L times as much",
        "Charles, Papailiopoulos, Ellenberg 2017",
    )
    yield (
        "groups for eta",
        ETA / load,
        "ceiling",
        "groups that hold η parts; S*(η) and the error threshold are R times as much",
        "group by group",
    )


def _thresholds(family: SymbolicFamily, second: sp.Expr) -> Iterator[Derived]:
    """Bounds on S*(η) from σ₂², the second eigenvalue of EᵀE."""
    replication, load, parts = family.replication, family.load, family.parts
    yield (
        "sigma_2^2",
        second,
        "",
        "second eigenvalue of EᵀE",
        "the Gram matrix of the structure",
    )
    bound = replication**2 * ETA / (second + (replication * load - second) * ETA / parts)
    yield (
        "S*(eta) >=",
        bound,
        "ceiling",
        "spectral bound on the fewest workers that lose η parts",
        "Kadhe, Koyluoglu, Ramchandran 2019, after Tanner 1984: R²η/(σ₂² + (RL − σ₂²)η/K)",
    )
