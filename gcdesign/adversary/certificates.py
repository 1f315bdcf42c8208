"""Certificates: results with their proofs as one JSON document that anyone can check.

``docs/certificates.md`` says what is in it and what each proof means. The checker in
`gcdesign.checker` is written from that page and shares no code with this package's engine.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from hashlib import sha256
from math import ceil, floor
from pathlib import Path
from typing import Any

import numpy as np

from gcdesign import __version__
from gcdesign.adversary.evidence import Lemma, Proof
from gcdesign.adversary.results import AttackResult, Value
from gcdesign.adversary.worst_error.judge import settled_error
from gcdesign.codes import GradientCode, Placement
from gcdesign.designs.formats.writing import write_file
from gcdesign.errors import InputError

SCHEMA = "gcdesign.certificate/1"

LONGEST_END = 10_000
"""Bits of a numerator or denominator that are written out."""

ROUNDED_TO = 10**40

PROVED_END = {"threshold": "lower", "error": "upper"}
"""The end of a bracket that a proof is about."""

SAID = ("question", "eta", "stragglers", "decoder", "placement", "proof")
"""What a claim says besides that end."""

DEPENDENT = 1e-6
"""Least singular value of normed rows that is beyond all doubt."""

MOST_SETTLED = 60
"""Most survivors, or parts, for whom fractions are a matter of seconds."""

ASKED = {"threshold": "eta", "error": "stragglers", "error-threshold": "error"}


def certificate(
    subject: Placement | GradientCode, results: Sequence[AttackResult]
) -> dict[str, Any]:
    """Return the certificate of results about one placement or code.

    Parameters
    ----------
    subject
        What the results are about.
    results
        Results of the questions to the adversary, in any number and order.

    Returns
    -------
    dict
        The document, ready for JSON. A float is written as the fraction that it is; a bracket
        that is known up to a tolerance is widened by it, and one whose attack needs rows that
        are dependent only up to rounding says what that attack does to the fractions.

    Raises
    ------
    InputError
        If a result carries no proof: one that was made by hand, or by an older version.

    Examples
    --------
    >>> from gcdesign.adversary import threshold
    >>> from gcdesign.designs import projective_geometry
    >>> fano = Placement(projective_geometry(2))
    >>> document = certificate(fano, [threshold(fano, 3)])
    >>> document["claims"][0]["lower"], document["claims"][0]["proof"]["by"]
    (6, 'pairs')
    """
    placement = subject.placement if isinstance(subject, GradientCode) else subject
    ledger = _Ledger(placement)
    for result in results:
        ledger.enter(_as_it_is_in_fractions(subject, result))
    weights = _weights(subject) if isinstance(subject, GradientCode) else None
    members: dict[str, Any] = {
        "placements": [
            {"parts": one.parts, "blocks": one.design.blocks()} for one in ledger.placements
        ],
        "weights": weights,
        "claims": ledger.claims,
    }
    digests = {name: digest(value) for name, value in members.items()}
    return {
        "schema": SCHEMA,
        "generator": f"gcdesign {__version__}",
        **members,
        "digests": digests,
    }


def digest(value: Any) -> str:
    """Return the SHA-256 of a JSON value in its shortest form with sorted keys.

    Examples
    --------
    >>> digest({"b": [1, 2], "a": None})[:8]
    'ee743f2f'
    """
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return sha256(text.encode("ascii")).hexdigest()


def write_certificate(
    path: Path,
    subject: Placement | GradientCode,
    results: Sequence[AttackResult],
    *,
    force: bool = False,
) -> None:
    """Write the certificate of results to a file, whole or not at all.

    Raises
    ------
    OutputError
        If the file exists and ``force`` is not given, or cannot be written.
    """
    text = json.dumps(certificate(subject, results), separators=(",", ":")) + "\n"
    write_file(path, text.encode("ascii"), force=force)


def _weights(code: GradientCode) -> list[list[int | str]] | None:
    if code.weights is None:
        return None
    encoding = code.dense_encoding()
    return [
        [_number(Fraction(float(encoding[w, p]))) for p in block]
        for w, block in enumerate(code.placement.design.blocks())
    ]


def _number(value: Value) -> int | str:
    """Return a number as the file has it: whole, or a fraction as text."""
    exact = Fraction(value)
    return exact.numerator if exact.denominator == 1 else str(exact)


def _end(value: Fraction, side: int) -> int | str:
    """Return an end of a bracket, rounded to the safe side if it is endlessly long."""
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > LONGEST_END:
        steps = value * ROUNDED_TO
        value = Fraction(floor(steps) if side < 0 else ceil(steps), ROUNDED_TO)
    return _number(value)


def _as_it_is_in_fractions(subject: Placement | GradientCode, result: AttackResult) -> AttackResult:
    """Return a result whose attack does what it says for the fractions that the weights are.

    Real weights that are dependent up to rounding are decoded as if they were dependent. As
    fractions they may not be, and decode better.
    """
    if not isinstance(subject, GradientCode) or subject.weights is None:
        return result
    if result.question == "threshold" or result.decoder != "optimal":
        return result
    if not _nearly_dependent(subject, result.workers):
        return result
    reached = settled_error(subject, result.workers)
    if result.question == "error":
        claimed = Fraction(result.lower) - Fraction(result.tolerance)
        return result if reached >= claimed else replace(result, lower=reached)
    if reached >= result.asked:
        return result
    return replace(result, upper=subject.workers, workers=tuple(range(subject.workers)))


def _nearly_dependent(code: GradientCode, workers: tuple[int, ...]) -> bool:
    """Whether survivors may be dependent up to rounding, and few enough to settle in fractions."""
    rows = code.dense_encoding()[~code.placement.mask(workers)]
    sizes = np.linalg.norm(rows, axis=1, keepdims=True)
    rows = (rows / np.where(sizes, sizes, 1))[sizes[:, 0] > 0]
    rows = rows[:, rows.any(axis=0)]
    if not 0 < min(rows.shape) <= MOST_SETTLED:
        return False
    return bool(np.linalg.matrix_rank(rows, tol=DEPENDENT) < min(rows.shape))


class _Ledger:
    """The claims of a certificate in the order in which they can be checked."""

    def __init__(self, placement: Placement) -> None:
        self.placements: list[Placement] = [placement]
        self.claims: list[dict[str, Any]] = []
        self._numbers: dict[tuple[Any, ...], int] = {}
        self._said: dict[str, int] = {}

    def enter(self, result: AttackResult) -> None:
        """Add a result, after what its proof stands on."""
        if result.question not in ASKED:
            raise InputError(f"a certificate has no claims about {result.question} workers")
        if not result.evidence:
            raise InputError(
                f"the result for {ASKED[result.question]}={result.asked} carries no proof; "
                "ask the question again"
            )
        exact = result.question == "threshold"
        tolerance = 0 if exact else Fraction(result.tolerance)
        lower, upper = Fraction(result.lower), Fraction(result.upper)
        if not exact:
            lower, upper = max(Fraction(0), lower - tolerance), upper + tolerance
        proof = None if result.evidence.get("by") == "nothing" else self._plain(result.evidence)
        claim = {
            "question": result.question,
            ASKED[result.question]: _number(result.asked),
            **({} if result.decoder is None else {"decoder": result.decoder}),
            "lower": _end(lower, -1),
            "upper": _end(upper, 1),
            "placement": 0,
            "workers": list(result.workers),
            **({"parts": list(result.parts)} if result.question == "threshold" else {}),
            "proof": proof,
        }
        self._add(claim, PROVED_END.get(result.question))

    def _add(self, claim: dict[str, Any], end: str | None) -> int:
        """Add a claim, unless an earlier one says the same of this end; return its number."""
        if end is None:
            self.claims.append(claim)
            return len(self.claims) - 1
        said = {name: claim[name] for name in claim if name in (*SAID, end)}
        text = json.dumps(said, sort_keys=True)
        if not claim.get("lemma") or text not in self._said:
            self.claims.append(claim)
        return self._said.setdefault(text, len(self.claims) - 1)

    def _plain(self, proof: Proof) -> dict[str, Any]:
        """Return a proof as JSON; lemmas that it needs, and those that they need, go before."""
        for lemma in _lemmas(proof):
            self._enter_lemma(lemma)
        return self._with_numbers(proof)

    def _enter_lemma(self, lemma: Lemma) -> None:
        stack = [lemma]
        while stack:
            top = stack[-1]
            missing = [one for one in _lemmas(top.proof) if self._key(one) not in self._numbers]
            if missing:
                stack += missing
                continue
            stack.pop()
            if self._key(top) not in self._numbers:
                self._numbers[self._key(top)] = self._add(
                    self._claim(top), PROVED_END[top.question]
                )

    def _claim(self, lemma: Lemma) -> dict[str, Any]:
        end = PROVED_END[lemma.question]
        return {
            "lemma": True,
            "question": lemma.question,
            ASKED[lemma.question]: lemma.asked,
            **({} if lemma.decoder is None else {"decoder": lemma.decoder}),
            end: _end(Fraction(lemma.value), 1 if end == "upper" else -1),
            "placement": self._place(lemma.placement),
            "proof": self._with_numbers(lemma.proof),
        }

    def _key(self, lemma: Lemma) -> tuple[Any, ...]:
        return (
            self._place(lemma.placement),
            lemma.question,
            lemma.asked,
            lemma.value,
            lemma.decoder,
            id(lemma.proof),
        )

    def _place(self, placement: Placement | None) -> int:
        if placement is None:
            return 0
        for number, one in enumerate(self.placements):
            if one is placement:
                return number
        self.placements.append(placement)
        return len(self.placements) - 1

    def _with_numbers(self, proof: Proof) -> dict[str, Any]:
        plain: dict[str, Any] = {}
        for name, value in proof.items():
            if isinstance(value, Lemma):
                plain[name] = self._numbers[self._key(value)]
            elif isinstance(value, Fraction | float):
                plain[name] = _number(value)
            else:
                plain[name] = value
        return plain


def _lemmas(proof: Mapping[str, Any]) -> Iterator[Lemma]:
    return (value for value in proof.values() if isinstance(value, Lemma))
