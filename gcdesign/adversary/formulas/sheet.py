"""The sheet of formulas of one family, as text, LaTeX and MathML, with numbers put in if asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from gcdesign.errors import InputError, nearest

if TYPE_CHECKING:
    import sympy as sp

    from gcdesign.adversary.formulas.symbols import SymbolicFamily

NAMES = ("ag", "dual-ag", "frc", "net", "pg", "uncoded")
"""Families with formulas; listed here so that a list of them loads no computer algebra."""

KEYS_IN_LATEX = {
    "err_S": r"\mathrm{err}_S",
    "err_S, r | S": r"\mathrm{err}_S",
    "err_S >=": r"\mathrm{err}_S",
    "S*(eta)": r"S^*(\eta)",
    "S*(eta) >=": r"S^*(\eta)",
    "error threshold": r"\min\{S : \mathrm{err}_S \ge \eta\}",
    "sigma_2^2": r"\sigma_2^2",
}
LARGEST = 10**9
"""Greatest number that is put in for a symbol."""


@dataclass(frozen=True)
class Formula:
    """One formula of a family.

    Attributes
    ----------
    key
        The left side in ASCII: ``"err_S"``, ``"S*(eta) >="`` for a bound.
    text
        The right side as text that Python reads, with ``**`` for powers.
    latex, mathml
        The whole formula in LaTeX; the right side in presentation MathML.
    what
        What it is.
    source
        Where it is from: a paper's theorem, or what it was derived from.
    value
        Its value where all symbols have numbers, else None.
    """

    key: str
    text: str
    latex: str
    mathml: str
    what: str
    source: str
    value: Fraction | None


@dataclass(frozen=True)
class FormulaSheet:
    """The formulas of a family.

    Attributes
    ----------
    family, title
        The family's name, and what the symbols stand for.
    symbols
        What each symbol is, by name.
    numbers
        The numbers put in, by symbol.
    formulas
        The formulas, the sizes first.
    """

    family: str
    title: str
    symbols: Mapping[str, str]
    numbers: Mapping[str, int]
    formulas: tuple[Formula, ...]

    def __getitem__(self, key: str) -> Formula:
        for formula in self.formulas:
            if formula.key == key:
                return formula
        raise KeyError(key)


def formula_families() -> tuple[str, ...]:
    """Return the families that have formulas."""
    return NAMES


def formula_sheet(family: str, numbers: Mapping[str, int] | None = None) -> FormulaSheet:
    """Derive the closed forms of a family from its sizes.

    Parameters
    ----------
    family
        One of `formula_families`.
    numbers
        Numbers for some symbols: the family's parameters by their names (``q``, ``dim`` or
        ``m``, …), the number of stragglers ``S``, and ``eta``.

    Raises
    ------
    InputError
        If the family has no closed form, or a symbol is unknown or its number out of range.

    Examples
    --------
    >>> sheet = formula_sheet("pg", {"dim": 2})
    >>> sheet["err_S"].text
    'S*q/(-S + q**2 + 2*q + 1)'
    >>> str(formula_sheet("pg", {"q": 5, "dim": 2, "S": 10})["err_S"].value)
    '25/13'
    """
    if family not in NAMES:
        raise InputError(f"no closed form for {family!r}; {nearest(family, NAMES)}")
    from gcdesign.adversary.formulas.derive import derive
    from gcdesign.adversary.formulas.symbols import SYMBOLIC

    declared = SYMBOLIC[family]()
    chosen = _numbers(declared, numbers or {})
    formulas = tuple(_formula(*derived, chosen) for derived in derive(declared))
    used = {**declared.meaning, "S": "number of stragglers", "eta": "parts lost, or error reached"}
    if declared.structure == "parallel classes":
        used |= {"a": "⌊S/r⌋ for r classes", "b": "S − a·r"}
    shown = {str(symbol): number for symbol, number in chosen.items()}
    return FormulaSheet(family, declared.title, used, shown, formulas)


def _numbers(family: SymbolicFamily, numbers: Mapping[str, int]) -> dict[sp.Symbol, int]:
    """Return the numbers by symbol; a and b follow where S and the classes are numbers."""
    from gcdesign.adversary.formulas.symbols import EACH, ETA, MORE, S

    known = {str(symbol): symbol for symbol in (*family.parameters.values(), S, ETA)}
    known |= dict(family.parameters)
    chosen: dict[sp.Symbol, int] = {}
    for name, number in numbers.items():
        if name not in known:
            raise InputError(f"{name!r} is no symbol of {family.name}; it has: {', '.join(known)}")
        symbol = known[name]
        least = 0 if symbol == S or str(symbol) == "s" else 1
        if not least <= number <= LARGEST:
            raise InputError(f"{name}={number}; expected {least} to {LARGEST}")
        if chosen.setdefault(symbol, number) != number:
            raise InputError(f"{name}={number} and {symbol}={chosen[symbol]}; give one of them")
    if family.structure == "parallel classes" and S in chosen:
        classes = written(family.classes, chosen)
        if classes.is_Integer:
            chosen[EACH], chosen[MORE] = divmod(chosen[S], int(classes))
    return chosen


def written(expression: sp.Expr, numbers: Mapping[sp.Symbol, int]) -> sp.Expr:
    """Put the numbers in, write q^m out, and simplify."""
    import sympy as sp

    from gcdesign.adversary.formulas.symbols import POWER, M, Q

    put_in = expression.subs(POWER, numbers.get(Q, Q) ** numbers[M]) if M in numbers else expression
    rational = sp.factor(sp.cancel(sp.together(put_in.subs(dict(numbers)))))
    above, below = sp.fraction(rational)
    if below.subs(dict.fromkeys(below.free_symbols - {Q, POWER}, 1)).subs({Q: 7, POWER: 343}) < 0:
        above, below = sp.factor(-above), sp.factor(-below)
    return sp.powsimp((above / below).subs(POWER, numbers.get(Q, Q) ** M))


def _formula(
    key: str,
    expression: sp.Expr,
    rounding: str,
    what: str,
    source: str,
    numbers: Mapping[sp.Symbol, int],
) -> Formula:
    import sympy as sp
    from sympy.printing.mathml import mathml

    inside = written(expression, numbers)
    found = {"": inside, "floor": sp.floor(inside), "ceiling": sp.ceiling(inside)}[rounding]
    relation = r"\ge" if key.endswith(">=") else "="
    left = KEYS_IN_LATEX.get(key, key)
    return Formula(
        key,
        sp.sstr(found),
        f"{left} {relation} {sp.latex(found)}",
        mathml(found, printer="presentation"),
        what,
        source,
        Fraction(int(found.p), int(found.q)) if found.is_Rational else None,
    )
