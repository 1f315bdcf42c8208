"""Which code for so many workers, parts and stragglers: every code that fits, the best first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Literal

import numpy as np

from gcdesign.adversary.choosing.reasons import ROUNDING, compared, reasons
from gcdesign.adversary.results import AttackResult, Value
from gcdesign.adversary.running.settings import Settings, Watch
from gcdesign.adversary.worst_error.error import worst_case_error
from gcdesign.codes import (
    Decoding,
    Expectation,
    GradientCode,
    Placement,
    Sampling,
    decode,
    expected_error,
    load_code,
)
from gcdesign.codes.registry import code_families
from gcdesign.designs import BlockDesign
from gcdesign.designs.registry import families
from gcdesign.errors import InputError

Model = Literal["adversarial", "random"]
ErrorKind = Literal["guaranteed", "expected"]
Status = Literal["exact", "bracket", "construction"]

TRIALS = 2_000
"""Random orders behind an expected error that has no formula."""

PROBES = 8
"""Random sets of stragglers whose decoding is looked at for its condition."""


@dataclass(frozen=True)
class Wish:
    """What is asked for.

    Attributes
    ----------
    workers, load, stragglers
        N, the greatest L, and S.
    parts
        K, the parts that there are to be computed; None to let each code cut the data.
    model
        Whether an adversary chooses the stragglers, or chance.
    at_most_condition
        The greatest condition number of decoding that is accepted; None for any.

    Raises
    ------
    InputError
        If a number is out of its domain.
    """

    workers: int
    load: int
    stragglers: int
    parts: int | None = None
    model: Model = "adversarial"
    at_most_condition: float | None = None

    @property
    def kinds(self) -> tuple[ErrorKind, ErrorKind]:
        """The error that codes are ranked by, and the other."""
        both: tuple[ErrorKind, ErrorKind] = ("guaranteed", "expected")
        return both if self.model == "adversarial" else (both[1], both[0])

    def __post_init__(self) -> None:
        for name, least in (("workers", 1), ("load", 1), ("parts", 1), ("stragglers", 0)):
            value = getattr(self, name)
            if value is not None and value < least:
                raise InputError(f"{name}={value}; expected {least} or more")
        if self.stragglers >= self.workers:
            raise InputError(
                f"stragglers={self.stragglers}; expected at most {self.workers - 1}, so that one "
                f"of {self.workers} workers answers"
            )
        if self.model not in ("adversarial", "random"):
            raise InputError(f"model={self.model!r}; expected adversarial or random")
        if self.at_most_condition is not None and not self.at_most_condition >= 1:
            raise InputError(
                f"at_most_condition={self.at_most_condition}; expected 1, the best, or more"
            )


@dataclass(frozen=True)
class Fit:
    """How a code fits what is asked for.

    Attributes
    ----------
    name
        Its name in place, or the file.
    code
        The code, without the workers that are left out.
    left_out
        Workers that the code has and that are not there.
    idle
        Workers that are there and that the code does not need.
    each
        How many of the user's parts one part of the code stands for.
    padded
        Empty parts that fill up the code's.
    """

    name: str
    code: GradientCode
    left_out: int
    idle: int
    each: int
    padded: int

    @property
    def load(self) -> int:
        """The greatest number of the user's parts on one worker."""
        return self.each * int(self.code.placement.loads.max(initial=0))

    @property
    def share(self) -> float:
        """The greatest share of the data on one worker."""
        return self.load / (self.each * self.code.parts)


@dataclass(frozen=True)
class Recommendation:
    """One code that fits, and what it is worth.

    Attributes
    ----------
    fit
        The code, and how it fits.
    guaranteed
        err_S of the code, exact or a bracket.
    status
        ``"construction"`` for a code that was made to lose nothing with S stragglers, and that
        rounding does not keep from it on the sets tried: that is the theorem of its family, and
        ``guaranteed`` says only what was found apart from it. Otherwise that of ``guaranteed``.
    expected
        The mean error of S random stragglers.
    threshold
        S*(1), the fewest workers whose silence loses a part altogether.
    decoding
        The decoding of the worst set of stragglers found: its cost is the decoder's.
    condition
        The greatest condition number over the worst set and some random ones; see
        `gcdesign.codes.Decoding`.
    why
        What speaks for it and against it, in words.
    """

    fit: Fit
    guaranteed: AttackResult
    status: Status
    expected: Expectation
    threshold: int
    decoding: Decoding
    condition: float
    why: str = ""

    @property
    def guarantee(self) -> Value:
        """What no S stragglers exceed: the upper end of err_S, or 0 by construction."""
        return 0 if self.status == "construction" else self.guaranteed.upper

    def share(self, kind: ErrorKind) -> float:
        """Return one of its errors as a share of the code's parts."""
        error: Value = self.guarantee if kind == "guaranteed" else self.expected.value
        return float(error) / self.fit.code.parts


