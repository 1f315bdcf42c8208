"""All that is known of one code, gathered for a report: errors, thresholds, proofs, rivals."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from gcdesign.adversary.certificates import certificate, digest
from gcdesign.adversary.choosing.chooser import Recommendation, Wish, recommend
from gcdesign.adversary.curve import BoundCurve, common_isolation_bound
from gcdesign.adversary.formulas import FormulaSheet, formula_families, formula_sheet
from gcdesign.adversary.results import AttackResult
from gcdesign.adversary.running.settings import Settings
from gcdesign.adversary.thresholds.threshold import threshold_profile
from gcdesign.adversary.worst_error.error import worst_case_error_profile
from gcdesign.codes import GradientCode

RIVALS = 12
"""Codes in the comparison, the best first."""

RIVAL_SECONDS = 2.0
"""Time for each of them where no limit is set."""


@dataclass(frozen=True)
class Dossier:
    """What a report shows.

    Attributes
    ----------
    code
        The code.
    errors
        err_S for S = 0 … N.
    thresholds
        S*(η) for η = 0 … K.
    bounds
        Bounds on err_S for all codes of the same shape.
    compared_at
        The number of stragglers at which codes are compared.
    rivals
        Codes of the same N and at most the same load, the best first; its own entry among them
        has the name of the code itself.
    formulas
        The closed forms of its family with its parameters put in, or None.
    certificate
        The certificate of errors and thresholds, or None where one cannot be written.
    check_value
        The SHA-256 of that certificate's claims, or None.
    seconds
        Time taken.
    """

    code: GradientCode
    errors: tuple[AttackResult, ...]
    thresholds: tuple[AttackResult, ...]
    bounds: tuple[BoundCurve, ...]
    compared_at: int
    rivals: tuple[Recommendation, ...]
    formulas: FormulaSheet | None
    certificate: Mapping[str, Any] | None
    check_value: str | None
    seconds: float

    @property
    def stopped(self) -> str | None:
        """What ended a search before proof, or None."""
        reasons = (result.stopped for result in (*self.errors, *self.thresholds))
        return next((reason for reason in reasons if reason), None)


def dossier(
    code: GradientCode,
    *,
    name: str,
    compared_at: int | None = None,
    settings: Settings | None = None,
) -> Dossier:
    """Gather what is known of a code.

    Parameters
    ----------
    code
        The code.
    name
        What it is called among its rivals: the name in place, or the file.
    compared_at
        The number of stragglers at which codes are compared; a fifth of the workers by default.
    settings
        Method and limits; a time limit is shared: half of it for thresholds, then for errors.

    Examples
    --------
    >>> from gcdesign.codes import load_code
    >>> found = dossier(load_code("pg:q=2"), name="pg:q=2")
    >>> [str(result.value) for result in found.errors[:4]], found.compared_at
    (['0', '1/4', '4/7', '1'], 1)
    """
    settings = replace(settings or Settings(), proofs=True)
    start = time.perf_counter()
    half = None if settings.time_limit is None else settings.time_limit / 2
    halved = replace(settings, time_limit=half)
    thresholds = threshold_profile(code.placement, halved)
    errors = worst_case_error_profile(code, settings=halved)
    results = [*thresholds, *errors]
    document = certificate(code, results) if all(one.evidence for one in results) else None
    at = max(1, code.workers // 5) if compared_at is None else compared_at
    return Dossier(
        code,
        errors,
        thresholds,
        tuple(common_isolation_bound([code])),
        at,
        _rivals(code, name, at, settings),
        _formulas(code),
        document,
        None if document is None else digest(document["claims"]),
        time.perf_counter() - start,
    )


def _rivals(
    code: GradientCode, name: str, at: int, settings: Settings
) -> tuple[Recommendation, ...]:
    """Return the codes that a chooser would put beside this one."""
    load = int(code.placement.loads.max(initial=0))
    if load == 0 or not 0 <= at < code.workers:
        return ()
    each = RIVAL_SECONDS if settings.time_limit is None else settings.time_limit / 20
    wish = Wish(workers=code.workers, load=load, stragglers=at)
    quick = replace(settings, time_limit=min(each, RIVAL_SECONDS), proofs=False)
    found = recommend(wish, also=[(name, code)], settings=quick)
    unique: dict[str, Recommendation] = {}
    for one in found:
        unique.setdefault(one.fit.name, one)
    kept: Sequence[Recommendation] = list(unique.values())
    own = [one for one in kept[RIVALS:] if one.fit.name == name]
    return (*kept[: RIVALS - len(own)], *own)


def _formulas(code: GradientCode) -> FormulaSheet | None:
    """Return the family's sheet with this member's parameters, where there is one."""
    provenance = code.placement.design.provenance
    if code.weights is not None or provenance is None:
        return None
    parameters = {k: v for k, v in provenance.parameters if isinstance(v, int)}
    # The formulas are those of hyperplanes.
    flats = parameters.pop("flats", None)
    other = flats is not None and flats != parameters.get("dim", 0) - 1
    if other or provenance.family not in formula_families():
        return None
    return formula_sheet(provenance.family, parameters)
