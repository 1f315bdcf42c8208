"""The degrees of LT codes: the ideal and the robust soliton distribution."""

from __future__ import annotations

import re
from fractions import Fraction
from math import log, sqrt

from gcdesign.designs.ensembles.degrees import Degrees, Number, parse_degrees
from gcdesign.errors import InputError, LimitError

ROBUSTNESS, FAILURE = 0.1, 0.5
"""Constants c and δ of the robust soliton distribution where none are given."""

MAX_EXACT = 64
"""Largest number of parts for which the ideal soliton is kept in fractions."""

MAX_PARTS = 100_000
"""Largest number of parts for the named distributions: they have as many terms."""

_NAMED = re.compile(r"(?P<name>soliton|robust-soliton)(?::(?P<settings>.*))?")


def ideal_soliton(parts: int) -> Degrees:
    """Return the ideal soliton distribution for K parts: 1/K, then 1/(i(i − 1)) up to K.

    Raises
    ------
    InputError
        If there is no part.
    LimitError
        If there are more than `MAX_PARTS`.

    Notes
    -----
    Source: Luby 2002, LT codes, definition 8.

    Examples
    --------
    >>> str(ideal_soliton(4))
    '0.25x + 0.5x^2 + 1/6x^3 + 1/12x^4'
    """
    _check_parts(parts)
    if parts <= MAX_EXACT:  # the edges' shares have the least common multiple of 1 … K below
        exact = {i: Fraction(1, i * (i - 1)) for i in range(2, parts + 1)}
        return Degrees.from_table({1: Fraction(1, parts), **exact})
    return Degrees.from_table(_soliton(parts))


def robust_soliton(parts: int, c: float = ROBUSTNESS, delta: float = FAILURE) -> Degrees:
    """Return the robust soliton distribution for K parts.

    Parameters
    ----------
    parts
        K.
    c
        Constant c > 0: the ripple stays near S = c ln(K/δ) √K.
    delta
        Chance δ of failure, between 0 and 1.

    Raises
    ------
    InputError
        If a number is out of its domain.
    LimitError
        If there are more than `MAX_PARTS` parts.

    Notes
    -----
    Source: Luby 2002, LT codes, definition 11: ρ(i) + τ(i), scaled, with τ(i) = S/(iK) up to
    K/S − 1 and τ(K/S) = S ln(S/δ)/K.
    """
    _check_parts(parts)
    if not 0 < c < 1000:
        raise InputError(f"c={c}; expected more than 0 and less than 1000")
    if not 0 < delta < 1:
        raise InputError(f"delta={delta}; expected more than 0 and less than 1")
    table, ripple = _soliton(parts), c * log(parts / delta) * sqrt(parts)
    spike = min(max(round(parts / ripple), 1), parts)
    for i in range(1, spike):
        table[i] = float(table.get(i, 0.0)) + ripple / (i * parts)
    if ripple > delta:
        table[spike] = float(table.get(spike, 0.0)) + ripple * log(ripple / delta) / parts
    total = sum(table.values())
    return Degrees.from_table({degree: share / total for degree, share in table.items()})


def degrees_for(text: str, parts: int, *, edge: bool = False) -> Degrees:
    """Read degrees that may be named: ``soliton`` and ``robust-soliton:c=0.1,delta=0.5``.

    Parameters
    ----------
    text
        A name, or what `parse_degrees` reads.
    parts
        K, on which the named ones depend.
    edge
        As in `parse_degrees`; the named ones are distributions of nodes.

    Raises
    ------
    InputError
        If the text is malformed.

    Examples
    --------
    >>> degrees_for("soliton", 3) == ideal_soliton(3)
    True
    """
    found = _NAMED.fullmatch(text.strip())
    if found is None:
        return parse_degrees(text, edge=edge)
    if edge:
        raise InputError(f"{text}: a distribution of nodes; leave out the edges' perspective")
    constants = _constants(found["settings"] or "", text)
    if found["name"] == "soliton":
        if constants:
            raise InputError(f"{text}: soliton has no constants; robust-soliton has c and delta")
        return ideal_soliton(parts)
    return robust_soliton(parts, **constants)


def _soliton(parts: int) -> dict[int, Number]:
    return {1: 1 / parts, **{i: 1 / (i * (i - 1)) for i in range(2, parts + 1)}}


def _constants(settings: str, text: str) -> dict[str, float]:
    constants: dict[str, float] = {}
    for setting in filter(None, settings.split(",")):
        name, _, value = (piece.strip() for piece in setting.partition("="))
        if name in constants:
            raise InputError(f"{name!r} is given twice in {text!r}")
        try:
            constants[name] = float(value)
        except ValueError:
            name = ""
        if name not in ("c", "delta"):
            raise InputError(f"{setting!r} in {text!r}; expected c=0.1 or delta=0.5")
    return constants


def _check_parts(parts: int) -> None:
    if parts < 1:
        raise InputError(f"parts={parts}; expected 1 or more")
    if parts > MAX_PARTS:
        raise LimitError(
            f"a soliton distribution for {parts} parts; the limit is {MAX_PARTS}: give the degrees"
        )
