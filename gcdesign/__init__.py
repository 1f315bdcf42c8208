"""gcdesign: block designs as gradient codes, and what an adversary can do to them.

Rooms, each importing only those before it: `designs`, `codes`, `adversary`, `figures`, `cli`.
The names below are those that a verification script needs; everything else is in its room.

Examples
--------
>>> import gcdesign
>>> code = gcdesign.load_code("pg:q=5")
>>> gcdesign.threshold(code.placement, 3).value
15
>>> gcdesign.worst_case_error(code, 10).value
Fraction(25, 13)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gcdesign.adversary import (
        AttackResult,
        Settings,
        Wish,
        byzantine,
        error_curve,
        error_threshold,
        recommend,
        threshold,
        threshold_profile,
        worst_case_error,
        worst_case_error_profile,
    )
    from gcdesign.codes import (
        Decoding,
        GradientCode,
        IncrementalDecoder,
        Placement,
        decode,
        expected_error,
        expected_error_profile,
        load_code,
    )
    from gcdesign.codes.computing import BerrutCode
    from gcdesign.designs import (
        BlockDesign,
        affine_geometry,
        complement,
        derived,
        dual,
        projective_geometry,
        residual,
        verify,
    )

__version__ = "0.1.0"

_ROOM_OF = {
    "AttackResult": "adversary",
    "BerrutCode": "codes.computing",
    "BlockDesign": "designs",
    "Decoding": "codes",
    "GradientCode": "codes",
    "IncrementalDecoder": "codes",
    "Placement": "codes",
    "Settings": "adversary",
    "Wish": "adversary",
    "affine_geometry": "designs",
    "byzantine": "adversary",
    "complement": "designs",
    "decode": "codes",
    "derived": "designs",
    "dual": "designs",
    "error_curve": "adversary",
    "error_threshold": "adversary",
    "expected_error": "codes",
    "expected_error_profile": "codes",
    "load_code": "codes",
    "projective_geometry": "designs",
    "recommend": "adversary",
    "residual": "designs",
    "threshold": "adversary",
    "threshold_profile": "adversary",
    "verify": "designs",
    "worst_case_error": "adversary",
    "worst_case_error_profile": "adversary",
}

__all__ = [
    "AttackResult",
    "BerrutCode",
    "BlockDesign",
    "Decoding",
    "GradientCode",
    "IncrementalDecoder",
    "Placement",
    "Settings",
    "Wish",
    "__version__",
    "affine_geometry",
    "byzantine",
    "complement",
    "decode",
    "derived",
    "dual",
    "error_curve",
    "error_threshold",
    "expected_error",
    "expected_error_profile",
    "load_code",
    "projective_geometry",
    "recommend",
    "residual",
    "threshold",
    "threshold_profile",
    "verify",
    "worst_case_error",
    "worst_case_error_profile",
]


def __getattr__(name: str) -> object:
    """Import a public name from its room when it is first used (PEP 562)."""
    if name not in _ROOM_OF:
        raise AttributeError(f"module 'gcdesign' has no attribute {name!r}")
    value: object = getattr(import_module(f"gcdesign.{_ROOM_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
