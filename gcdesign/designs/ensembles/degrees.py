"""Degree distributions: shares of nodes with each degree, and what the edges see of them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gcdesign.errors import InputError

TOLERANCE = Fraction(1, 10**6)
"""How far the shares may be from a sum of 1; they are then scaled to it exactly."""

MAX_DEGREE = 1_000_000

_NUMBER = r"\d+(?:\.\d*)?(?:e-?\d+)?|\.\d+(?:e-?\d+)?"
_TERM = re.compile(rf"(?P<share>(?:{_NUMBER})(?:/\d+)?)?\*?(?P<x>x(?:\^(?P<power>\d{{1,7}}))?)?")

Number = int | float | Fraction
Reals = NDArray[np.float64]


@dataclass(frozen=True)
class Degrees:
    """A degree distribution, always from the nodes' perspective: L(x) or R(x) = Σ_i R_i x^i.

    The edges' perspective, ρ(x) = R'(x)/R'(1) = Σ_i ρ_i x^(i−1), is derived: a node of degree i
    has i edges, so the share of edges at nodes of degree i is ρ_i = i R_i / R'(1). The two have
    different means, and neither is ever taken for the other.

    Parameters
    ----------
    shares
        Pairs of a degree, 1 or more, and the share of the nodes that have it, in increasing
        order of the degrees; the shares are positive and their sum is 1.

    Raises
    ------
    InputError
        If that is not so; `from_table` sorts, drops zeros and scales a sum that is nearly 1.

    Examples
    --------
    >>> degrees = Degrees.from_table({1: Fraction(1, 2), 2: Fraction(1, 2)})
    >>> str(degrees), degrees.edge_text
    ('0.5x + 0.5x^2', '1/3 + 2/3x')
    >>> degrees.mean, degrees.edge_mean
    (Fraction(3, 2), Fraction(5, 3))
    """

    shares: tuple[tuple[int, Fraction], ...]

    def __post_init__(self) -> None:
        degrees = [degree for degree, _ in self.shares]
        if not degrees or degrees != sorted(set(degrees)) or degrees[0] < 1:
            raise InputError(f"degrees {degrees}; expected increasing whole numbers from 1 on")
        if min(share for _, share in self.shares) <= 0 or sum(s for _, s in self.shares) != 1:
            raise InputError("the shares of degrees must be positive and have the sum 1")

    @classmethod
    def from_table(cls, table: Mapping[int, Number], *, edge: bool = False) -> Degrees:
        """Return the distribution with these shares, of nodes or, with ``edge``, of edges.

        Parameters
        ----------
        table
            The share of each degree; degrees with the share 0 are left out.
        edge
            Whether the shares are ρ_i, of edges at nodes of degree i.

        Raises
        ------
        InputError
            If a degree is below 1, a share is negative or no number, or the sum is not 1.

        Examples
        --------
        >>> str(Degrees.from_table({1: Fraction(1, 3), 2: Fraction(2, 3)}, edge=True))
        '0.5x + 0.5x^2'
        """
        pairs = [_exact(degree, share) for degree, share in table.items()]
        exact = dict(sorted(pairs))
        total = sum(exact.values(), Fraction(0))
        if abs(total - 1) > TOLERANCE:
            raise InputError(f"the shares of degrees sum to {float(total):.10g}; expected 1")
        if edge:
            exact = {degree: share / degree for degree, share in exact.items()}
            total = sum(exact.values(), Fraction(0))
        return cls(tuple((degree, share / total) for degree, share in exact.items() if share))

    @classmethod
    def regular(cls, degree: int) -> Degrees:
        """Return the distribution of nodes that all have one degree."""
        return cls.from_table({degree: 1})

    @property
    def mean(self) -> Fraction:
        """Mean degree of a node, L'(1)."""
        return sum((degree * share for degree, share in self.shares), Fraction(0))

    @property
    def edge_shares(self) -> tuple[tuple[int, Fraction], ...]:
        """Pairs of a degree and the share of edges at nodes of this degree."""
        mean = self.mean
        return tuple((degree, degree * share / mean) for degree, share in self.shares)

    @property
    def edge_mean(self) -> Fraction:
        """Mean degree of the node at a random edge, Σ_i i ρ_i."""
        return sum((degree * share for degree, share in self.edge_shares), Fraction(0))

    @property
    def largest(self) -> int:
        """The largest degree."""
        return self.shares[-1][0]

    @cached_property
    def degrees(self) -> NDArray[np.int64]:
        """Shape (terms,): the degrees that occur, increasing."""
        return np.array([degree for degree, _ in self.shares], dtype=np.int64)

    @cached_property
    def node_floats(self) -> Reals:
        """Shape (terms,): the shares of nodes as floats."""
        return np.array([float(share) for _, share in self.shares])

    @cached_property
    def edge_floats(self) -> Reals:
        """Shape (terms,): the shares of edges as floats."""
        return np.array([float(share) for _, share in self.edge_shares])

    def node_value(self, x: float) -> float:
        """Return L(x) = Σ_i L_i x^i."""
        return float(self.node_floats @ np.power(float(x), self.degrees))

    def edge_value(self, x: float) -> float:
        """Return λ(x) = L'(x)/L'(1) = Σ_i λ_i x^(i−1)."""
        return float(self.edge_floats @ np.power(float(x), self.degrees - 1))

    def edge_slope(self, x: float) -> float:
        """Return λ'(x)."""
        powers = np.power(float(x), np.maximum(self.degrees - 2, 0))
        return float((self.edge_floats * (self.degrees - 1)) @ powers)

    def __str__(self) -> str:
        return _polynomial(self.shares)

    @property
    def text(self) -> str:
        """The polynomial of the nodes without blanks, as it stands in a name in place."""
        return str(self).replace(" ", "")

    @property
    def edge_text(self) -> str:
        """The polynomial of the edges, ρ(x); its powers are one less than the degrees."""
        return _polynomial([(degree - 1, share) for degree, share in self.edge_shares])

    def table(self) -> dict[str, float]:
        """Return the shares of nodes as JSON has them, ``{"1": 0.5, "2": 0.5}``."""
        return {str(degree): float(share) for degree, share in self.shares}


