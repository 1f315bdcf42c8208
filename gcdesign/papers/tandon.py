"""What the experiments of Tandon, Lei, Dimakis, Karampatziakis 2017 have in common."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gcdesign.codes import partial_scheme
from gcdesign.errors import InputError, LimitError
from gcdesign.papers.experiment import Settings
from gcdesign.training import Scheme, StragglerModel, make_scheme, waiting_times

PAPER = "Tandon, Lei, Dimakis, Karampatziakis 2017"

FAMILIES = {
    "naive": "uncoded",
    "frc": "frc",
    "cyclic": "cyclic",
    "ignore-stragglers": "ignore",
}
"""The colour of a scheme, by the first word of its name."""


def whole(settings: Settings, name: str, *, least: int = 1, most: int = 10**7) -> int:
    """Return a setting that is a whole number within limits.

    Raises
    ------
    InputError
        If it is below.
    LimitError
        If it is above.
    """
    value = int(settings[name])
    if value < least:
        raise InputError(f"{name}={value}; expected {least} or more")
    if value > most:
        raise LimitError(f"{name}={value}; the limit is {most}")
    return value


def positive(settings: Settings, name: str, *, zero: bool = False) -> float:
    """Return a setting that is a finite number above 0, or 0 where that is allowed.

    Raises
    ------
    InputError
        If it is not.
    """
    value = float(settings[name])
    if not np.isfinite(value) or value < 0 or (value == 0 and not zero):
        raise InputError(f"{name}={value:g}; expected a number {'of 0 or more' if zero else '> 0'}")
    return value


def schemes_for(workers: int, stragglers: int, *, seed: int) -> dict[str, Scheme]:
    """Return the naive scheme and those that are exact for S stragglers, by a short name.

    Fractional repetition is there where S + 1 divides N.
    """
    names = ["naive", "cyclic"] + (["frc"] if workers % (stragglers + 1) == 0 else [])
    return {
        name: make_scheme(name, workers=workers, stragglers=stragglers, seed=seed) for name in names
    }


def partial_schemes(workers: int, stragglers: int, *, alpha: float, seed: int) -> dict[str, Scheme]:
    """Return the partial schemes, by a short name."""
    codings = ["cyclic"] + (["repetition"] if workers % (stragglers + 1) == 0 else [])
    return {
        f"partial {coding}": make_scheme(
            f"partial-{coding}:alpha={alpha:g}", workers=workers, stragglers=stragglers, seed=seed
        )
        for coding in codings
    }


def nearest_alpha(workers: int, stragglers: int, alpha: float) -> float:
    """Return the α nearest to one that is wanted of those with whole numbers of private parts.

    Examples
    --------
    >>> nearest_alpha(12, 2, 1.9)
    2.0
    """
    if not 1 < alpha < 1000:
        raise InputError(f"alpha={alpha:g}; expected more than 1 and less than 1000")
    around = round((stragglers + 1) / (alpha - 1))
    choices = [1 + (stragglers + 1) / n for n in (around - 1, around, around + 1) if n >= 1]
    best = min(choices or [float(stragglers + 2)], key=lambda choice: abs(choice - alpha))
    partial_scheme(workers, stragglers, best)  # refuses what makes no scheme
    return best


def mean_wait(
    scheme: Scheme, model: StragglerModel, *, steps: int, seed: int
) -> tuple[float, float]:
    """Return the mean time per step, and twice its standard error."""
    seconds = waiting_times(scheme, model, steps=steps, seed=seed).seconds
    spread = float(seconds.std(ddof=1)) if steps > 1 else 0.0
    return float(seconds.mean()), 2 * spread / steps**0.5


def listed(numbers: Sequence[float], *, unit: str = "") -> str:
    """Return a few numbers for reading: three digits, joined by commas."""
    return ", ".join(f"{number:.3g}" for number in numbers) + (f" {unit}" if unit else "")
