"""Berrut approximated coded computing: any function of K inputs, from any of N workers' results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gcdesign.codes.computing.arrays import Array, combine, combine_rows
from gcdesign.codes.computing.nodes import NodeChoice, Reals, make_nodes
from gcdesign.codes.computing.rational import barycentric_weights, basis, coinciding
from gcdesign.codes.computing.results import (
    Invalid,
    Received,
    Results,
    check_inputs,
    check_workers,
    receive,
)
from gcdesign.codes.counts import check_count


@dataclass(frozen=True, eq=False)
class BerrutCode:
    """K inputs, encoded for N workers along a rational curve, and decoded along another.

    The curve u runs through X_j at the node α_j. Worker i gets u(β_i) and returns f(u(β_i)).
    Whoever returns, the rational interpolant of what they return approximates f(u(·)), and its
    value at α_j approximates f(X_j). There is no threshold: more results, a smaller error.

    Parameters
    ----------
    parts
        Number of inputs K.
    workers
        Number of workers N, numbered from 0.
    degree
        The degree d of Floater and Hormann's interpolants; 0 is Berrut's, as in the paper.
    part_nodes, worker_nodes
        The nodes α and β: a name of `gcdesign.codes.computing.nodes`, or the numbers.

    Raises
    ------
    InputError
        If K or N is below 1, d is below 0, or the nodes do not fit.
    LimitError
        If there are too many of either.

    Notes
    -----
    Source: Jahani-Nezhad, Maddah-Ali, Berrut Approximated Coded Computing, 2020, where N + 1
    workers are numbered 0 to N. The signs of the decoder are numbered over the workers that
    returned, in the order of their nodes; with the signs of all workers many subsets have a pole
    among the nodes.

    Only constant f are decoded exactly, whatever returns. The identity is not: h = f(u(·)) is
    then the rational u, which the decoder's rational function meets at the workers' nodes alone.

    Examples
    --------
    >>> code = BerrutCode(parts=2, workers=5)
    >>> coded = code.encode(np.array([[0.0, 1.0], [2.0, 3.0]]))
    >>> code.decode({worker: np.cos(coded[worker]) for worker in (0, 4, 1)}).round(2).tolist()
    [[1.0, 0.54], [-0.67, -0.96]]
    """

    parts: int
    workers: int
    degree: int = 0
    part_nodes: NodeChoice | Sequence[float] = "chebyshev-1"
    worker_nodes: NodeChoice | Sequence[float] = "chebyshev-2"

    def __post_init__(self) -> None:
        check_count("parts", self.parts)
        check_count("workers", self.workers)
        check_count("degree", self.degree, least=0)
        _ = self.alpha, self.beta

    @cached_property
    def alpha(self) -> Reals:
        """The nodes α of the parts, shape (K,)."""
        return make_nodes(self.part_nodes, self.parts)

    @cached_property
    def beta(self) -> Reals:
        """The nodes β of the workers, shape (N,)."""
        return make_nodes(self.worker_nodes, self.workers)

    @cached_property
    def encoding(self) -> Reals:
        """The encoding matrix, shape (N, K): entry (i, j) is ℓ_j(β_i); rows sum to 1."""
        return interpolation(self.alpha, self.beta, self.degree)

    def decoding(self, returned: Iterable[int]) -> Reals:
        """Return the decoding matrix for those that returned, shape (K, f); rows sum to 1.

        Its columns are the workers in increasing order, whatever the order they are named in.

        Raises
        ------
        InputError
            If none is named, or one is unknown or named twice.
        """
        workers = check_workers(returned, self.workers)
        return interpolation(self.beta[list(workers)], self.alpha, self.degree)

    def encode(self, data: Array) -> Array:
        """Return what each worker gets.

        Parameters
        ----------
        data
            Shape (K, …): the inputs, floating-point numbers of any kind, real or complex, in an
            array of NumPy or of a library that follows the array-API standard.

        Returns
        -------
        array
            Shape (N, …), of the same type.

        Raises
        ------
        InputError
            If there are not K inputs, or one is NaN or infinite.
        """
        return combine(self.encoding, check_inputs(data, self.parts))

    def receive(self, results: Results, *, invalid: Invalid = "refuse") -> Received:
        """Check results and sort them; see `gcdesign.codes.computing.results.receive`."""
        return receive(results, workers=self.workers, invalid=invalid)

    def decode(self, results: Results | Received, *, invalid: Invalid = "refuse") -> Array:
        """Return approximations of all f(X_j) from what came back, in whatever order.

        Parameters
        ----------
        results
            A mapping from workers to results of one shape, or pairs of the two.
        invalid
            What to do with NaN and infinity: ``"refuse"`` or ``"leave-out"``.

        Returns
        -------
        array
            Shape (K, …).

        Raises
        ------
        InputError
            As `receive`.
        """
        found = results if isinstance(results, Received) else self.receive(results, invalid=invalid)
        return combine_rows(self.decoding(found.workers), found.values)


def interpolation(nodes: Reals, at: Reals, degree: int) -> Reals:
    """Return the matrix from values at nodes to those of their interpolant, shape (m, n).

    The nodes may be in any order: the weights are those of the nodes in decreasing order.

    Examples
    --------
    >>> interpolation(np.array([-1.0, 1.0]), np.array([0.5]), 0).tolist()
    [[0.25, 0.75]]
    """
    order = np.argsort(-nodes, kind="stable")
    ordered = nodes[order]
    matrix = np.empty((len(at), len(nodes)))
    matrix[:, order] = basis(ordered, barycentric_weights(ordered, degree), at)
    return matrix


def coincidences(code: BerrutCode) -> tuple[tuple[int, int], ...]:
    """Return the pairs (part, worker) that share a node: that worker's input is the part itself.

    Its result is then the part's, exactly, whoever else returns.

    Examples
    --------
    >>> coincidences(BerrutCode(parts=2, workers=5))
    ((0, 1), (1, 3))
    """
    hits = np.argwhere(coinciding(code.beta, code.alpha))
    return tuple((int(part), int(worker)) for part, worker in hits)