def parse_degrees(text: str, *, edge: bool = False) -> Degrees:
    """Read a degree distribution from a polynomial or a table.

    Parameters
    ----------
    text
        ``"0.5x + 0.5x^2"``, ``"1/3x+2/3x^4"``, or a table ``'{"1": 0.5, "2": 0.5}'``.
    edge
        Whether the shares are of edges. In a table the keys are degrees either way; in a
        polynomial a node of degree i is then a term x^(i−1), as in ρ(x): ``"1/3 + 2/3x"``.

    Raises
    ------
    InputError
        If the text is malformed, a degree is 0, a share negative, or the sum not 1.

    Examples
    --------
    >>> parse_degrees('{"1": 0.5, "2": 0.5}') == parse_degrees("1/3 + 2/3x", edge=True)
    True
    """
    stripped = text.strip()
    table = _read_table(stripped) if stripped[:1] == "{" else _read_polynomial(stripped, edge)
    return Degrees.from_table(table, edge=edge)


def _exact(degree: Any, share: Any) -> tuple[int, Fraction]:
    whole = isinstance(degree, int | np.integer) and not isinstance(degree, bool)
    if not whole or not 1 <= degree <= MAX_DEGREE:
        raise InputError(f"a node of degree {degree}; expected degrees from 1 to {MAX_DEGREE}")
    if not isinstance(share, int | float | Fraction | Decimal | np.integer | np.floating):
        raise InputError(f"degree {degree} has the share {share!r}; expected a number from 0 to 1")
    if not isfinite(share):
        raise InputError(f"degree {degree} has the share {share}; expected a number from 0 to 1")
    # A float stands for the decimal that it prints as: 0.1 is a tenth.
    if isinstance(share, int | Fraction | Decimal):
        exact = Fraction(share)
    else:
        exact = Fraction(repr(float(share)))
    if exact < 0:
        raise InputError(f"degree {degree} has the share {share}; expected 0 or more")
    return int(degree), exact


def _read_table(text: str) -> dict[int, Number]:
    try:
        pairs: Any = json.loads(text, object_pairs_hook=list, parse_float=Decimal)
    except (ValueError, RecursionError):
        raise _malformed(text) from None
    table: dict[int, Number] = {}
    for key, value in pairs:
        if not re.fullmatch(r"-?\d{1,9}", key) or not isinstance(value, int | Decimal | str):
            raise _malformed(text)
        _add(table, int(key), _fraction(str(value), text), text)
    return table


def _read_polynomial(text: str, edge: bool) -> dict[int, Number]:
    table: dict[int, Number] = {}
    # A sign after the e of an exponent belongs to the number.
    pieces = re.sub(r"(?<![eE^])-", "+-", re.sub(r"\s", "", text).lower()).split("+")
    for piece in pieces[1:] if pieces[0] == "" and len(pieces) > 1 else pieces:
        minus, body = piece.startswith("-"), piece.removeprefix("-")
        found = _TERM.fullmatch(body)
        if not body or found is None:
            raise _malformed(text)
        share = _fraction(found["share"] or "1", text)
        power = 0 if found["x"] is None else int(found["power"] or 1)
        _add(table, power + edge, -share if minus else share, text)
    return table


def _add(table: dict[int, Number], degree: int, share: Fraction, text: str) -> None:
    if degree in table:
        raise InputError(f"degree {degree} occurs twice in {_short(text)!r}; give each share once")
    table[degree] = share


def _fraction(text: str, where: str) -> Fraction:
    above, _, below = text.partition("/")
    try:
        if len(text) > 60 or abs(Decimal(above).adjusted()) > 30:
            raise _malformed(where)
        return Fraction(above) / Fraction(below or "1")
    except (ValueError, ArithmeticError):
        raise _malformed(where) from None


def _malformed(text: str) -> InputError:
    return InputError(
        f"degrees {_short(text)!r}; expected a polynomial such as 0.5x+0.5x^2 or a table such as "
        '{"1": 0.5, "2": 0.5}'
    )


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}…"


def _polynomial(terms: Iterable[tuple[int, Fraction]]) -> str:
    return " + ".join(_term(power, share) for power, share in terms)


def _term(power: int, share: Fraction) -> str:
    x = {0: "", 1: "x"}.get(power, f"x^{power}")
    return x if share == 1 and x else f"{shown_share(share)}{x}"


def shown_share(share: Fraction) -> str:
    """Return a share as a decimal if that is exact and short, else as a fraction.

    Examples
    --------
    >>> shown_share(Fraction(1, 4)), shown_share(Fraction(1, 3))
    ('0.25', '1/3')
    """
    decimal = f"{float(share):.12g}"
    return decimal if Fraction(decimal) == share else str(share)
