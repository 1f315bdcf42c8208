"""How a check can end short of a proof, and the budget of time that ends it."""

from __future__ import annotations

from time import monotonic


class CertificateError(ValueError):
    """A document that is no certificate: it cannot be read, or a member has the wrong form.

    Attributes
    ----------
    place
        Where in the document, such as ``"claims[3].eta"``; empty for the document as a whole.
    """

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(f"{place}: {reason}" if place else reason)
        self.place = place
        self.reason = reason


class Refused(CertificateError):  # noqa: N818 (a verdict)
    """A claim that its witness or its proof does not show."""


class TooMuch(Exception):  # noqa: N818 (a verdict)
    """More work, or more memory, than the checker takes on."""


class Budget:
    """The time that the check of one claim may take; None for any.

    Examples
    --------
    >>> Budget(None).spend(10**9)
    >>> Budget(0).spend(1)
    Traceback (most recent call last):
    gcdesign.checker.verdicts.TooMuch: it takes longer than the limit of 0 s
    """

    INTERVAL = 20_000

    def __init__(self, seconds: float | None) -> None:
        self._seconds = seconds
        self._end = None if seconds is None else monotonic() + seconds
        self._steps = self.INTERVAL

    def spend(self, steps: int) -> None:
        """Account for about so many elementary steps.

        Raises
        ------
        TooMuch
            If the time is over; the clock is looked at every 20 000 steps.
        """
        self._steps += steps
        if self._steps >= self.INTERVAL:
            self._steps = 0
            if self._end is not None and monotonic() >= self._end:
                raise TooMuch(f"it takes longer than the limit of {self._seconds:g} s")
