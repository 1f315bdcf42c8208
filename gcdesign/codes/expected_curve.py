"""Curves of the expected error against the number of random stragglers, as values to be drawn."""

from __future__ import annotations

from dataclasses import dataclass

from gcdesign.codes.code import GradientCode
from gcdesign.codes.decoding import DecoderName
from gcdesign.codes.random_stragglers import Expectation, Sampling, expected_error_profile
from gcdesign.codes.straggling import Racks


@dataclass(frozen=True)
class ExpectedCurve:
    """The expected error of one code for all S = 0 … N random stragglers.

    Attributes
    ----------
    label
        Title of the code.
    family
        Name of its family, None for a code of unknown origin.
    workers, parts
        N and K.
    model
        ``"random"``: all sets of S workers are equally likely; ``"racks"``: whole racks.
    means
        The expected error for each S.
    seed
        Seed of the trials.
    stopped
        The limit that ended the trials early, or None.
    """

    label: str
    family: str | None
    workers: int
    parts: int
    model: str
    means: tuple[Expectation, ...]
    seed: int
    stopped: str | None = None

    @property
    def stragglers(self) -> tuple[int, ...]:
        """The numbers of stragglers S."""
        return tuple(range(self.workers + 1))


def expected_curve(
    code: GradientCode,
    *,
    racks: Racks | None = None,
    decoder: DecoderName = "optimal",
    sampling: Sampling | None = None,
) -> ExpectedCurve:
    """Return the curve of the expected error over S = 0 … N.

    Examples
    --------
    >>> from gcdesign.codes import load_code
    >>> curve = expected_curve(load_code("ag:q=2"))
    >>> [str(mean.value) for mean in curve.means]
    ['0', '0', '0', '2/5', '16/15', '2', '4']
    """
    sampling = sampling or Sampling()
    means = expected_error_profile(code, racks=racks, decoder=decoder, sampling=sampling)
    provenance = code.placement.design.provenance
    done = min((mean.trials for mean in means if mean.trials), default=sampling.trials)
    return ExpectedCurve(
        code.label,
        provenance.family if provenance else None,
        code.workers,
        code.parts,
        "random" if racks is None else "racks",
        means,
        sampling.seed,
        None if done >= sampling.trials else f"{done} of {sampling.trials} trials were done",
    )
