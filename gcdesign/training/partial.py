"""Partial stragglers: workers that are slow, not silent, send two messages each."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gcdesign.codes import PartialScheme, partial_scheme
from gcdesign.training.linear import CodeScheme, LinearScheme
from gcdesign.training.registry import Request
from gcdesign.training.scheme import Collector, Decoded, Message


class PartiallyCoded(LinearScheme):
    """The two-message scheme of Tandon et al.: private parts first, then coded ones.

    The master needs the first message of every worker, and of the second ones as many as the
    code of the coded parts needs.

    Parameters
    ----------
    scheme
        The placement and the code.
    name
        The scheme's name.

    Notes
    -----
    Source: Tandon, Lei, Dimakis, Karampatziakis 2017, section 4.
    """

    def __init__(self, scheme: PartialScheme, *, name: str) -> None:
        from scipy.sparse import csr_array, hstack

        n, private = scheme.workers, scheme.private
        mine = csr_array(np.kron(np.eye(n), np.ones((1, private))))
        coded = scheme.code.encoding
        super().__init__(
            (
                csr_array(hstack([mine, csr_array((n, n))])),
                csr_array(hstack([csr_array((n, n * private)), coded])),
            )
        )
        self.name = name
        self.scheme = scheme
        self.code = scheme.code
        self.inner = CodeScheme(scheme.code, scheme.stragglers)
        self.label = f"partial {self.inner.label}, α={float(scheme.alpha):g}"

    def settings(self) -> list[object]:
        """Return, beside what combines what, those of the code of the second messages."""
        return [*super().settings(), *self.inner.settings()]

    def collector(self) -> Collector:
        """Return the collector of a new step."""
        return _BothMessages(self)

    def enough(self, arrived: Collection[Message]) -> bool:
        """Whether all first messages are there, and enough of the second ones."""
        collector = self.collector()
        return any(collector.add(message) for message in arrived)

    def waits(self, arrivals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return when the last first message and enough second ones had come."""
        first: NDArray[np.float64] = arrivals[..., 0].max(axis=1)
        return np.maximum(first, self.inner.waits(arrivals[..., 1:]))

    def decode(self, arrived: Iterable[Message]) -> Decoded:
        """Return the sum of the first messages, and the decoding of the second ones.

        A first message that is missing loses its private parts, each of which counts 1 in the
        error.
        """
        known = list(arrived)
        first = [message for message in known if message[1] == 0]
        second = self.inner.decode([(worker, 0) for worker, number in known if number == 1])
        lost = (self.workers - len(first)) * self.scheme.private
        return Decoded(
            (*first, *((worker, 1) for worker, _ in second.messages)),
            np.concatenate([np.ones(len(first)), second.weights]),
            second.error + lost,
        )


class _BothMessages(Collector):
    def __init__(self, scheme: PartiallyCoded) -> None:
        super().__init__()
        self._missing = scheme.workers
        self._second = scheme.inner.collector()

    def _enough(self, message: Message) -> bool:
        worker, number = message
        if number == 0:
            self._missing -= 1
        else:
            self._second.add((worker, 0))
        return self._missing == 0 and self._second.ready


OPTIONS = {"alpha": "how many times slower a straggler may be, above 1 (default 2)"}


def make_partial(request: Request, coding: Literal["cyclic", "repetition"]) -> PartiallyCoded:
    """Return the scheme for a request."""
    from fractions import Fraction

    from gcdesign.errors import InputError

    text = request.options.get("alpha", "2")
    try:
        alpha = Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise InputError(f"alpha={text}; expected a number such as 1.5 or 3/2") from None
    made = partial_scheme(
        request.workers, request.stragglers, alpha, coding=coding, seed=request.seed
    )
    return PartiallyCoded(made, name=f"partial-{coding}")
