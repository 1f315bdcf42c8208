"""For which times coding wins: the best LDGM code found beside uncoded and the bound on all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from gcdesign.codes.ldgm.optimise import Optimum, optimise
from gcdesign.codes.times import LoadTime, parse_time

EXAMPLES = (
    "exp:rate=1",
    "shifted-exp:shift=0.2,rate=2",
    "exp:rate=2,work=0.1,scaled=no",
    "pareto:scale=0.2,shape=1.2",
    "weibull:scale=0.5,shape=0.5",
    "weibull:scale=0.5,shape=2",
)
"""Laws of each kind: memoryless, shifted, fixed work with a random link, heavy and light tails."""


@dataclass(frozen=True)
class Gain:
    """The best code for one law of times and one deadline.

    Attributes
    ----------
    time, deadline
        The workers' times by their loads, and t₀.
    optimum
        The best code found, for the share of unrecovered parts.
    """

    time: LoadTime
    deadline: float
    optimum: Optimum

    @property
    def coded(self) -> float:
        """Unrecovered share of the best code found."""
        return self.optimum.evolution.unrecovered

    @property
    def uncoded(self) -> float:
        """Unrecovered share without a code: N chunks, one for each worker."""
        return self.optimum.limit.uncoded

    @property
    def floor(self) -> float:
        """What no LDGM code of this rate and largest degree passes by."""
        return self.optimum.limit.floor

    @property
    def gain(self) -> float:
        """How much more is recovered than uncoded; negative where coding loses."""
        return self.uncoded - self.coded

    @property
    def verdict(self) -> str:
        """``"coding wins"``, ``"no code wins"`` where the bound says so, or ``"open"``."""
        if self.gain > 1e-9:
            return "coding wins"
        return "open" if self.optimum.limit.coding_can_win else "no code wins"


def gains(
    times: Iterable[LoadTime] = (),
    deadlines: Iterable[float] = (1.0,),
    *,
    rate: Fraction = Fraction(1, 2),
    largest: int = 10,
) -> Iterator[Gain]:
    """Yield the best code for each law of times and each deadline.

    Parameters
    ----------
    times
        The laws; by default `EXAMPLES`.
    deadlines
        The deadlines t₀.
    rate
        K/N.
    largest
        Largest degree of a worker.

    Raises
    ------
    InputError
        If a number is out of its domain.

    Examples
    --------
    >>> from gcdesign.codes.times import parse_time
    >>> laws = [parse_time("exp:rate=1"), parse_time("exp:rate=1,work=0.1,scaled=no")]
    >>> [one.verdict for one in gains(laws, largest=4)]
    ['no code wins', 'coding wins']
    """
    laws = list(times) or [parse_time(text) for text in EXAMPLES]
    moments = list(deadlines)
    for law in laws:
        for deadline in moments:
            yield Gain(law, deadline, optimise(law, deadline, rate=rate, largest=largest))
