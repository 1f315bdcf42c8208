"""Peeling: recover parts one by one from workers with a single unknown part.

An answering worker that misses one part only gives that part; it is subtracted wherever it
occurs, which may leave other workers with a single unknown part. Where this ends before all parts
are known, the unknown ones are a stopping set: no answering worker holds exactly one of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gcdesign.codes.code import GradientCode
from gcdesign.codes.placement import Placement
from gcdesign.errors import InputError

Ints = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Peeling:
    """What peeling recovers from the answers of some workers.

    Attributes
    ----------
    placement
        Who holds what.
    recovered
        The recovered parts, in the order in which they are recovered.
    by
        The worker that gives each of them.
    after
        Shape (rounds,): how many parts are recovered after each round; a round recovers all
        parts that answering workers miss alone, and then takes them out of all answers.
    silent
        Shape (N,): True at the workers that did not answer.
    """

    placement: Placement
    recovered: Ints
    by: Ints
    after: Ints
    silent: NDArray[np.bool_]

    @property
    def complete(self) -> bool:
        """Whether every part is recovered."""
        return len(self.recovered) == self.placement.parts

    @property
    def fraction(self) -> float:
        """Share of the parts that are recovered, 1 where there are none."""
        return len(self.recovered) / self.placement.parts if self.placement.parts else 1.0

    @property
    def missing(self) -> NDArray[np.int64]:
        """The parts that are not recovered, in increasing order."""
        known = np.zeros(self.placement.parts, dtype=bool)
        known[self.recovered] = True
        return np.flatnonzero(~known)

    @property
    def lost(self) -> NDArray[np.int64]:
        """The parts that no answering worker holds, in increasing order."""
        return self.placement.lost_parts(np.flatnonzero(self.silent))

    @property
    def stopping_set(self) -> NDArray[np.int64]:
        """The unknown parts that some answering worker holds: where peeling is stuck.

        Every answering worker holds none of them or at least two.
        """
        return np.setdiff1d(self.missing, self.lost, assume_unique=True)

    @property
    def operations(self) -> int:
        """Subtractions of one part's gradient that recovering the values takes."""
        return int((self.placement.loads[self.by] - 1).sum())


def peel(placement: Placement, silenced: Iterable[int]) -> Peeling:
    """Peel the answers of all workers but the silenced ones.

    Parameters
    ----------
    placement
        Who holds what; weights do not matter, as long as none is 0.
    silenced
        The workers that do not answer.

    Raises
    ------
    InputError
        If a worker is out of range or named twice.

    Notes
    -----
    Source: Luby, Mitzenmacher, Shokrollahi, Spielman 2001, Efficient erasure correcting codes;
    as a decoder of gradients, Horii et al. 2019. The work is proportional to the edges.

    Examples
    --------
    >>> from gcdesign.codes import load_code
    >>> line = load_code("circulant:workers=4,offsets=0+1").placement
    >>> peel(line, [3]).stopping_set.tolist()
    [0, 1, 2, 3]
    """
    from gcdesign.codes.ldgm.peeling_kernel import peel_rounds, states

    silent, design = placement.mask(silenced), placement.design
    state = states(silent, design.indptr, design.indices)
    return Peeling(placement, *peel_rounds(state, *placement.holders), silent)


def arrival_counts(placement: Placement, arrivals: Iterable[int]) -> Ints:
    """Return how many parts are recovered after each arrival, of workers that come one by one.

    Parameters
    ----------
    placement
        Who holds what.
    arrivals
        The workers that answer, in this order.

    Raises
    ------
    InputError
        If a worker is out of range or named twice.

    Examples
    --------
    >>> from gcdesign.designs import BlockDesign
    >>> path = Placement(BlockDesign.from_blocks([[0, 1], [1, 2], [2]]))
    >>> arrival_counts(path, [0, 1, 2]).tolist()
    [0, 0, 3]
    """
    order = np.fromiter(arrivals, dtype=np.int64)
    placement.mask(order)  # refuses wrong workers
    from gcdesign.codes.ldgm.peeling_kernel import count_arrivals, states

    design = placement.design
    state = states(np.ones(placement.workers, dtype=bool), design.indptr, design.indices)
    return count_arrivals(order.astype(np.int32), state, *placement.holders)


def recover(code: GradientCode, messages: NDArray[Any], peeling: Peeling) -> NDArray[np.float64]:
    """Return the gradients of the recovered parts; the others are NaN.

    Parameters
    ----------
    code
        The code, 0/1 or with real weights.
    messages
        Shape (N, …): what each worker sent; rows of silent workers are not looked at.
    peeling
        Of the code's placement.

    Returns
    -------
    array
        Shape (K, …).

    Raises
    ------
    InputError
        If there is not one row for each worker, or the weights or messages are complex.

    Notes
    -----
    Each value is a sum of answers with signs, so its rounding error grows with the length of the
    chain that leads to it; for 0/1 codes with few parts on a worker it stays small.
    """
    if code.is_complex:
        raise InputError("peeling takes real messages; this code has complex weights")
    if np.iscomplexobj(messages):
        raise InputError("peeling takes real messages; these are complex")
    sums = np.asarray(messages, dtype=np.float64)
    if sums.ndim == 0 or len(sums) != code.workers:
        raise InputError(
            f"messages of shape {sums.shape}; expected one for each of {code.workers} workers"
        )
    flat = np.ascontiguousarray(sums.reshape(code.workers, -1))
    values = np.full((code.parts, flat.shape[1]), np.nan)
    from gcdesign.codes.ldgm.peeling_kernel import substitute

    design = code.placement.design
    weights = np.empty(0) if code.weights is None else code.weights
    substitute(peeling.recovered, peeling.by, design.indptr, design.indices, weights, flat, values)
    return values.reshape(code.parts, *sums.shape[1:])
