"""The symbols of the formulas, and the sizes of families in them. Imports sympy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import sympy as sp

S = sp.Symbol("S", integer=True, nonnegative=True)
ETA = sp.Symbol("eta", integer=True, positive=True)
Q = sp.Symbol("q", integer=True, positive=True)
M = sp.Symbol("m", integer=True, positive=True)
POWER = sp.Symbol("Q", positive=True)
"""Stands for q^m while an expression is simplified: then it is a rational function."""

EACH = sp.Symbol("a", integer=True, nonnegative=True)
MORE = sp.Symbol("b", integer=True, nonnegative=True)
"""S = a·r + b with 0 ≤ b < r, where the stragglers are spread over r classes."""

Structure = Literal["constant intersection", "parallel classes", "replica groups"]


@dataclass(frozen=True)
class SymbolicFamily:
    """A family whose members all have one structure, with its sizes as expressions.

    Attributes
    ----------
    name
        The family's name in the registry.
    title
        The member that the symbols stand for, such as ``PG(m,q)``.
    structure
        What makes its errors a closed form.
    parameters
        The family's parameters, by name, as symbols.
    meaning
        What each symbol is.
    workers, parts, load, replication
        N, K, L and R.
    common
        Parts that two workers share: λ of the workers, or μ for workers of different classes.
    classes
        Number of parallel classes or replica groups; None where there are none.
    fixed
        Parameters that the symbols leave at their default.
    """

    name: str
    title: str
    structure: Structure
    parameters: Mapping[str, sp.Symbol]
    meaning: Mapping[str, str]
    workers: sp.Expr
    parts: sp.Expr
    load: sp.Expr
    replication: sp.Expr
    common: sp.Expr
    classes: sp.Expr | None = None


PRIME_POWER = "order of the field, a prime power"
DIMENSION = "dimension of the geometry, 2 or more"


def _flags(power: sp.Expr) -> sp.Expr:
    """Return (x − 1)/(q − 1): points of PG(m−1,q) for x = q^m."""
    return (power - 1) / (Q - 1)


def _pg() -> SymbolicFamily:
    points = _flags(Q * POWER)
    return SymbolicFamily(
        "pg",
        "PG(m,q): points and hyperplanes",
        "constant intersection",
        {"q": Q, "dim": M},
        {"q": PRIME_POWER, "m": DIMENSION},
        points,
        points,
        _flags(POWER),
        _flags(POWER),
        _flags(POWER / Q),
    )


def _dual_ag() -> SymbolicFamily:
    return SymbolicFamily(
        "dual-ag",
        "dual of AG(m,q): points as workers, hyperplanes as parts",
        "constant intersection",
        {"q": Q, "dim": M},
        {"q": PRIME_POWER, "m": DIMENSION},
        POWER,
        Q * _flags(POWER),
        _flags(POWER),
        POWER / Q,
        _flags(POWER / Q),
    )


def _ag() -> SymbolicFamily:
    return SymbolicFamily(
        "ag",
        "AG(m,q): points as parts, hyperplanes as workers",
        "parallel classes",
        {"q": Q, "dim": M},
        {"q": PRIME_POWER, "m": DIMENSION},
        Q * _flags(POWER),
        POWER,
        POWER / Q,
        _flags(POWER),
        POWER / Q**2,
        _flags(POWER),
    )


def _net() -> SymbolicFamily:
    side = sp.Symbol("l", integer=True, positive=True)
    classes = sp.Symbol("r", integer=True, positive=True)
    return SymbolicFamily(
        "net",
        "net of order l with r classes",
        "parallel classes",
        {"order": side, "classes": classes},
        {"l": "order, a prime power", "r": "number of parallel classes, 2 to l + 1"},
        classes * side,
        side**2,
        side,
        classes,
        sp.Integer(1),
        classes,
    )


def _frc() -> SymbolicFamily:
    workers = sp.Symbol("N", integer=True, positive=True)
    made_for = sp.Symbol("s", integer=True, nonnegative=True)
    return SymbolicFamily(
        "frc",
        "fractional repetition of N workers, made for s stragglers",
        "replica groups",
        {"workers": workers, "stragglers": made_for},
        {"N": "number of workers, a multiple of s + 1", "s": "stragglers that it is made for"},
        workers,
        workers,
        made_for + 1,
        made_for + 1,
        sp.Integer(0),
        workers / (made_for + 1),
    )


def _uncoded() -> SymbolicFamily:
    workers = sp.Symbol("N", integer=True, positive=True)
    return SymbolicFamily(
        "uncoded",
        "one part on each of N workers",
        "replica groups",
        {"workers": workers},
        {"N": "number of workers"},
        workers,
        workers,
        sp.Integer(1),
        sp.Integer(1),
        sp.Integer(0),
        workers,
    )


SYMBOLIC: Mapping[str, Callable[[], SymbolicFamily]] = {
    "ag": _ag,
    "dual-ag": _dual_ag,
    "frc": _frc,
    "net": _net,
    "pg": _pg,
    "uncoded": _uncoded,
}
"""The families whose errors have a closed form, by name."""
