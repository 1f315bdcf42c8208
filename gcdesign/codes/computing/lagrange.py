"""Lagrange coded computing over the reals: exact for polynomials, from a threshold on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.random import Generator

from gcdesign.codes.computing.arrays import Array, combine, combine_rows
from gcdesign.codes.computing.berrut import interpolation
from gcdesign.codes.computing.nodes import NodeChoice, Reals, make_nodes
from gcdesign.codes.computing.rational import coinciding
from gcdesign.codes.computing.results import (
    Invalid,
    Received,
    Results,
    check_inputs,
    check_workers,
    receive,
)
from gcdesign.codes.computing.thresholds import recovery_threshold
from gcdesign.codes.counts import check_count
from gcdesign.errors import InputError


@dataclass(frozen=True, eq=False)
class LagrangeCode:
    """K inputs on a polynomial of degree K + T − 1; f of it is decoded by polynomial fitting.

    Exact in exact arithmetic, and only then: in floating point what the decoder magnifies grows
    exponentially with the number of results that are missing from a code of many, and rounding
    with it. `amplification` says how much. `gcdesign.codes.computing.finite.FieldLagrangeCode` is
    exact.

    Parameters
    ----------
    parts, workers
        Numbers of inputs K and workers N.
    privacy
        Number T of random inputs that are added. Over the reals they hide, but not perfectly: no
        random number is uniform on them.
    part_nodes, worker_nodes
        The nodes of the K + T inputs and of the workers, as for `BerrutCode`.

    Raises
    ------
    InputError
        If a number is out of range or the nodes do not fit.

    Notes
    -----
    Source: Yu et al., Lagrange Coded Computing, 2019.

    Examples
    --------
    >>> code = LagrangeCode(parts=2, workers=5)
    >>> coded = code.encode(np.array([1.0, 3.0]))
    >>> squares = {worker: coded[worker] ** 2 for worker in (4, 0, 2)}
    >>> code.decode(squares, degree=2).round(9).tolist()
    [1.0, 9.0]
    """

    parts: int
    workers: int
    privacy: int = 0
    part_nodes: NodeChoice | Sequence[float] = "chebyshev-1"
    worker_nodes: NodeChoice | Sequence[float] = "chebyshev-2"

    def __post_init__(self) -> None:
        check_count("parts", self.parts)
        check_count("workers", self.workers)
        check_count("privacy", self.privacy, least=0)
        hits = np.argwhere(coinciding(self.alpha[: self.parts], self.beta))
        if self.privacy and len(hits):
            worker, part = hits[0]
            raise InputError(
                f"worker {worker} would get part {part} as it is, for their nodes coincide; with "
                "privacy, take other nodes"
            )

    @cached_property
    def alpha(self) -> Reals:
        """The nodes of the inputs, shape (K + T,), the random ones last."""
        return make_nodes(self.part_nodes, self.parts + self.privacy)

    @cached_property
    def beta(self) -> Reals:
        """The nodes of the workers, shape (N,)."""
        return make_nodes(self.worker_nodes, self.workers)

    @cached_property
    def encoding(self) -> Reals:
        """The encoding matrix, shape (N, K + T)."""
        return interpolation(self.alpha, self.beta, len(self.alpha) - 1)

    def threshold(self, degree: int) -> int:
        """Return how many results are needed for f of a degree."""
        return recovery_threshold(self.parts, degree, privacy=self.privacy)

    def encode(self, data: Array, *, rng: Generator | None = None) -> Array:
        """Return what each worker gets, shape (N, …), for inputs of shape (K, …).

        With T > 0, ``rng`` draws the random inputs: standard normal, scaled as the data are.

        Raises
        ------
        InputError
            If the inputs do not fit, or random ones are needed and there is no ``rng``.
        """
        array = check_inputs(data, self.parts)
        if not self.privacy:
            return combine(self.encoding, array)
        if rng is None:
            raise InputError(f"privacy={self.privacy} needs random inputs; give rng")
        given = np.asarray(array)
        noise = rng.normal(size=(self.privacy, *given.shape[1:])) * max(float(np.std(given)), 1.0)
        return combine(self.encoding, np.concatenate([given, noise.astype(given.dtype)]))

    def decoding(self, returned: Iterable[int], degree: int) -> Reals:
        """Return the decoding matrix for those that returned, shape (K, f).

        Of all weights that are exact for polynomials of the degree of f(u(·)), each row is the
        one of the least norm: a fit by least squares, and interpolation at the threshold.

        Raises
        ------
        InputError
            If fewer have returned than the threshold, or a worker is unknown or named twice.
        """
        workers = check_workers(returned, self.workers)
        needed = self.threshold(degree)
        if len(workers) < needed:
            raise InputError(
                f"{len(workers)} results; a polynomial of degree {degree} of {self.parts} parts "
                f"needs {needed}"
            )
        nodes = _to_interval(self.beta, self.beta[list(workers)])
        at = _to_interval(self.beta, self.alpha[: self.parts])
        values = np.polynomial.chebyshev.chebvander(nodes, needed - 1)
        wanted = np.polynomial.chebyshev.chebvander(at, needed - 1)
        weights, *_ = np.linalg.lstsq(values.T, wanted.T, rcond=None)
        return np.asarray(weights.T, dtype=np.float64)

    def amplification(self, returned: Iterable[int], degree: int) -> float:
        """Return max_j Σ |weights|: how much rounding in the results is magnified."""
        return float(np.abs(self.decoding(returned, degree)).sum(axis=1).max())

    def decode(
        self, results: Results | Received, *, degree: int, invalid: Invalid = "refuse"
    ) -> Array:
        """Return f(X_j) for a polynomial f of a degree, shape (K, …).

        Raises
        ------
        InputError
            If there are too few results, or they do not fit together.
        """
        if not isinstance(results, Received):
            results = receive(results, workers=self.workers, invalid=invalid)
        return combine_rows(self.decoding(results.workers, degree), results.values)


def _to_interval(all_nodes: Reals, nodes: Reals) -> Reals:
    """Return nodes moved so that those of all workers fill [−1, 1], where polynomials are tame."""
    low, high = float(all_nodes.min()), float(all_nodes.max())
    return nodes if low == high else (2 * nodes - low - high) / (high - low)
