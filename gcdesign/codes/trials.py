"""Errors of many random orders at once: workers fall silent one by one until nobody is left.

An order of the N workers gives the error for every number S of stragglers, with its first S
workers silent. Closed forms follow the order by counting; a graph code by union–find; any other
code by two Cholesky factors of half the size, one from each end of the order.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gcdesign.codes.code import GradientCode
from gcdesign.codes.decoding import DecoderName
from gcdesign.codes.onestep import one_step_weight
from gcdesign.codes.structure import ConstantIntersection, ParallelClasses, ReplicaGroups
from gcdesign.errors import LimitError

Orders = NDArray[np.int64]
Errors = NDArray[np.float64]

RIDGE = 1e-9
"""Added to the Gram matrix of workers scaled to length 1, so that dependent ones do no harm. It
adds at most RIDGE ‖v‖² to an error, v the best weights of the scaled workers."""

HUGE = 1e300
"""A corner entry that no factor of a matrix of moderate entries uses up."""

MAX_WORKERS = 5000
"""Largest N of a code without structure: its Gram matrix and the inverse of it are held."""


class OrderErrors:
    """The errors along orders of one code, under optimal or one-step decoding.

    Parameters
    ----------
    code
        The gradient code.
    decoder
        ``"optimal"``, or ``"one-step"`` for a 0/1 code.

    Examples
    --------
    >>> from gcdesign.codes import load_code
    >>> along = OrderErrors(load_code("frc:workers=4,stragglers=1"), "optimal")
    >>> along.errors(np.array([[0, 2, 1, 3]])).tolist()
    [[0.0, 0.0, 0.0, 2.0, 4.0]]
    """

    def __init__(self, code: GradientCode, decoder: DecoderName) -> None:
        self._code, self._decoder = code, decoder
        self._least_squares: _HalfFactors | None = None

    def errors(self, orders: Orders) -> Errors:
        """Return the errors, shape (trials, N + 1), of orders of shape (trials, N)."""
        if self._decoder == "one-step":
            return self._one_step(orders)
        structure, graph = self._code.structure, self._code.graph
        if isinstance(structure, ConstantIntersection):
            values = [float(structure.error_of(s)) for s in range(self._code.workers + 1)]
            return np.tile(values, (len(orders), 1))
        if isinstance(structure, ReplicaGroups):
            return _by_groups(structure, orders)
        if isinstance(structure, ParallelClasses):
            return _by_classes(structure, orders)
        if graph is not None:
            from gcdesign.codes.trial_kernels import component_errors

            arrivals = np.ascontiguousarray(orders[:, ::-1])
            found = component_errors(arrivals, graph.first, graph.second, graph.parts)
            return np.maximum(found[:, ::-1], 0.0)
        if self._least_squares is None:
            self._least_squares = _HalfFactors(self._code)
        return self._least_squares.errors(orders)

    @property
    def rounds(self) -> bool:
        """Whether the errors come from factors with a ridge, and need a check."""
        return self._least_squares is not None

    def _one_step(self, orders: Orders) -> Errors:
        from gcdesign.codes.trial_kernels import copy_sums

        design, workers = self._code.placement.design, self._code.workers
        arrivals = np.ascontiguousarray(orders[:, ::-1])
        sums = copy_sums(arrivals, design.indptr, design.indices.astype(np.int64), design.v)
        rho = np.array(
            [float(one_step_weight(self._code, workers - f)) for f in range(workers + 1)]
        )
        found = rho**2 * sums[..., 1] - 2 * rho * sums[..., 0] + design.v
        return np.maximum(found[:, ::-1], 0.0)


def _by_groups(structure: ReplicaGroups, orders: Orders) -> Errors:
    """Lose each group when the last of its workers falls silent."""
    trials, workers = orders.shape
    place = np.argsort(orders, axis=1)
    lost = np.zeros((trials, workers + 1))
    lost[:, 0] = structure.unheld
    members = np.argsort(structure.group_of, kind="stable")
    last = np.maximum.reduceat(
        place[:, members], np.concatenate([[0], np.cumsum(structure.sizes)[:-1]]), axis=1
    )
    rows = np.repeat(np.arange(trials), len(structure.sizes))
    np.add.at(lost, (rows, last.ravel() + 1), np.tile(structure.loads, trials))
    return np.cumsum(lost, axis=1)


def _by_classes(structure: ParallelClasses, orders: Orders) -> Errors:
    """Follow the number of silenced workers of each class: K/(1 − r + n Σ 1/s_i)."""
    trials, workers = orders.shape
    counts = np.zeros((trials, structure.classes))
    errors = np.zeros((trials, workers + 1))
    reciprocals, touched = np.zeros(trials), np.zeros(trials, dtype=np.int64)
    every = np.arange(trials)
    for silenced in range(workers):
        at = structure.class_of[orders[:, silenced]]
        before = counts[every, at]
        reciprocals += 1 / (before + 1) - np.where(before > 0, 1 / np.maximum(before, 1), 0)
        touched += before == 0
        counts[every, at] += 1
        below = 1 - structure.classes + structure.class_size * reciprocals
        with np.errstate(divide="ignore"):
            errors[:, silenced + 1] = np.where(
                touched == structure.classes, structure.parts / below, 0.0
            )
    return errors


class _HalfFactors:
    """Errors of a code without structure, from Cholesky factors of half its Gram matrix.

    With f survivors ordered by arrival, G_F = LLᵀ and y = L⁻¹s, the errors are K − Σ y² over
    the first f entries. With S silenced, the best weights w of all and A = G⁻¹, A_S = LLᵀ and
    y = L⁻¹w_S, the error grows by Σ y² over the first S entries: silencing forces w_S to 0.
    Each end of the order takes one factor of at most N/2 workers.
    """

    def __init__(self, code: GradientCode) -> None:
        if code.workers > MAX_WORKERS:
            raise LimitError(
                f"{code.workers} workers; trials of a code without structure take {MAX_WORKERS}"
            )
        encoding: Any = real_rows(code)
        norms = np.sqrt((encoding * encoding).sum(axis=1))
        scale = 1 / np.where(norms > 0, norms, 1.0)
        gram = (encoding @ encoding.T).toarray() * scale[:, None] * scale
        gram[np.diag_indices_from(gram)] = 1 + RIDGE
        sums = encoding.sum(axis=1) * scale
        self._parts = code.parts
        self._late = _bordered(gram, sums)
        inverse = np.linalg.inv(gram)
        inverse = (inverse + inverse.T) / 2
        best = inverse @ sums
        self._early = _bordered(inverse, best)
        self._messages = encoding.shape[0] // max(1, code.workers)
        self._least = max(0.0, self._parts - float(sums @ best))

    def errors(self, orders: Orders) -> Errors:
        trials, workers = orders.shape
        half = workers // 2
        found = np.empty((trials, workers + 1))
        for trial, order in enumerate(orders):
            added = self._running(self._early, order[:half])
            found[trial, : half + 1] = self._least + added
            captured = self._running(self._late, order[:half:-1]) if workers else added
            found[trial, half + 1 :] = self._parts - captured[::-1]
        return np.clip(found, 0.0, self._parts)

    def _running(self, bordered: Errors, chosen: NDArray[np.int64]) -> Errors:
        """Return Σ y² over the messages of the first 0, 1, … workers."""
        workers = (len(bordered) - 1) // self._messages
        rows = chosen[:, None] + workers * np.arange(self._messages)
        return _running_squares(bordered, rows.ravel())[:: self._messages]


def real_rows(code: GradientCode) -> Any:
    """Return the rows of E, sparse; of complex weights the real parts, then minus the imaginary.

    A worker of a code with complex weights sends two real messages.
    """
    if not code.is_complex:
        return code.encoding
    from scipy.sparse import vstack

    return vstack([code.encoding.real, -code.encoding.imag], format="csr")


def _bordered(matrix: Errors, vector: Errors) -> Errors:
    """Return the matrix with the vector as a last row and column."""
    size = len(vector)
    both = np.zeros((size + 1, size + 1))
    both[:size, :size] = matrix
    both[size, :size] = both[:size, size] = vector
    return both


def _running_squares(bordered: Errors, chosen: NDArray[np.int64]) -> Errors:
    """Return Σ y² over the first 0, 1, … entries of y = L⁻¹x, where LLᵀ and x are those chosen."""
    from scipy.linalg.lapack import dpotrf

    from gcdesign.codes.trial_kernels import gather_lower

    rows = np.append(chosen, len(bordered) - 1)
    part = np.empty((len(rows), len(rows)))
    gather_lower(bordered, rows, part)
    part[-1, -1] = HUGE  # the corner plays no part, but must not fail
    factor, failed = dpotrf(part.T, lower=0, overwrite_a=1, clean=0)
    if failed:
        raise LimitError("the workers are too nearly dependent for trials in floating point")
    return np.concatenate([[0.0], np.cumsum(factor[:-1, -1] ** 2)])
