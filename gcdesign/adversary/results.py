"""What an attack found and what was proved about it: immutable results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Literal

Value = int | Fraction | float
"""A number: exact as int or Fraction, otherwise a float."""

Side = Literal["lower", "upper"]
Question = Literal["threshold", "error", "error-threshold", "byzantine"]


def exact_text(value: Value | None) -> str | None:
    """Return ``"15"`` or ``"6/5"`` for an exact number, None for a float.

    Examples
    --------
    >>> exact_text(Fraction(6, 5)), exact_text(15), exact_text(0.5)
    ('6/5', '15', None)
    """
    return None if value is None or isinstance(value, float) else str(value)


@dataclass(frozen=True)
class Bound:
    """One proved bound on the quantity asked for.

    Attributes
    ----------
    name
        Short name, such as ``"spectral"``.
    side
        Whether it bounds from below or from above.
    value
        The bound itself, before any rounding to a whole number of workers.
    formula
        The formula in the papers' letters.
    source
        Where it is from.
    evidence
        Its proof, as `gcdesign.adversary.evidence` describes it; empty where it has none yet.
    """

    name: str
    side: Side
    value: Value
    formula: str
    source: str
    evidence: Mapping[str, Any] = field(
        default_factory=lambda: MappingProxyType({}), compare=False, repr=False
    )


@dataclass(frozen=True)
class Extreme:
    """A value together with the silenced workers that reach it."""

    value: Value
    workers: tuple[int, ...]


@dataclass(frozen=True)
class AttackResult:
    """The answer to one question about an adversary, with what is known of it.

    Attributes
    ----------
    question
        ``"threshold"``: S*(η), the least number of workers whose silence loses η parts
        altogether. ``"error"``: err_S, the worst squared decoding error for S stragglers.
        ``"error-threshold"``: the least S with err_S ≥ the error asked for. ``"byzantine"``:
        c_max(q), the most parts whose majority vote q workers can corrupt.
    asked
        η, S, the error, or q.
    code
        Title of the placement or code.
    decoder
        ``"optimal"`` or ``"one-step"``; ``"majority"`` for Byzantine workers; None for a
        threshold, where nothing is decoded.
    lower, upper
        The proved bracket. An attack reaches ``upper`` for the two thresholds and ``lower``
        for the error and for c_max; the other end is proved by what ``proof`` says.
    workers
        The silenced workers of the best attack found, 0-based, in increasing order.
    parts
        For a threshold the parts that the attack set out to lose, for Byzantine workers those
        that it corrupts; otherwise the parts that only silenced workers hold.
    bounds
        All bounds that were computed.
    proof
        What proves the end that the attack does not reach.
    least
        For an error, the least harmful set of the same size; None where it is not certain.
    tolerance
        Absolute tolerance of the value: the rounding of a float, or how much worse another set
        could be than the one that an exhaustive search in floating point found. 0 where
        everything is exact; an error threshold compares errors up to it.
    stopped
        None, or the limit that ended the search before proof.
    seconds
        Time taken, wall clock.
    settings
        Method, seed, threads and time limit that the answer was computed with.
    notice
        A warning for people: that the code was made for fewer stragglers than were asked for.
    evidence
        The proof behind ``proof``, as `gcdesign.adversary.evidence` describes it; empty where
        the answer was not asked for with one.
    """

    question: Question
    asked: Value
    code: str
    decoder: str | None
    lower: Value
    upper: Value
    workers: tuple[int, ...]
    parts: tuple[int, ...]
    bounds: tuple[Bound, ...]
    proof: str
    least: Extreme | None = None
    tolerance: float = 0.0
    stopped: str | None = None
    seconds: float = 0.0
    settings: Mapping[str, int | float | str | None] = field(
        default_factory=lambda: MappingProxyType({})
    )
    notice: str | None = None
    evidence: Mapping[str, Any] = field(
        default_factory=lambda: MappingProxyType({}), compare=False, repr=False
    )

    @property
    def status(self) -> Literal["exact", "bracket"]:
        """``"exact"`` when the bracket is closed, up to `tolerance` for floats."""
        return "exact" if self.upper - self.lower <= self.tolerance else "bracket"

    @property
    def lower_exact(self) -> str | None:
        """The lower end as a whole number or fraction, None if it is only known as a float."""
        return exact_text(self.lower)

    @property
    def upper_exact(self) -> str | None:
        """The upper end as a whole number or fraction, None if it is only known as a float."""
        return exact_text(self.upper)

    @property
    def value(self) -> Value:
        """The exact answer.

        Raises
        ------
        ValueError
            If only a bracket is known.
        """
        if self.status != "exact":
            raise ValueError(f"only a bracket is known: [{self.lower}, {self.upper}]")
        return self.lower
