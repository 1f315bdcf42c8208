"""What a certificate says: placements, weights and claims, read and checked in form."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from hashlib import sha256
from math import gcd, lcm

from gcdesign.checker.reading import Json, distinct, items, load, members, number, shown, whole
from gcdesign.checker.verdicts import Budget, CertificateError, TooMuch

SCHEMA = "gcdesign.certificate/1"
MAX_CELLS = 1 << 28
"""Most cells of all incidence matrices together: they are held as bits."""
MAX_SIZE = 1 << 18
"""Most workers, and most parts, of a placement."""
MAX_GRAM = 4096
"""Most workers of which all products of two are held."""


@dataclass(frozen=True)
class Code:
    """A placement of K parts on N workers, with its encoding matrix.

    Attributes
    ----------
    parts
        K.
    blocks
        For each worker its parts.
    weights
        For each worker its weights, in the order of its parts; None for a 0/1 code.
    """

    parts: int
    blocks: tuple[tuple[int, ...], ...]
    weights: tuple[tuple[Fraction, ...], ...] | None = None
    _gram: list[list[int]] = field(default_factory=list, init=False, compare=False, repr=False)

    @property
    def workers(self) -> int:
        """N."""
        return len(self.blocks)

    @cached_property
    def masks(self) -> tuple[int, ...]:
        """For each worker its parts, as bits."""
        return tuple(bits(block) for block in self.blocks)

    @cached_property
    def holders(self) -> tuple[int, ...]:
        """For each part the workers that hold it, as bits."""
        held: list[list[int]] = [[] for _ in range(self.parts)]
        for worker, block in enumerate(self.blocks):
            for part in block:
                held[part].append(worker)
        return tuple(bits(workers) for workers in held)

    @cached_property
    def loads(self) -> tuple[int, ...]:
        """Number of parts of each worker."""
        return tuple(len(block) for block in self.blocks)

    @cached_property
    def replications(self) -> tuple[int, ...]:
        """Number of holders of each part."""
        return tuple(held.bit_count() for held in self.holders)

    @cached_property
    def integral(self) -> tuple[dict[int, int], ...]:
        """For each worker a multiple of its row of the encoding matrix, in whole numbers.

        A multiple other than 0 changes nothing about what the survivors span.
        """
        if self.weights is None:
            return tuple(dict.fromkeys(block, 1) for block in self.blocks)
        rows = []
        for block, weights in zip(self.blocks, self.weights, strict=True):
            below = lcm(*(weight.denominator for weight in weights))
            tops = [weight.numerator * (below // weight.denominator) for weight in weights]
            common = gcd(*tops) or 1
            rows.append({p: top // common for p, top in zip(block, tops, strict=True)})
        return tuple(rows)

    def gram(self, budget: Budget) -> list[list[int]]:
        """Return the products of every two of the rows `integral`: the lower triangle.

        Raises
        ------
        TooMuch
            If there are too many to hold, or the time is over.
        """
        if self.workers > MAX_GRAM:
            raise TooMuch(f"{self.workers} workers are too many to multiply every two of them")
        if not self._gram:
            self._gram.extend(self._products(budget))
        return self._gram

    def _products(self, budget: Budget) -> list[list[int]]:
        found = []
        for i, (mask, row) in enumerate(zip(self.masks, self.integral, strict=True)):
            if self.weights is None:
                budget.spend(i)
                found.append([(mask & other).bit_count() for other in self.masks[: i + 1]])
            else:
                budget.spend(i * len(row))
                others = self.integral[: i + 1]
                found.append([sum(x * o.get(p, 0) for p, x in row.items()) for o in others])
        return found

    @cached_property
    def sums(self) -> tuple[int, ...]:
        """The sum of each of the rows `integral`."""
        return tuple(sum(row.values()) for row in self.integral)


@dataclass(frozen=True)
class Claim:
    """One claim; its proof is still as it was read.

    Attributes
    ----------
    index
        Its number in the list.
    question, decoder
        As in the file; no decoder for a threshold.
    asked
        η, the number of stragglers, or the error.
    lower, upper
        The ends of the bracket; None for the end that a lemma says nothing of.
    workers, parts
        The witness.
    placement
        The number of the placement it is about.
    proof
        The proof.
    lemma
        Whether it only serves other claims.
    """

    index: int
    question: str
    decoder: str | None
    asked: Fraction
    lower: Fraction | None
    upper: Fraction | None
    workers: tuple[int, ...]
    parts: tuple[int, ...]
    placement: int
    proof: Json
    lemma: bool

    @property
    def place(self) -> str:
        """Where it is in the document."""
        return f"claims[{self.index}]"


@dataclass(frozen=True)
class Certificate:
    """A certificate whose form is right; nothing of it is proved yet.

    Attributes
    ----------
    codes
        The placements; the first is the subject.
    claims
        The claims.
    mismatched
        The members whose digest is another.
    """

    codes: tuple[Code, ...]
    claims: tuple[Claim, ...]
    mismatched: tuple[str, ...]


def bits(numbers: tuple[int, ...] | list[int]) -> int:
    """Return a set of small numbers as the bits of one number.

    Examples
    --------
    >>> bits([0, 3])
    9
    """
    found = bytearray(max(numbers, default=0) // 8 + 1)
    for position in numbers:
        found[position >> 3] |= 1 << (position & 7)
    return int.from_bytes(found, "little")


def read(source: Json) -> Certificate:
    """Read a certificate from a path, bytes, or a value in memory.

    Raises
    ------
    CertificateError
        If it is none.
    """
    document = load(source)
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        found = shown(document.get("schema")) if isinstance(document, dict) else shown(document)
        raise CertificateError("schema", f"{found}; expected a certificate, {SCHEMA!r}")
    names = ("schema", "generator", "placements", "weights", "claims", "digests")
    members(document, "the certificate", needed=names)
    if not isinstance(document["generator"], str):
        raise CertificateError("generator", f"{shown(document['generator'])}; expected a string")
    codes = _codes(document["placements"], document["weights"])
    values = items(document["claims"], "claims")
    if not values:
        raise CertificateError("claims", "it is empty; expected at least one")
    claims = tuple(_claim(value, index, codes) for index, value in enumerate(values))
    return Certificate(codes, claims, _mismatched(document))


def _mismatched(document: dict[str, Json]) -> tuple[str, ...]:
    names = ("placements", "weights", "claims")
    digests = members(document["digests"], "digests", needed=names)
    return tuple(name for name in names if digests[name] != digest(document[name]))


def digest(value: Json) -> str:
    """Return the digest of a member.

    Examples
    --------
    >>> digest(None)[:8]
    '74234e98'
    """
    try:
        text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    except RecursionError:
        raise CertificateError("", "values are nested too deeply") from None
    return sha256(text.encode("ascii")).hexdigest()


def _codes(placements: Json, weights: Json) -> tuple[Code, ...]:
    found, cells = [], 0
    for index, value in enumerate(items(placements, "placements")):
        place = f"placements[{index}]"
        members(value, place, needed=("parts", "blocks"))
        parts = whole(value["parts"], f"{place}.parts", most=MAX_SIZE)
        blocks = items(value["blocks"], f"{place}.blocks")
        whole(len(blocks), f"{place}.blocks", most=MAX_SIZE)
        cells += max(parts, 1) * max(len(blocks), 1)
        if cells > MAX_CELLS:
            raise CertificateError(place, f"too large: over {MAX_CELLS} cells in all")
        found.append(
            Code(
                parts,
                tuple(
                    distinct(block, f"{place}.blocks[{w}]", below=parts)
                    for w, block in enumerate(blocks)
                ),
            )
        )
    if not found:
        raise CertificateError("placements", "it is empty; expected at least one")
    if weights is not None:
        found[0] = Code(found[0].parts, found[0].blocks, _weights(weights, found[0]))
    return tuple(found)


def _weights(weights: Json, code: Code) -> tuple[tuple[Fraction, ...], ...]:
    rows = items(weights, "weights", length=code.workers)
    return tuple(
        tuple(
            number(value, f"weights[{w}][{i}]")
            for i, value in enumerate(items(row, f"weights[{w}]", length=len(code.blocks[w])))
        )
        for w, row in enumerate(rows)
    )


ASKED = {"threshold": "eta", "error": "stragglers", "error-threshold": "error"}


def _claim(value: Json, index: int, codes: tuple[Code, ...]) -> Claim:
    place = f"claims[{index}]"
    question = value.get("question") if isinstance(value, dict) else None
    if not isinstance(question, str) or question not in ASKED:
        raise CertificateError(
            f"{place}.question", f"{shown(question)}; expected one of {', '.join(ASKED)}"
        )
    lemma = value.get("lemma", False)
    if not isinstance(lemma, bool) or (lemma and question == "error-threshold"):
        raise CertificateError(f"{place}.lemma", f"{shown(lemma)}; not for this question")
    names = _members_of_claim(question, lemma)
    members(value, place, needed=names, optional=("lemma",))
    placement = whole(value["placement"], f"{place}.placement", most=len(codes) - 1)
    code = codes[placement]
    ends = {
        end: _end(value[end], f"{place}.{end}", question) if end in names else None
        for end in ("lower", "upper")
    }
    decoder = None
    if "decoder" in names:
        decoder = _decoder(value["decoder"], f"{place}.decoder", code)
    return Claim(
        index=index,
        question=question,
        decoder=decoder,
        asked=_asked(value[ASKED[question]], f"{place}.{ASKED[question]}", question, code),
        lower=ends["lower"],
        upper=ends["upper"],
        workers=_witness(value, "workers", names, place, code.workers),
        parts=_witness(value, "parts", names, place, code.parts),
        placement=placement,
        proof=value["proof"],
        lemma=lemma,
    )


def _members_of_claim(question: str, lemma: bool) -> list[str]:
    names = ["question", ASKED[question], "placement", "proof"]
    if question != "threshold":
        names.append("decoder")
    if lemma:
        return [*names, "lower" if question == "threshold" else "upper"]
    names += ["lower", "upper", "workers"]
    return [*names, "parts"] if question == "threshold" else names


def _asked(value: Json, place: str, question: str, code: Code) -> Fraction:
    if question == "error-threshold":
        return number(value, place)
    most = code.parts if question == "threshold" else code.workers
    return Fraction(whole(value, place, most=most))


def _end(value: Json, place: str, question: str) -> Fraction:
    return number(value, place) if question == "error" else Fraction(whole(value, place))


def _decoder(value: Json, place: str, code: Code) -> str:
    if value not in ("optimal", "one-step"):
        raise CertificateError(place, f"{shown(value)}; expected 'optimal' or 'one-step'")
    if value == "one-step" and code.weights is not None:
        raise CertificateError(place, "one-step decoding is for 0/1 codes")
    return str(value)


def _witness(value: Json, name: str, names: list[str], place: str, below: int) -> tuple[int, ...]:
    return distinct(value[name], f"{place}.{name}", below=below) if name in names else ()