def recommend(
    wish: Wish, *, also: Iterable[tuple[str, GradientCode]] = (), settings: Settings | None = None
) -> tuple[Recommendation, ...]:
    """Return every code that fits, or nearly fits, the best first.

    Ranked by the guaranteed error, or the expected one, as a share of the parts; then by the
    other of the two, by condition, idle workers, the share of the data on one worker, and the
    cost of decoding.

    Parameters
    ----------
    wish
        What is asked for.
    also
        Codes of the user's own, with their names, to be compared with the families'.
    settings
        Limits and seed; a time limit is for each code.

    Examples
    --------
    >>> for one in recommend(Wish(workers=7, load=3, stragglers=3))[:3]:
    ...     print(one.fit.name, one.guarantee)
    circulant:workers=7,load=3 1
    circulant:workers=7,offsets=0+1+3 1
    pg:q=2 1
    """
    settings = settings or Settings()
    found = [
        _judge(fit, wish, settings)
        for name, code in (*candidates(wish), *also)
        if (fit := _fitted(name, code, wish)) is not None
    ]
    most = inf if wish.at_most_condition is None else wish.at_most_condition
    ranked = sorted((one for one in found if one.condition <= most), key=lambda r: _rank(r, wish))
    return tuple(_explained(ranked, wish))


def candidates(wish: Wish) -> Iterator[tuple[str, GradientCode]]:
    """Yield the members of all families that declare what is near so many workers and a load.

    Where there are more parts than workers, a part of a code stands for several, and a worker
    holds so many times fewer of them.
    """
    each = -(-(wish.parts or 1) // wish.workers)
    loads = sorted({wish.load, max(1, wish.load // each)})
    near = (family.near for family in (*families(), *code_families()) if family.near)
    names = (name for find in near for load in loads for name in find(wish.workers, load))
    for name in dict.fromkeys(names):
        yield name, load_code(name)


def _fitted(name: str, code: GradientCode, wish: Wish) -> Fit | None:
    """Return how a code fits; None if its load is too great or it has no part or worker."""
    left_out = max(0, code.workers - wish.workers)
    if left_out:
        code = _without_last(code, left_out)
    if code.workers <= wish.stragglers or code.parts == 0:
        return None
    each = 1 if wish.parts is None else -(-wish.parts // code.parts)
    padded = 0 if wish.parts is None else each * code.parts - wish.parts
    fit = Fit(name, code, left_out, wish.workers - code.workers, each, padded)
    return fit if 0 < fit.load <= wish.load else None


def _without_last(code: GradientCode, count: int) -> GradientCode:
    """Return the code without its last workers."""
    design, kept = code.placement.design, code.workers - count
    end = int(design.indptr[kept])
    rows = BlockDesign(design.v, design.indptr[: kept + 1], design.indices[:end])
    weights = None if code.weights is None else code.weights[:end]
    return GradientCode(Placement(rows), weights)


def _judge(fit: Fit, wish: Wish, settings: Settings) -> Recommendation:
    code, stragglers = fit.code, wish.stragglers
    promised = code.promises(stragglers) and code.weights is not None
    # Where a theorem says that nothing is lost, a search in floating point adds nothing.
    plain = replace(settings, method="bounds") if promised else settings
    guaranteed = worst_case_error(code, stragglers, settings=plain)
    decoding = decode(code, guaranteed.workers, exact=False)
    watch = Watch(settings)
    sampling = Sampling(TRIALS, settings.seed, watch=lambda _: watch.stopped() is not None)
    rng = np.random.default_rng(settings.seed)
    probes = [rng.permutation(code.workers)[:stragglers] for _ in range(PROBES)]
    tried = [decoding, *(decode(code, probe, exact=False) for probe in probes)]
    kept = promised and all(one.error <= ROUNDING * code.parts for one in tried)
    return Recommendation(
        fit,
        guaranteed,
        "construction" if kept else guaranteed.status,
        _at_most(expected_error(code, stragglers, sampling=sampling), guaranteed.upper),
        int(code.placement.replications.min()),
        decoding,
        max(one.condition for one in tried),
    )


def _at_most(mean: Expectation, worst: Value) -> Expectation:
    """Return a mean that is no more than the worst case, as far as trials leave that open."""
    if mean.status == "exact" or mean.upper <= worst:
        return mean
    value, lower = min(mean.value, worst), min(mean.lower, worst)
    return replace(mean, value=value, lower=lower, upper=worst)


def _rank(one: Recommendation, wish: Wish) -> tuple[float | int | str, ...]:
    shares = [round(one.share(kind), 9) for kind in wish.kinds]
    fit, condition = one.fit, round(one.condition, 6)
    return (*shares, condition, fit.idle, round(fit.share, 9), one.decoding.cost, fit.name)


def _compared(ranked: Sequence[Recommendation], wish: Wish) -> str:
    """Return why the first is the first."""
    if len(ranked) == 1:
        return "the only code that fits"
    best, second = ranked[:2]
    differ = [a != b for a, b in zip(_rank(best, wish), _rank(second, wish), strict=True)]
    return compared(best, second, wish, differ.index(True) if any(differ) else len(differ) - 1)


def _explained(ranked: Sequence[Recommendation], wish: Wish) -> Iterator[Recommendation]:
    for place, one in enumerate(ranked):
        texts = reasons(one, wish)
        if place == 0:
            texts = [_compared(ranked, wish), *texts]
        yield replace(one, why="; ".join(texts))
