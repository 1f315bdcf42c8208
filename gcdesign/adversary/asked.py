"""Checking what is asked, with one message for each kind of mistake."""

from __future__ import annotations

from numbers import Integral, Rational
from typing import Any

from gcdesign.adversary.results import Value
from gcdesign.codes import GradientCode, Placement
from gcdesign.errors import InputError


def check_eta(placement: Placement, eta: int) -> None:
    """Refuse an η that is no whole number from 0 to K."""
    _check_placement(placement)
    _check_whole("eta", eta, placement.parts, f"K={placement.parts} parts")


def check_stragglers(code: GradientCode, stragglers: int) -> None:
    """Refuse an S that is no whole number from 0 to N."""
    check_code(code)
    _check_whole("stragglers", stragglers, code.workers, f"N={code.workers} workers")


def check_error(code: GradientCode, error: Value) -> None:
    """Refuse an error that is no number from 0 to K."""
    check_code(code)
    number = isinstance(error, Rational | float) and not isinstance(error, bool)
    if not number or not 0 <= error <= code.parts:
        raise InputError(f"error={error}; expected 0 to K={code.parts}, the error of no answer")


def check_byzantine(placement: Placement, byzantines: int) -> None:
    """Refuse a q that is no whole number from 0 to N."""
    _check_placement(placement)
    _check_whole("byzantine", byzantines, placement.workers, f"N={placement.workers} workers")


def check_code(code: GradientCode) -> None:
    """Refuse what is no code."""
    if not isinstance(code, GradientCode):
        raise InputError(f"{code!r:.80}; expected a GradientCode: GradientCode.from_design(...)")
    if code.is_complex:
        raise InputError(
            f"{code.label} has complex weights, and worst errors are computed for real ones only; "
            "ask for S*(η), decode single sets, or take a real code such as cyclic-mds"
        )


def _check_placement(placement: Placement) -> None:
    if not isinstance(placement, Placement):
        raise InputError(f"{placement!r:.80}; expected a Placement (of a code: code.placement)")


def _check_whole(name: str, value: Any, most: int, what: str) -> None:
    whole = isinstance(value, Integral) and not isinstance(value, bool)
    if not whole or not 0 <= value <= most:
        raise InputError(f"{name}={value}; expected a whole number from 0 to {what}")
