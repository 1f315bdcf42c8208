"""Designs that are known to exist, but not built here: the construction is not, or too large."""

from __future__ import annotations

from gcdesign.designs.existence.parameters import Bibd

OPEN_SIX = frozenset(
    {51, 61, 81, 166, 226, 231, 256, 261, 286, 316, 321, 346, 351, 376, 406, 411, 436, 441, 471}
    | {501, 561, 591, 616, 646, 651, 676, 771, 796, 801}
)
"""Numbers of points for which it is open whether a (v, 6, 1) design exists."""

OPEN_NINE = {3: frozenset((177, 345, 385)), 6: frozenset((213,)), 12: frozenset[int]()}
"""For k = 9 and each λ treated: the numbers of points that are left open."""


SYMMETRIC: dict[Bibd, str] = {
    Bibd(41, 16, 6): "Bridges, Hall and Hayden 1981; Tran van Trung 1982",
    Bibd(49, 16, 5): "Brouwer and Wilbrink 1984",
    Bibd(70, 24, 8): "Janko and Tran van Trung 1984",
    Bibd(71, 15, 3): "Haemers 1980",
    Bibd(71, 21, 6): "Janko and Tran van Trung 1985",
    Bibd(78, 22, 6): "Janko and Tran van Trung 1985",
    Bibd(105, 40, 15): "Janko 1999",
}
"""Symmetric designs that a publication gives; residual and derived designs come with them."""


MOST = max(*OPEN_NINE, *(known.lambda_ for known in SYMMETRIC))
"""Largest λ of a design that is given by itself, not as a multiple."""


def theorem(wanted: Bibd) -> str:
    """Return why there is a design with admissible parameters that has no recipe, or nothing.

    What no design can have is refuted before; a theorem is only asked for the rest.

    Examples
    --------
    >>> theorem(Bibd(46, 6, 3)).partition(";")[0]
    'Hanani 1975: for k = 6 and λ ≥ 2 the necessary conditions suffice, but for (21,6,2)'
    >>> theorem(Bibd(51, 6, 1))
    ''
    >>> theorem(Bibd(10**6, 2, 1))
    'complete: all 2-subsets of 1000000 points; too large to be built here'
    """
    times = wanted.times_complete
    if times:
        each = f", each {times} times" if times > 1 else ""
        return (
            f"complete: all {wanted.k}-subsets of {wanted.v} points{each}; too large to be built "
            "here"
        )
    found = _published(wanted)
    return f"{found}; the construction is not part of gcdesign" if found else ""


def _published(wanted: Bibd) -> str:
    """Return the theorem that gives a design, or nothing.

    Notes
    -----
    For k = 3, 4, 5 the necessary conditions suffice but for (15, 5, 2), for k = 6 and λ ≥ 2 but for
    (21, 6, 2): Hanani 1961, 1975. For k = 6, λ = 1: Mills, Abel, Greig and others, with the open
    cases of the Handbook of Combinatorial Designs, 2007. For k = 9 and λ = 3, 6, 12: Abel, Bluskov
    and Greig.
    """
    v, k, lambda_ = wanted
    if 2 * k > v:
        other = wanted.complement
        found = _published(other) if other.k >= 2 and other.lambda_ > 0 else ""
        return f"the complement is a {other} design; {found}" if found else ""
    if k in (3, 4, 5):
        return f"Hanani 1961, 1975: for k = {k} the necessary conditions suffice, but for (15,5,2)"
    if k == 6 and lambda_ >= 2:
        return "Hanani 1975: for k = 6 and λ ≥ 2 the necessary conditions suffice, but for (21,6,2)"
    if k == 6 and lambda_ == 1 and v not in OPEN_SIX:
        return "Mills; Abel and Greig: (v,6,1) designs exist but for v = 16, 21, 36, 46 and open v"
    for part in range(wanted.step, min(lambda_, MOST) + 1, wanted.step):
        found = "" if lambda_ % part else _for_multiples(Bibd(v, k, part))
        if found:
            return found if part == lambda_ else f"{found}; each block {lambda_ // part} times"
    return ""


def _for_multiples(wanted: Bibd) -> str:
    """Return what gives this design, and with it those whose λ is a multiple."""
    v, k, lambda_ = wanted
    if k == 9 and v not in OPEN_NINE.get(lambda_, (v,)):
        return f"Abel, Bluskov and Greig: for k = 9 and λ = {lambda_}, but for open v"
    if wanted in SYMMETRIC:
        return SYMMETRIC[wanted]
    residual = Bibd(v + wanted.r, wanted.r, lambda_)
    if wanted.is_quasi_residual and residual in SYMMETRIC:
        return f"{SYMMETRIC[residual]}: the residual of a symmetric {residual} design"
    derived = Bibd(1 + v * (v - 1) // k, v, k)
    if k == lambda_ + 1 and derived in SYMMETRIC:
        return f"{SYMMETRIC[derived]}: the derived design of a symmetric {derived} design"
    return ""
