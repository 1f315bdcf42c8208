"""Whether some design with given parameters falls into parallel classes."""

from __future__ import annotations

from typing import Literal, NamedTuple

from gcdesign.designs.existence.parameters import Bibd, divisors
from gcdesign.designs.fields import prime_power
from gcdesign.designs.subspaces import gaussian_binomial


class Resolvability(NamedTuple):
    """Whether there is a resolvable design, and why."""

    answer: Literal["yes", "no", "unknown"]
    reason: str


def resolvability(wanted: Bibd) -> Resolvability:
    """Say whether there is a resolvable 2-(v, k, λ) design, as far as theorems known here say it.

    Notes
    -----
    Sources: Bose 1942 for b ≥ v + r − 1, and k² divisible by v if they are equal; Ray-Chaudhuri
    and Wilson 1971 for k = 3, λ = 1; Hanani, Ray-Chaudhuri and Wilson 1972 for k = 4, λ = 1;
    Hanani 1974 for k = 3, λ = 2; Baker 1983 for k = 4, λ = 3; Baranyai 1975 for the complete
    designs; affine geometries.

    Examples
    --------
    >>> resolvability(Bibd(15, 3, 1)).answer, resolvability(Bibd(6, 3, 2)).reason
    ('yes', 'Bose: b = v + r − 1, but v = 6 does not divide k² = 9')
    """
    failure = _failure(wanted)
    if failure:
        return Resolvability("no", failure)
    reason = _theorem(wanted)
    return Resolvability("yes", reason) if reason else Resolvability("unknown", "")


def _failure(wanted: Bibd) -> str:
    v, k, _ = wanted
    if v % k:
        return f"k = {k} does not divide v = {v}"
    if k == v:  # Bose's inequality is about more than one block in a class
        return ""
    least = v + wanted.r - 1
    if wanted.b < least:
        return f"Bose: b = {wanted.b} is less than v + r − 1 = {least}"
    if wanted.b == least and k * k % v:
        return f"Bose: b = v + r − 1, but v = {v} does not divide k² = {k * k}"
    return ""


def _theorem(wanted: Bibd) -> str:
    """Return a theorem that gives a resolvable design, or nothing; multiples inherit it."""
    for times in divisors(wanted.lambda_ // wanted.step):
        reason = _family(wanted.v, wanted.k, times * wanted.step)
        if reason:
            return reason
    return ""


def _family(v: int, k: int, lambda_: int) -> str:
    if k == v:
        return "each block holds all points"
    if k == 2 and lambda_ == 1:
        return "one-factorisation of the complete graph"
    if Bibd(v, k, lambda_).times_complete == 1:
        return "Baranyai 1975: all subsets of one size"
    if k == 3 and lambda_ == 1 and v % 6 == 3:
        return "Kirkman triple system"
    if k == 3 and lambda_ == 2 and v % 3 == 0 and v != 6:
        return "Hanani 1974"
    if k == 4 and lambda_ == 1 and v % 12 == 4:
        return "Hanani, Ray-Chaudhuri and Wilson 1972"
    if k == 4 and lambda_ == 3 and v % 4 == 0:
        return "Baker 1983"
    field = prime_power(k)
    if field and _affine(v, k, lambda_, field[0]):
        return "flats of an affine geometry"
    return ""


def _affine(v: int, k: int, lambda_: int, p: int) -> bool:
    """Whether AG(m, q) has d-flats of k points with v = q^m and this λ, for q a power of p."""
    place, e = prime_power(v), 0
    if place is None or place[0] != p:
        return False
    for e in range(1, place[1] + 1):
        q, size = p**e, prime_power(k)
        if size is None or place[1] % e or size[1] % e:
            continue
        dim, flats = place[1] // e, size[1] // e
        if flats < dim and gaussian_binomial(dim - 1, flats - 1, q) == lambda_:
            return True
    return False
