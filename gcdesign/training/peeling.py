"""Training with LDGM codes: the master decodes by peeling what has come at a deadline."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import numpy as np
from numpy.typing import NDArray

from gcdesign.codes import GradientCode
from gcdesign.codes.ldgm.peeling import Peeling, peel
from gcdesign.errors import InputError
from gcdesign.training.linear import LinearScheme
from gcdesign.training.scheme import Decoded, Message

Reals = NDArray[np.float64]


class PeelingScheme(LinearScheme):
    """A scheme whose master waits until a deadline, or until every part can be peeled.

    The recovered parts' gradients g_j are added up to Σ_j c_j g_j, with c_j = K divided by their
    number, or c_j = 1/p_j for given chances p_j, which is unbiased for one fixed graph.

    Parameters
    ----------
    code
        A code with real weights, or 0/1.
    deadline
        t₀, in seconds; None waits until every part can be peeled.
    chances
        Shape (K,): the chance p_j that each part is recovered; None for the mean of what is.
    label
        A short title; by default the code's.

    Raises
    ------
    InputError
        If the weights are complex, the deadline is not above 0, or a chance is not from above 0
        to 1.

    Examples
    --------
    >>> from gcdesign.codes import GradientCode
    >>> code = GradientCode.from_matrix(np.array([[1, 0, 0], [1, 1, 0], [0, 1, 1]]))
    >>> scheme = PeelingScheme(code, deadline=1.0)
    >>> decoded = scheme.decode([(0, 0), (1, 0)])
    >>> decoded.messages, decoded.weights.tolist(), decoded.error
    (((1, 0),), [1.5], 1.5)
    """

    def __init__(
        self,
        code: GradientCode,
        *,
        deadline: float | None,
        chances: Reals | None = None,
        label: str | None = None,
    ) -> None:
        if code.is_complex:
            raise InputError("peeling takes real messages; this code has complex weights")
        if deadline is not None and not (np.isfinite(deadline) and deadline > 0):
            raise InputError(f"deadline={deadline}; expected seconds, more than 0")
        if chances is not None:
            chances = np.asarray(chances, dtype=np.float64)
            if chances.shape != (code.parts,) or not ((chances > 0) & (chances <= 1)).all():
                raise InputError(f"chances; expected {code.parts} numbers above 0, up to 1")
        super().__init__([code.encoding])
        self.code = self._code = code
        self.name = "ldgm"
        self.label = label or code.label
        self.deadline = deadline
        self.chances = chances

    def settings(self) -> list[object]:
        """Return, beside what combines what, the weights of the parts that are recovered."""
        chances = None if self.chances is None else self.chances.round(6).tolist()
        return [*super().settings(), chances]

    def _peeled(self, arrived: Iterable[Message]) -> Peeling:
        silent = np.ones(self.workers, dtype=bool)
        silent[[worker for worker, _ in arrived]] = False
        return peel(self._code.placement, np.flatnonzero(silent))

    def enough(self, arrived: Collection[Message]) -> bool:
        """Whether every part can be peeled."""
        held = self._code.placement.loads[[worker for worker, _ in arrived]]
        return int(held.sum()) >= self.parts and self._peeled(arrived).complete

    def decode(self, arrived: Iterable[Message]) -> Decoded:
        """Return the weights that peeling gives the messages, found backwards from the sum."""
        peeling = self._peeled(arrived)
        wanted = np.zeros(self.parts)
        if len(peeling.recovered):
            known = peeling.recovered
            wanted[known] = (
                self.parts / len(known) if self.chances is None else 1 / self.chances[known]
            )
        weights = peeling_weights(self._code, peeling, wanted)
        used = np.flatnonzero(weights)
        error = float(((wanted - 1) ** 2).sum())
        return Decoded(tuple((worker, 0) for worker in used.tolist()), weights[used], error)


def peeling_weights(code: GradientCode, peeling: Peeling, wanted: Reals) -> Reals:
    """Return the weights v of messages with Eᵀ v = c, for c that is 0 but at recovered parts.

    Parameters
    ----------
    code, peeling
        The code, and what was peeled of its placement.
    wanted
        Shape (K,): c, the weight of each part's gradient in the sum.

    Returns
    -------
    array
        Shape (N,).

    Notes
    -----
    Part j was given by worker i as (m_i − Σ_q E_iq g_q)/E_ij. Replaced by that, the last part
    first, each leaves weights on parts before it only.
    """
    design = code.placement.design
    entries = np.ones(design.incidences) if code.weights is None else code.weights
    left, weights = wanted.astype(np.float64, copy=True), np.zeros(code.workers)
    steps = zip(peeling.recovered[::-1].tolist(), peeling.by[::-1].tolist(), strict=True)
    for part, worker in steps:
        if not left[part]:
            continue
        row = slice(design.indptr[worker], design.indptr[worker + 1])
        parts, own = design.indices[row], entries[row]
        weight = left[part] / own[parts == part][0]
        weights[worker] += weight
        left[parts] -= weight * own
        left[part] = 0.0
    return weights
