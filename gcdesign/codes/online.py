"""Algorithm 1 on line: one row of the decoding matrix for each set of stragglers that occurs."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gcdesign.codes.code import GradientCode
from gcdesign.codes.decoding import Decoding, decode
from gcdesign.errors import InputError, LimitError

MAX_TABLE_ENTRIES = 10_000_000
"""Largest C(N, S) × N of a full decoding table."""


class OnlineDecoder:
    """A decoder that solves for a set of stragglers when it occurs, and remembers the answer.

    Tandon's Algorithm 1 writes down one row for each of the C(N, S) sets. Few of them ever
    occur, so this finds a row on demand and keeps those last used.

    Parameters
    ----------
    code
        The gradient code.
    keep
        Number of rows that are kept, 0 or more.

    Attributes
    ----------
    solved, recalled
        How many rows were computed, and how many were found among those kept.

    Raises
    ------
    InputError
        If ``keep`` is negative.

    Notes
    -----
    Source: Tandon, Lei, Dimakis, Karampatziakis 2017, Algorithm 1.

    Examples
    --------
    >>> from gcdesign.codes import load_code
    >>> code = load_code("cyclic-mds:workers=5,stragglers=2")
    >>> decoder = OnlineDecoder(code)
    >>> messages = code.encode(np.arange(5.0))
    >>> float(decoder.gradient(messages, silenced=[0, 3]).round(9))
    10.0
    >>> decoder.row([3, 0]).error < 1e-20, decoder.solved, decoder.recalled
    (True, 1, 1)
    """

    def __init__(self, code: GradientCode, *, keep: int = 1024) -> None:
        if keep < 0:
            raise InputError(f"keep={keep}; expected the number of rows to keep, 0 or more")
        self.code = code
        self.keep = keep
        self.solved = 0
        self.recalled = 0
        self._rows: OrderedDict[tuple[int, ...], Decoding] = OrderedDict()

    def row(self, silenced: Iterable[int]) -> Decoding:
        """Return the decoding for one set of stragglers, in any order.

        Raises
        ------
        InputError
            If a worker is out of range or named twice.
        """
        key = tuple(np.flatnonzero(self.code.placement.mask(silenced)).tolist())
        found = self._rows.get(key)
        if found is not None:
            self._rows.move_to_end(key)
            self.recalled += 1
            return found
        found = decode(self.code, key, exact=False)
        self.solved += 1
        self._rows[key] = found
        if len(self._rows) > self.keep:
            self._rows.popitem(last=False)
        return found

    def gradient(self, messages: NDArray[Any], *, silenced: Iterable[int]) -> NDArray[Any]:
        """Return the decoded sum of all parts' gradients, Σ_i v_i × (what worker i sent).

        Parameters
        ----------
        messages
            Shape (N, …): what each worker sent; the rows of silent workers are not looked at.
        silenced
            The silent workers.

        Raises
        ------
        InputError
            If there is not one message for each worker.
        """
        if len(messages) != self.code.workers:
            raise InputError(
                f"{len(messages)} messages; expected {self.code.workers}, with rows "
                "of any content for silent workers"
            )
        weights = self.row(silenced).weights
        used = np.flatnonzero(weights)
        total: NDArray[Any] = np.tensordot(weights[used], np.asarray(messages)[used], axes=1)
        return total.real


@dataclass(frozen=True, eq=False)
class DecodingTable:
    """The whole matrix A of Algorithm 1: one row for each set of S stragglers.

    Attributes
    ----------
    silenced
        The sets, in lexicographic order.
    matrix
        Shape (C(N, S), N): A, with zeros at the silenced workers, so that A·B is all ones.
    error
        The largest squared error of a row.
    """

    silenced: tuple[tuple[int, ...], ...] = field(repr=False)
    matrix: NDArray[Any] = field(repr=False)
    error: float


def decoding_table(code: GradientCode, stragglers: int) -> DecodingTable:
    """Return all C(N, S) rows of Algorithm 1, for small N; see `OnlineDecoder` for others.

    Raises
    ------
    InputError
        If S is not between 0 and N.
    LimitError
        If the matrix would hold more than `MAX_TABLE_ENTRIES` entries.

    Notes
    -----
    Source: Tandon, Lei, Dimakis, Karampatziakis 2017, Algorithm 1.

    Examples
    --------
    >>> from gcdesign.codes import load_code
    >>> table = decoding_table(load_code("cyclic:workers=5,stragglers=2"), 2)
    >>> table.matrix.shape, table.error < 1e-18
    ((10, 5), True)
    """
    if not 0 <= stragglers <= code.workers:
        raise InputError(f"stragglers={stragglers}; expected 0 to {code.workers}")
    rows = comb(code.workers, stragglers)
    if rows * code.workers > MAX_TABLE_ENTRIES:
        raise LimitError(
            f"a table of {rows} sets of {stragglers} stragglers; the limit is "
            f"{MAX_TABLE_ENTRIES // code.workers}: an OnlineDecoder solves those that occur"
        )
    sets = tuple(combinations(range(code.workers), stragglers))
    found = [decode(code, silenced, exact=False) for silenced in sets]
    matrix = np.array([decoding.weights for decoding in found])
    return DecodingTable(sets, matrix, max(decoding.error for decoding in found))
