"""Partial stragglers: workers that are slow but not silent send two messages each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import floor
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gcdesign.codes.code import GradientCode
from gcdesign.codes.decoding import decode
from gcdesign.codes.placement import Placement
from gcdesign.codes.registry import build_code
from gcdesign.designs import BlockDesign, Provenance
from gcdesign.errors import InputError

Coding = Literal["cyclic", "repetition"]


@dataclass(frozen=True, eq=False)
class PartialScheme:
    """The two-message scheme for stragglers that are at most α times slower than the others.

    Each of N workers first sends the plain sum over its n₁ private parts, then a combination of
    S + 1 coded parts. The first N·n₁ parts are private, n₁ in a row to a worker; the last N are
    coded. The master needs every first message and enough second messages to decode.

    Attributes
    ----------
    stragglers
        The number S of workers that may be slow.
    alpha
        How many times slower they may be; α = 1 + (S + 1)/n₁.
    private
        n₁, the number of private parts of a worker.
    code
        The N × N code of the last N parts.
    """

    stragglers: int
    alpha: Fraction
    private: int
    code: GradientCode = field(repr=False)

    @property
    def workers(self) -> int:
        """Number of workers N."""
        return self.code.workers

    @property
    def parts(self) -> int:
        """Number of parts K = N(n₁ + 1)."""
        return self.workers * (self.private + 1)

    @property
    def load(self) -> int:
        """Number of parts of a worker, n₁ + S + 1."""
        return self.private + self.stragglers + 1

    @property
    def load_fraction(self) -> Fraction:
        """The share of the data that a worker holds, which is α(S + 1)/(N(S + α))."""
        return Fraction(self.load, self.parts)

    @property
    def full_straggler_fraction(self) -> Fraction:
        """The share that it would hold if stragglers were silent: (S + 1)/N."""
        return Fraction(self.stragglers + 1, self.workers)

    @cached_property
    def placement(self) -> Placement:
        """Who holds which of the K parts, private and coded ones."""
        coded = self.code.placement.design
        offset = self.workers * self.private
        rows = [
            [*range(worker * self.private, (worker + 1) * self.private), *(block + offset).tolist()]
            for worker, block in ((i, coded.block(i)) for i in range(self.workers))
        ]
        return Placement(BlockDesign.from_blocks(rows, points=self.parts))

    def first_messages(self, gradients: NDArray[Any]) -> NDArray[Any]:
        """Return the sums over each worker's private parts, shape (N, …), of gradients (K, …)."""
        given = self._checked(gradients)
        private = given[: self.workers * self.private]
        sums: NDArray[Any] = private.reshape(self.workers, self.private, *given.shape[1:]).sum(1)
        return sums

    def second_messages(self, gradients: NDArray[Any]) -> NDArray[Any]:
        """Return the coded combinations of each worker, shape (N, …), of gradients (K, …)."""
        return self.code.encode(self._checked(gradients)[self.workers * self.private :])

    def gradient(
        self, first: NDArray[Any], second: NDArray[Any], *, missing: Iterable[int]
    ) -> NDArray[Any]:
        """Return the sum of all K gradients.

        Parameters
        ----------
        first
            Shape (N, …): all first messages.
        second
            Shape (N, …): the second messages; those of ``missing`` workers are not looked at.
        missing
            Workers whose second message is not there: any S of them, and with repetition as many
            as leave one worker of each group.

        Raises
        ------
        InputError
            If the second messages that are there do not determine the sum.
        """
        decoding = decode(self.code, missing)
        if decoding.error > 1e-9:
            raise InputError(
                f"the second messages of workers {list(decoding.silenced)} are missing and the sum "
                f"is lost (error {decoding.error:.3g}); wait for more of them"
            )
        used = np.flatnonzero(decoding.weights)
        coded = np.tensordot(decoding.weights[used], np.asarray(second)[used], axes=1)
        total: NDArray[Any] = np.asarray(first).sum(axis=0) + coded
        return total

    def _checked(self, gradients: NDArray[Any]) -> NDArray[Any]:
        given = np.asarray(gradients)
        if given.ndim == 0 or len(given) != self.parts:
            raise InputError(
                f"gradients of shape {given.shape}; expected one for each of {self.parts} parts"
            )
        return given


def partial_scheme(
    workers: int,
    stragglers: int,
    alpha: Fraction | float,
    *,
    coding: Coding = "cyclic",
    seed: int = 0,
) -> PartialScheme:
    """Return the scheme for at most S stragglers that are at most α times slower.

    While a worker of normal speed finishes all its n₁ + S + 1 parts, one that is α times slower
    finishes n₁: so n₁ = (S + 1)/(α − 1), which has to be a whole number.

    Parameters
    ----------
    workers
        Number of workers N.
    stragglers
        Number of stragglers S, 0 ≤ S < N.
    alpha
        The slowness α > 1; a float counts as the decimal that it prints as.
    coding
        ``"cyclic"`` for Tandon's random code, ``"repetition"`` for groups of S + 1 workers.
    seed
        Seed of the random code.

    Raises
    ------
    InputError
        If α gives no whole number of private parts, and then with the nearest α that do; or as
        the code's family.

    Notes
    -----
    Source: Tandon, Lei, Dimakis, Karampatziakis 2017, section 4.

    Examples
    --------
    >>> scheme = partial_scheme(12, 2, 2)
    >>> scheme.private, scheme.parts, scheme.load, str(scheme.load_fraction)
    (3, 48, 6, '1/8')
    """
    slowness = _as_fraction(alpha)
    private = private_parts(stragglers, slowness)
    if coding == "cyclic":
        made = Provenance.of("cyclic", workers=workers, stragglers=stragglers, seed=seed)
    elif coding == "repetition":
        made = Provenance.of("frc", workers=workers, stragglers=stragglers)
    else:
        raise InputError(f"coding={coding!r}; expected 'cyclic' or 'repetition'")
    return PartialScheme(stragglers, slowness, private, build_code(made))


def private_parts(stragglers: int, alpha: Fraction) -> int:
    """Return n₁ = (S + 1)/(α − 1), the number of private parts of a worker.

    Raises
    ------
    InputError
        If S is negative, α is at most 1, or n₁ is no whole number: then the message names the
        nearest α that give one. The smaller load of the two serves α too if it is for a
        greater α.

    Examples
    --------
    >>> private_parts(2, Fraction(3, 2))
    6
    """
    if stragglers < 0:
        raise InputError(f"stragglers={stragglers}; expected 0 or more")
    if alpha <= 1:
        raise InputError(f"alpha={alpha}; expected more than 1: a straggler is slower than others")
    exact = (stragglers + 1) / (alpha - 1)
    if exact.denominator == 1:
        return int(exact)
    fewer = floor(exact)
    choices = [
        f"alpha={1 + Fraction(stragglers + 1, n)} ({n} private)" for n in (fewer, fewer + 1) if n
    ]
    raise InputError(
        f"alpha={alpha} with stragglers={stragglers} would need {exact} private parts a worker; "
        f"the nearest: {' or '.join(choices)}"
    )


def _as_fraction(alpha: Fraction | float) -> Fraction:
    try:
        return Fraction(str(alpha))
    except ValueError:
        raise InputError(f"alpha={alpha}; expected a number greater than 1") from None
