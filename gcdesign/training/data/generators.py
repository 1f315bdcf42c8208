"""Artificial data, drawn anew from a seed."""

from __future__ import annotations

from typing import Literal

import numpy as np

from gcdesign.errors import InputError
from gcdesign.training.problems.problem import Data

Variant = Literal["published", "printed"]

ROWS = 10_000
"""Samples that are shifted at once."""


def gaussian_mixture(
    samples: int, features: int, *, seed: int, variant: Variant = "published"
) -> Data:
    """Return the artificial data of Tandon et al.: two Gaussians and logistic labels.

    β* has random entries ±1, x comes from N(μ, Σ) with μ = (1.5/p)β* or −(1.5/p)β*, each with
    probability ½, and y is 1 with probability κ.

    Parameters
    ----------
    samples, features
        d and p.
    seed
        Seed of all draws.
    variant
        ``"published"``: as the authors' code does it, Σ = (100/p) I and
        κ = 1/(1 + exp(−x·β*)).
        ``"printed"``: as the paper has it, Σ = I and κ = 1/(exp(2x·β*) + 1), which falls with
        x·β*.

    Raises
    ------
    InputError
        If d or p is below 1, or there is no such variant.

    Notes
    -----
    Source: Tandon, Lei, Dimakis, Karampatziakis 2017, section 5, and the code published with it.
    That code draws every part by itself, from both Gaussians; so all parts are alike here.

    Examples
    --------
    >>> data = gaussian_mixture(1000, 20, seed=0)
    >>> data.features.shape, sorted(set(data.targets.tolist()))
    ((1000, 20), [0.0, 1.0])
    """
    _check(samples, features)
    if variant not in ("published", "printed"):
        raise InputError(f"variant={variant!r}; expected 'published' or 'printed'")
    from scipy.special import expit

    rng = np.random.default_rng(seed)
    beta = rng.choice([-1.0, 1.0], features)
    signs = rng.choice([-1.0, 1.0], samples)
    x = rng.standard_normal((samples, features))
    if variant == "published":
        x *= 10 / np.sqrt(features)
    for start in range(0, samples, ROWS):  # no second array of this size
        some = slice(start, start + ROWS)
        x[some] += (1.5 / features) * signs[some, None] * beta
    scores = x @ beta
    chance = expit(scores) if variant == "published" else expit(-2 * scores)
    return Data(x, (rng.random(samples) < chance).astype(np.float64))


def noisy_plane(samples: int, features: int, *, seed: int, noise: float = 1.0) -> Data:
    """Return the least-squares data of Horii et al.: y = x·w* + ε, all of them standard normal.

    Parameters
    ----------
    samples, features
        d and p.
    seed
        Seed of all draws.
    noise
        The standard deviation of ε.

    Raises
    ------
    InputError
        If d or p is below 1, or the noise is negative.

    Notes
    -----
    Source: Horii, Yoshida, Kobayashi, Matsushima 2019, section 5.

    Examples
    --------
    >>> noisy_plane(100, 3, seed=0, noise=0).features.shape
    (100, 3)
    """
    _check(samples, features)
    if not (np.isfinite(noise) and noise >= 0):
        raise InputError(f"noise={noise}; expected a standard deviation, 0 or more")
    rng = np.random.default_rng(seed)
    wanted = rng.standard_normal(features)
    x = rng.standard_normal((samples, features))
    return Data(x, x @ wanted + noise * rng.standard_normal(samples))


def _check(samples: int, features: int) -> None:
    if samples < 1 or features < 1:
        raise InputError(f"{samples} samples of {features} features; expected 1 or more of each")


def split(data: Data, *, share: float, seed: int) -> tuple[Data, Data]:
    """Return the samples to learn from and those to test by, drawn at random.

    The former keep their order. ``share`` of all samples, rounded, are for testing.

    Raises
    ------
    InputError
        If one of the two would be empty.
    """
    count = round(share * data.samples)
    if not 0 < count < data.samples:
        raise InputError(
            f"a share of {share:g} of {data.samples} samples for testing; expected more than none "
            "and fewer than all"
        )
    chosen = np.zeros(data.samples, dtype=bool)
    chosen[np.random.default_rng(seed).permutation(data.samples)[:count]] = True
    return (
        Data(data.features[~chosen], data.targets[~chosen]),
        Data(data.features[chosen], data.targets[chosen]),
    )
