"""Schemes whose messages are combinations of the parts' gradients, and those made from codes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Iterable
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gcdesign.codes import DecoderName, GradientCode, decode
from gcdesign.errors import InputError
from gcdesign.training.rules import Rule, rule_for
from gcdesign.training.scheme import Collector, Decoded, Message, Scheme

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from gcdesign.training.problems.problem import GradientSource, Problem

KEPT = 100_000
"""Number of decoding weights that are remembered, of all sets together."""


class LinearWorker:
    """A worker that sends Σ_j E_ij g_j, for each message with a row of its own."""

    def __init__(
        self, source: GradientSource, rows: list[tuple[NDArray[np.int64], NDArray[Any]]]
    ) -> None:
        self._source = source
        self._rows = rows

    def answer(self, step: int, point: NDArray[np.float64], number: int) -> NDArray[Any]:
        """Return message ``number``: the combination of the parts' gradients at a point."""
        parts, weights = self._rows[number]
        return self._source.combination(step, point, parts, weights)


class LinearScheme(Scheme):
    """A scheme given by its encoding matrices, one for each message of a worker.

    Parameters
    ----------
    encodings
        N × K matrices, worker by part: what each worker combines in its first message, its
        second, ….
    """

    def __init__(self, encodings: Iterable[csr_array]) -> None:
        self.encodings = tuple(encodings)
        self.messages = len(self.encodings)
        self.workers, self.parts = self.encodings[0].shape
        counts = np.array([np.diff(encoding.indptr) for encoding in self.encodings]).T
        self.shares = counts.cumsum(axis=1) / self.parts
        self.is_complex = any(np.iscomplexobj(encoding.data) for encoding in self.encodings)

    def settings(self) -> list[object]:
        """Return, beside the deadline, a hash of which worker combines which parts."""
        found = blake2b(digest_size=8)
        for encoding in self.encodings:
            for array in (encoding.indptr, encoding.indices):
                found.update(array.astype("<i8").tobytes())
        return [*super().settings(), found.hexdigest()]

    def worker(
        self, problem: Problem, number: int, *, source: GradientSource | None = None
    ) -> LinearWorker:
        """Return one worker with its parts and their weights in each message."""
        if not 0 <= number < self.workers:
            raise InputError(f"worker {number}; expected 0 to {self.workers - 1}")
        rows = []
        for encoding in self.encodings:
            own = slice(encoding.indptr[number], encoding.indptr[number + 1])
            rows.append((encoding.indices[own].astype(np.int64), encoding.data[own]))
        return LinearWorker(source or problem, rows)


class CodeScheme(LinearScheme):
    """The scheme of a gradient code: one message each, decoded from what has arrived.

    The master waits until nothing is lost, or until ``needed`` workers have answered.

    Parameters
    ----------
    code
        The gradient code.
    stragglers
        Number S of workers that are not waited for.
    decoder
        As in `gcdesign.codes.decode`.
    name
        The scheme's name.

    Raises
    ------
    InputError
        If S is negative or leaves no worker, or is more than the code was made for.

    Examples
    --------
    >>> from gcdesign.codes import load_code
    >>> scheme = CodeScheme(load_code("cyclic-mds:workers=5,stragglers=2"), 2)
    >>> collector = scheme.collector()
    >>> [collector.add((worker, 0)) for worker in (4, 0, 2)]
    [False, False, True]
    >>> scheme.decode(collector.arrived).error < 1e-20
    True
    """

    def __init__(
        self,
        code: GradientCode,
        stragglers: int,
        *,
        decoder: DecoderName = "optimal",
        name: str | None = None,
    ) -> None:
        if not 0 <= stragglers < code.workers:
            raise InputError(
                f"stragglers={stragglers} with {code.workers} workers; expected 0 to "
                f"{code.workers - 1}"
            )
        if code.tolerates is not None and stragglers > code.tolerates:
            raise InputError(
                f"stragglers={stragglers}, and {code.label} was made for {code.tolerates}; take "
                "fewer, or a code for more"
            )
        super().__init__([code.encoding])
        self.code = self._code = code
        self.needed = code.workers - stragglers
        self.decoder: DecoderName = decoder
        self.label = code.label
        self.name = name or code.family or "code"
        self._decoded: OrderedDict[bytes, Decoded] = OrderedDict()
        error_of = self._error if decoder == "optimal" else None
        self.rule: Rule = rule_for(code, self.needed, error_of)

    def settings(self) -> list[object]:
        """Return, beside what combines what, how many workers are waited for and the decoder."""
        return [*super().settings(), self.needed, self.decoder]

    def collector(self) -> Collector:
        """Return the collector of a new step."""
        return self.rule.collector()

    def enough(self, arrived: Collection[Message]) -> bool:
        """Whether ``needed`` workers have answered, or nothing is lost."""
        collector = self.collector()
        return any(collector.add(message) for message in arrived)

    def waits(self, arrivals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return how long the master waits in each step, by the code's rule."""
        return self.rule.waits(arrivals[..., 0])

    def _error(self, arrived: list[Message]) -> float:
        return self.decode(arrived).error

    def decode(self, arrived: Iterable[Message]) -> Decoded:
        """Return the decoder's weights; those of sets that occurred before are remembered."""
        mask = np.ones(self.workers, dtype=bool)
        mask[[worker for worker, _ in arrived]] = False
        key = np.packbits(mask).tobytes()
        found = self._decoded.get(key)
        if found is None:
            found = self._decoded[key] = self._solve(mask)
            if len(self._decoded) > max(1, KEPT // self.workers):
                self._decoded.popitem(last=False)
        return found

    def _solve(self, mask: NDArray[np.bool_]) -> Decoded:
        decoding = decode(self._code, np.flatnonzero(mask), decoder=self.decoder, exact=False)
        used = np.flatnonzero(decoding.weights)
        return Decoded(
            tuple((worker, 0) for worker in used.tolist()), decoding.weights[used], decoding.error
        )
