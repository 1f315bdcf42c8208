"""Communication-efficient codes of Ye and Abbe: messages of 1/m of a gradient's length."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from math import gcd
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gcdesign.codes.placement import Placement
from gcdesign.codes.rows import check_workers
from gcdesign.designs import family
from gcdesign.errors import InputError, LimitError

MAX_ENTRIES = 50_000_000
"""Largest N²m, the number of coefficients held dense."""

GOLDEN = 0.3819660112501051
"""Neighbouring workers get points this share of all points apart, which keeps weights moderate."""

DEPENDENT = 1e-12
"""Singular values below this part of the greatest count as 0 in decoding."""


@dataclass(frozen=True, eq=False)
class SplitDecoding:
    """Decoding weights of a split code for one set of stragglers, and what they lose.

    Attributes
    ----------
    silenced
        The silenced workers, in increasing order.
    weights
        Shape (m, N), read-only: piece u of the sum is Σ_i weights[u, i] × (message of i).
    error
        Σ_u of the squared distance of the decoded combination from the sum of the pieces u.
    condition
        The condition number of the survivors' encoding rows.
    notice
        A warning for people if more workers are silent than the code was made for, or None.
    """

    silenced: tuple[int, ...]
    weights: NDArray[np.float64] = field(repr=False)
    error: float
    condition: float
    notice: str | None

    def __post_init__(self) -> None:
        self.weights.flags.writeable = False


@dataclass(frozen=True, eq=False)
class SplitCode:
    """A code whose workers send one combination of *pieces* of their parts' gradients.

    A gradient is cut into m pieces of equal length, padded with zeros if need be. Worker i sends
    Σ_j Σ_u coefficients[i, j, u] · (piece u of gradient j), of length ⌈length/m⌉.

    Attributes
    ----------
    placement
        Who holds what: worker i the parts i, …, i + d − 1 (mod N).
    coefficients
        Shape (N, N, m), read-only: 0 for parts that a worker does not hold.
    tolerates
        The number S of stragglers that it was made for.
    """

    placement: Placement
    coefficients: NDArray[np.float64] = field(repr=False)
    tolerates: int

    def __post_init__(self) -> None:
        self.coefficients.flags.writeable = False

    @property
    def pieces(self) -> int:
        """Number m of pieces of a gradient."""
        return int(self.coefficients.shape[2])

    @property
    def label(self) -> str:
        """Short title."""
        workers = self.placement.workers
        return f"Ye–Abbe (N={workers}, S={self.tolerates}, m={self.pieces})"

    def encode(self, gradients: NDArray[Any]) -> NDArray[np.float64]:
        """Return what each worker sends, shape (N, ⌈length/m⌉), for gradients (K, length).

        Raises
        ------
        InputError
            If the gradients are not one row for each part.
        """
        given = np.asarray(gradients, dtype=np.float64)
        if given.ndim != 2 or len(given) != self.placement.parts:
            raise InputError(
                f"gradients of shape {given.shape}; expected a row for each of "
                f"{self.placement.parts} parts"
            )
        length = -(-given.shape[1] // self.pieces)
        padded = np.zeros((len(given), self.pieces * length))
        padded[:, : given.shape[1]] = given
        cut = padded.reshape(len(given) * self.pieces, length)
        return self.rows @ cut

    @cached_property
    def rows(self) -> NDArray[np.float64]:
        """Shape (N, K·m): the coefficients of each worker in one row, piece after piece."""
        return self.coefficients.reshape(self.placement.workers, -1)

    def decode(self, silenced: Iterable[int]) -> SplitDecoding:
        """Return the best decoding weights when some workers are silent.

        Raises
        ------
        InputError
            If a worker is out of range or named twice.
        """
        mask = self.placement.mask(silenced)
        alive = np.flatnonzero(~mask)
        rows = self.rows[alive]
        scale = np.abs(rows).max(axis=1, keepdims=True)
        target = np.tile(np.eye(self.pieces), (self.placement.parts, 1))
        found, _, _, singular = np.linalg.lstsq((rows / scale).T, target, rcond=DEPENDENT)
        weights = np.zeros((self.pieces, self.placement.workers))
        weights[:, alive] = (found / scale).T
        error = float(((rows.T @ weights[:, alive].T - target) ** 2).sum())
        condition = float(singular[0] / max(singular[-1], 1e-300)) if len(alive) else float("inf")
        return SplitDecoding(
            tuple(np.flatnonzero(mask).tolist()), weights, error, condition, self._notice(mask)
        )

    def _notice(self, mask: NDArray[np.bool_]) -> str | None:
        silent = int(mask.sum())
        if silent <= self.tolerates:
            return None
        return (
            f"{silent} workers are silent and {self.label} was made for {self.tolerates} at most: "
            "nothing is promised"
        )

    def gradient(
        self, messages: NDArray[np.float64], *, silenced: Iterable[int], length: int
    ) -> NDArray[np.float64]:
        """Return the decoded sum of all gradients.

        Parameters
        ----------
        messages
            Shape (N, ⌈length/m⌉): what each worker sent; silent rows are not looked at.
        silenced
            The silent workers.
        length
            The length of a gradient, to cut off what was padded.
        """
        weights = self.decode(silenced).weights
        used = np.flatnonzero(weights.any(axis=0))
        total: NDArray[np.float64] = (weights[:, used] @ messages[used]).reshape(-1)[:length]
        return total


def ye_abbe(workers: int, stragglers: int, *, pieces: int = 1) -> SplitCode:
    """Return the Ye–Abbe code of load d = S + m whose messages have 1/m of the full length.

    Part j has the polynomial p_j(x) = Π (x − θ_l) over the N − d workers l that do not hold it,
    and p_j^(u) = x·p_j^(u−1) + c·p_j, with c such that the coefficients of x^(N−d), …,
    x^(N−d+m−1) in p_j^(u) are those of a unit vector. Worker i sends the values at θ_i, so that
    what all send are values of one polynomial of degree below N − S whose m leading coefficients
    are the pieces of the sum.

    Parameters
    ----------
    workers
        Number of workers N = number of parts K.
    stragglers
        Number of stragglers S that are tolerated.
    pieces
        Number m of pieces of a gradient; S + m ≤ N, since no code has a smaller load.

    Raises
    ------
    InputError
        If N, S or m is out of range.
    LimitError
        If N²m is above `MAX_ENTRIES`.

    Notes
    -----
    Source: Ye and Abbe, Communication-Computation Efficient Gradient Coding, 2018. The points
    are ours: Chebyshev points of [−2, 2], where leading coefficients are of moderate size,
    spread by the golden ratio.

    Examples
    --------
    >>> code = ye_abbe(7, 2, pieces=2)
    >>> code.placement.load, code.encode(np.ones((7, 10))).shape
    (4, (7, 5))
    >>> code.decode([1, 4]).error < 1e-20
    True
    """
    if pieces < 1:
        raise InputError(f"pieces={pieces}; expected 1 or more")
    load = stragglers + pieces
    check_workers(workers, stragglers, name="ye-abbe", load=max(load, 1))
    if load > workers:
        raise InputError(
            f"stragglers+pieces={load} is the load, and there are workers={workers} parts only; "
            f"the nearest: pieces={workers - stragglers} or stragglers={max(workers - pieces, 0)}"
        )
    if workers**2 * pieces > MAX_ENTRIES:
        raise LimitError(
            f"workers={workers} with pieces={pieces} has {workers**2 * pieces} coefficients; the "
            f"limit is {MAX_ENTRIES}"
        )
    coefficients = _coefficients(spread_points(workers), load, pieces)
    design = family("circulant").build({"workers": workers, "load": load})
    return SplitCode(Placement(design), coefficients, stragglers)


def spread_points(workers: int) -> NDArray[np.float64]:
    """Return the N Chebyshev points of [−2, 2], neighbouring workers far apart."""
    step = max(1, round(GOLDEN * workers))
    while gcd(step, workers) > 1:
        step += 1
    order = np.arange(workers) * step % workers
    points: NDArray[np.float64] = 2 * np.cos((2 * order + 1) * np.pi / (2 * workers))
    return points


def _coefficients(points: NDArray[np.float64], load: int, pieces: int) -> NDArray[np.float64]:
    """Return p_j^(u)(θ_i) for the workers i that hold part j, shape (N, N, m).

    p_j^(u) = q_u p_j with q_1 = 1 and q_(u+1) = x q_u + h_u, where h_u is the complete
    homogeneous symmetric polynomial of degree u of the roots of p_j: the coefficient that makes
    the next leading coefficient of p_j^(u+1) vanish.
    """
    workers = len(points)
    parts = np.arange(workers)[:, None]
    holders = (parts - np.arange(load)) % workers
    at = points[holders]
    values = np.ones((workers, load))
    symmetric = np.zeros((workers, pieces))
    symmetric[:, 0] = 1
    for step in range(1, workers - load + 1):
        root = points[(parts + step) % workers]
        values *= at - root
        for degree in range(1, pieces):
            symmetric[:, degree] += root[:, 0] * symmetric[:, degree - 1]
    coefficients = np.zeros((workers, workers, pieces))
    factor = np.ones((workers, load))
    for piece in range(pieces):
        factor = at * factor + symmetric[:, [piece]] if piece else factor
        coefficients[holders, parts, piece] = factor * values
    return coefficients
