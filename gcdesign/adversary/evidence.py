"""What proves the end of a bracket that the attack does not reach, as plain data.

The kinds of proof and their members are those of the certificate file, described in
``docs/certificates.md``; a proof that stands on another claim holds it as a `Lemma`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gcdesign.adversary.results import Question, Value
from gcdesign.codes import Placement

Proof = Mapping[str, Any]
"""``{"by": kind, …}``: JSON values, fractions, and a `Lemma` where another claim is used."""


@dataclass(frozen=True, eq=False)
class Lemma:
    """A claim that another proof stands on.

    Attributes
    ----------
    question, asked
        As in `AttackResult`.
    value
        The proved lower end of a threshold, or the proved upper end of an error.
    proof
        Its proof.
    decoder
        The decoder, for an error.
    placement
        The placement that it is about; None for the one in question.
    """

    question: Question
    asked: int
    value: Value
    proof: Proof
    decoder: str | None = None
    placement: Placement | None = None


def search_proof(engine: str, **numbers: int | str) -> Proof:
    """Return the mark of a proof that rests on an exhaustive search by this program.

    Examples
    --------
    >>> search_proof("pairs", nodes=486)
    {'by': 'search', 'engine': 'pairs', 'nodes': 486}
    """
    return {"by": "search", "engine": engine, **numbers}
