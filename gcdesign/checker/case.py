"""What a proof is checked against: the claim, its code, and the claims before it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NoReturn

from gcdesign.checker.document import Claim, Code
from gcdesign.checker.reading import Json, members, whole
from gcdesign.checker.verdicts import Budget, Refused


@dataclass(frozen=True)
class Case:
    """One proof to be checked.

    Attributes
    ----------
    claim
        The claim that it is to show.
    codes
        All placements.
    claims
        All claims; those before this one may be used.
    standing
        The status of each claim before this one.
    budget
        The time for it.
    rests
        Where it rests on something that was not checked; grows as the proof is read.
    """

    claim: Claim
    codes: Sequence[Code]
    claims: Sequence[Claim]
    standing: Sequence[str]
    budget: Budget
    rests: list[str] = field(default_factory=list)

    @property
    def place(self) -> str:
        """Where the proof is in the document."""
        return f"{self.claim.place}.proof"

    @property
    def code(self) -> Code:
        """The code that the claim is about."""
        return self.codes[self.claim.placement]

    @property
    def proof(self) -> Mapping[str, Json]:
        """The proof."""
        found: Mapping[str, Json] = self.claim.proof
        return found

    @property
    def asked(self) -> int:
        """η, or the number of stragglers whose error is to be bounded."""
        if self.claim.question == "error-threshold":
            assert self.claim.lower is not None
            return int(self.claim.lower) - 1
        return int(self.claim.asked)

    @property
    def goal(self) -> Fraction:
        """The end that is to be shown, where a proof is made for it.

        Raises
        ------
        Refused
            For an error threshold: a proof for one error only serves through a lemma.
        """
        end = self.claim.lower if self.claim.question == "threshold" else self.claim.upper
        if self.claim.question == "error-threshold" or end is None:
            self.refuse("by", "shows a given error only; claim that as a lemma and use 'monotone'")
        return end

    def members(self, *names: str) -> Mapping[str, Json]:
        """Return the proof if it has just these members."""
        return members(self.proof, self.place, needed=("by", *names))

    def require(self, holds: bool, reason: str, member: str = "") -> None:
        """Refuse the claim unless a condition holds."""
        if not holds:
            self.refuse(member, reason)

    def refuse(self, member: str, reason: str) -> NoReturn:
        """Refuse the claim."""
        raise Refused(f"{self.place}.{member}" if member else self.place, reason)

    def lemma(self, question: str, *, same: Collection[str] = (), member: str = "claim") -> Claim:
        """Return the earlier claim that the proof names; if it rests on search, so does this.

        ``same`` names what it must have in common with this claim, ``member`` is where the
        proof names it.
        """
        if self.claim.index == 0:
            self.refuse(member, "there is no earlier claim")
        index = whole(self.proof[member], f"{self.place}.{member}", most=self.claim.index - 1)
        found = self.claims[index]
        self.require(found.question == question, f"{found.place} asks another question", member)
        for name in same:
            self.require(
                getattr(found, name) == getattr(self.claim, name),
                f"{found.place} is about another {name}",
                member,
            )
        if self.standing[index] == "refused":
            self.refuse(member, f"{found.place} is refused itself")
        if self.standing[index] == "search":
            self.give_up(found.place, "rests on search itself")
        return found

    def give_up(self, place: str, reason: str) -> None:
        """Note a place that is not checked."""
        self.rests.append(f"{place}: {reason}")
