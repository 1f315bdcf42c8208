"""Why a design cannot exist: theorems with their numbers, and exhaustive searches published."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import isqrt

from gcdesign.designs.existence.answers import Impossible
from gcdesign.designs.existence.hilbert import failing_prime
from gcdesign.designs.existence.parameters import Bibd

SEARCHES: dict[Bibd, str] = {
    Bibd(111, 11, 1): "Lam, Thiel and Swiercz 1989: there is no projective plane of order 10",
    Bibd(46, 6, 1): "Houghten, Thiel, Janssen and Lam 2001: there is no (46,6,1) design",
    Bibd(22, 8, 4): (
        "Bilous, Lam, Thiel, Li, van Rees, Radziszowski, Holzmann and Kharaghani 2007: "
        "there is no (22,8,4) design"
    ),
}
"""Designs that exhaustive computer searches excluded, with the publication."""


def refute(wanted: Bibd) -> Impossible | None:
    """Return why there is no such design, or None if no theorem known here excludes it.

    Examples
    --------
    >>> refute(Bibd(8, 3, 1)).reason
    'divisibility: r = λ(v − 1)/(k − 1) = 1·7/2 is no whole number'
    >>> refute(Bibd(7, 3, 1)) is None
    True
    """
    found = _refute(wanted)
    return None if found is None else Impossible(wanted, f"{found[0]}: {found[1]}", found[0])


@lru_cache(maxsize=1 << 16)
def _refute(wanted: Bibd) -> tuple[str, str] | None:
    for theorem, condition in _CONDITIONS.items():
        failure = condition(wanted)
        if failure:
            return theorem, failure
    # With more than half of the points in a block the complement is the smaller question.
    if 2 * wanted.k > wanted.v and wanted.k < wanted.v - 1 and wanted.complement.lambda_ > 0:
        found = _refute(wanted.complement)
        if found:
            return found[0], f"the complement is a {wanted.complement} design; {found[1]}"
    return None


def _divisibility(wanted: Bibd) -> str:
    v, k, lambda_ = wanted
    if wanted.exact_r.denominator > 1:
        return f"r = λ(v − 1)/(k − 1) = {lambda_}·{v - 1}/{k - 1} is no whole number"
    if wanted.exact_b.denominator > 1:
        return f"b = vr/k = {v}·{wanted.r}/{k} is no whole number"
    return ""


def _fisher(wanted: Bibd) -> str:
    if wanted.k < wanted.v and wanted.b < wanted.v:
        return f"b = {wanted.b} blocks are fewer than v = {wanted.v} points"
    return ""


def _bruck_ryser_chowla(wanted: Bibd) -> str:
    """Bruck and Ryser 1949, Chowla and Ryser 1950."""
    v, k, lambda_ = wanted
    if not wanted.is_symmetric or k == v:
        return ""
    order = k - lambda_
    if v % 2 == 0:
        if isqrt(order) ** 2 == order:
            return ""
        return f"b = v = {v} is even, and k − λ = {order} is no square"
    signed = lambda_ if v % 4 == 1 else -lambda_
    prime = failing_prime(order, signed)
    if prime is None:
        return ""
    where = f"at p = {prime}" if prime else "over the real numbers"
    return (
        f"b = v = {v} is odd, and z² = {order}x² {'+' if signed > 0 else '−'} {lambda_}y² has no "
        f"solution but 0: it has none {where}, where the Hilbert symbol ({order}, {signed}) is −1"
    )


def _affine_plane(wanted: Bibd) -> str:
    """With λ = 1 and r = k + 1 the design is an affine plane, which extends to a projective one."""
    return _residual(wanted, 1, f"an affine plane of order {wanted.k} extends to")


def _hall_connor(wanted: Bibd) -> str:
    """Hall and Connor 1954: with λ = 2 and r = k + 2 the design is a residual design."""
    return _residual(wanted, 2, "with λ = 2 and r = k + 2 it is the residual of")


def _residual(wanted: Bibd, lambda_: int, why: str) -> str:
    if not wanted.is_quasi_residual or wanted.lambda_ != lambda_:
        return ""
    symmetric = Bibd(wanted.v + wanted.r, wanted.r, lambda_)
    found = _refute(symmetric)
    if found is None:
        return ""
    return f"{why} a symmetric {symmetric} design, which does not exist; {found[0]}: {found[1]}"


def _searches(wanted: Bibd) -> str:
    return SEARCHES.get(wanted, "")


_CONDITIONS: dict[str, Callable[[Bibd], str]] = {
    "divisibility": _divisibility,
    "Fisher": _fisher,
    "Bruck–Ryser–Chowla": _bruck_ryser_chowla,
    "exhaustive search": _searches,
    "affine plane": _affine_plane,
    "Hall–Connor": _hall_connor,
}
"""Each necessary condition by its name: it returns how it fails, or nothing."""
