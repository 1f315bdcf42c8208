"""Judging the claims of a certificate, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from gcdesign.checker import errors, threshold
from gcdesign.checker.case import Case
from gcdesign.checker.decoding import costs_at_least
from gcdesign.checker.document import Certificate, Claim, read
from gcdesign.checker.reading import Json, shown
from gcdesign.checker.verdicts import Budget, CertificateError, Refused, TooMuch

Status = Literal["proved", "search", "refused"]
LIMIT = 600.0
"""Seconds for each claim, if nothing else is said."""
KINDS = {*threshold.PROOFS, *errors.PROOFS, "search"}
LONGEST = 64
"""Binary digits of a numerator or denominator that is written out."""


@dataclass(frozen=True)
class Finding:
    """What was found about one claim.

    Attributes
    ----------
    place
        Where it is, such as ``"claims[0]"``.
    text
        What it says, such as ``"S*(3) = 6"``.
    question, asked, decoder, lower, upper
        The same, as in the file; None for the end that a lemma says nothing of.
    lemma
        Whether it only serves other claims.
    placement
        The number of the placement that it is about.
    by
        The kind of its proof; empty if it has none that is known.
    status
        ``"proved"``; ``"search"`` if part of it rests on search by the program, or was more than
        the checker takes on; ``"refused"``.
    rests_on
        Each place that was not checked, with the reason, and the earlier claim that rests on
        search if it uses one; for ``"search"``.
    problem
        The place and the reason, for ``"refused"``.
    """

    place: str
    text: str
    question: str
    asked: Fraction
    decoder: str | None
    lower: Fraction | None
    upper: Fraction | None
    lemma: bool
    placement: int
    by: str
    status: Status
    rests_on: tuple[str, ...] = ()
    problem: str | None = None


@dataclass(frozen=True)
class Report:
    """What was found about a certificate.

    Attributes
    ----------
    workers, parts
        N and K of the placement that it is about.
    findings
        One for each claim, in order.
    mismatched
        The members whose digest is another: they were changed after the file was written.
    """

    workers: int
    parts: int
    findings: tuple[Finding, ...]
    mismatched: tuple[str, ...]

    @property
    def status(self) -> Status:
        """``"refused"`` if a claim or a digest is, ``"search"`` if a claim is, or ``"proved"``."""
        found = {finding.status for finding in self.findings}
        if self.mismatched or "refused" in found:
            return "refused"
        return "search" if "search" in found else "proved"

    @property
    def problems(self) -> tuple[str, ...]:
        """Everything that is wrong, each with its place."""
        digests = [f"digests.{name}: {name} has another digest" for name in self.mismatched]
        claims = [finding.problem for finding in self.findings if finding.problem is not None]
        return (*digests, *claims)


def check(document: Json, *, limit: float | None = LIMIT) -> Report:
    """Check a certificate: a path, the bytes of a file, or a JSON value in memory.

    Parameters
    ----------
    document
        The certificate.
    limit
        Seconds after which the check of a claim is given up, so that the claim rests on search
        by the program; None for as long as it takes.

    Raises
    ------
    CertificateError
        If it is no certificate: the error names the place. A certificate with a claim that does
        not hold raises nothing; the report says so.

    Notes
    -----
    What the file holds and what each proof means is in ``docs/certificates.md``.
    """
    return judge(read(document), limit=limit)


def judge(certificate: Certificate, *, limit: float | None = LIMIT) -> Report:
    """Judge the claims of a certificate that has been read."""
    findings: list[Finding] = []
    standing: list[str] = []
    for claim in certificate.claims:
        case = Case(claim, certificate.codes, certificate.claims, standing, Budget(limit))
        findings.append(_finding(case))
        standing.append(findings[-1].status)
    code = certificate.codes[0]
    return Report(code.workers, code.parts, tuple(findings), certificate.mismatched)


def _finding(case: Case) -> Finding:
    claim = case.claim
    by = claim.proof.get("by") if isinstance(claim.proof, dict) else None

    def say(status: Status, problem: str | None = None) -> Finding:
        return Finding(
            place=claim.place,
            text=statement(claim),
            question=claim.question,
            asked=claim.asked,
            decoder=claim.decoder,
            lower=claim.lower,
            upper=claim.upper,
            lemma=claim.lemma,
            placement=claim.placement,
            by=by if isinstance(by, str) and by in KINDS else "",
            status=status,
            rests_on=tuple(case.rests) if status == "search" else (),
            problem=problem,
        )

    try:
        _ends(claim, case.code.workers)
        _attempt(case, f"{claim.place}.workers", _witness)
        _attempt(case, case.place, _proof)
    except CertificateError as refusal:
        return say("refused", str(refusal))
    return say("search" if case.rests else "proved")


def _attempt(case: Case, place: str, step: Callable[[Case], None]) -> None:
    """Check one half of a claim; what is too much is noted."""
    try:
        step(case)
    except TooMuch as reason:
        case.give_up(place, str(reason))


def _ends(claim: Claim, workers: int) -> None:
    """Refuse a bracket that holds no number."""
    if claim.lower is not None and claim.upper is not None and claim.lower > claim.upper:
        raise Refused(f"{claim.place}.lower", "it is above the upper end")
    for name, end in (("lower", claim.lower), ("upper", claim.upper)):
        if end is not None and end < 0:
            raise Refused(f"{claim.place}.{name}", "it is negative")
        if end is not None and end > workers and claim.question != "error":
            raise Refused(f"{claim.place}.{name}", f"there are only {workers} workers")


def _witness(case: Case) -> None:
    """Check that the attack reaches the end that it is to reach."""
    claim, code, place = case.claim, case.code, f"{case.claim.place}.workers"
    if claim.lemma:
        return
    size = claim.asked if claim.question == "error" else claim.upper
    if len(claim.workers) != size:
        raise Refused(place, f"{len(claim.workers)} workers; expected {size}")
    if claim.question == "threshold":
        if len(claim.parts) != claim.asked:
            raise Refused(
                f"{claim.place}.parts", f"{len(claim.parts)} parts; expected η = {claim.asked}"
            )
        holders = 0
        for part in claim.parts:
            holders |= code.holders[part]
        if holders.bit_count() != size or not all(holders >> w & 1 for w in claim.workers):
            raise Refused(place, "they are not those that hold the parts")
        return
    assert claim.decoder is not None
    wanted = claim.lower if claim.question == "error" else claim.asked
    assert wanted is not None
    if not costs_at_least(code, claim.workers, claim.decoder, wanted, case.budget):
        raise Refused(place, f"silencing them costs less than {_short(wanted)}")


def _short(value: int | Fraction) -> str:
    """Return a number, shortened if it is long."""
    if max(value.numerator.bit_length(), value.denominator.bit_length()) <= LONGEST:
        return str(value)
    try:
        return f"about {float(value):.6g}"
    except OverflowError:
        return "a huge number"


def _proof(case: Case) -> None:
    """Check that the proof shows the other end."""
    claim = case.claim
    if claim.question == "error-threshold" and claim.lower == 0:
        return
    if not isinstance(claim.proof, dict):
        raise Refused(case.place, f"{shown(claim.proof)}; expected an object")
    by = claim.proof.get("by")
    if by == "search":
        case.give_up(case.place, "search by the program")
        return
    if claim.question == "threshold":
        bound = Fraction(_prover(case, by, threshold.PROOFS)(case))
        if claim.lower is None or bound < claim.lower:
            raise Refused(case.place, f"it shows S*({claim.asked}) ≥ {_short(bound)} only")
        return
    shows = _prover(case, by, errors.PROOFS)(case)
    told = f"it shows err_{case.asked} ≤ {_short(shows)} only"
    if claim.question == "error" and (claim.upper is None or shows > claim.upper):
        raise Refused(case.place, told)
    if claim.question == "error-threshold" and shows >= claim.asked:
        raise Refused(case.place, told)


Bound = int | Fraction


def _prover(
    case: Case, by: Json, proofs: Mapping[str, Callable[[Case], Bound]]
) -> Callable[[Case], Bound]:
    if not isinstance(by, str) or by not in proofs:
        raise Refused(f"{case.place}.by", f"{shown(by)}; expected one of {', '.join(proofs)}")
    return proofs[by]


def statement(claim: Claim) -> str:
    """Return what a claim says, in the letters of the papers."""
    asked = _short(claim.asked)
    name = {
        "threshold": f"S*({asked})",
        "error": f"err_{asked}",
        "error-threshold": f"min{{S : err_S ≥ {asked}}}",
    }[claim.question]
    if claim.decoder == "one-step":
        name += " (one-step)"
    if claim.lower == claim.upper and claim.lower is not None:
        return f"{name} = {_short(claim.lower)}"
    lower = f"{_short(claim.lower)} ≤ " if claim.lower is not None else ""
    upper = f" ≤ {_short(claim.upper)}" if claim.upper is not None else ""
    return f"{lower}{name}{upper}"
