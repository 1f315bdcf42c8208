"""Artificial data."""

from __future__ import annotations

from typing import Literal

import numpy as np

from gcdesign.errors import InputError
from gcdesign.training.problems.problem import Data

Variant = Literal["published", "printed"]


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
        ``"published"``: as the authors' code does it, Σ = (100/p) I and κ = 1/(1 + exp(−x·β*)).
        ``"printed"``: as the paper has it, Σ = I and κ = 1/(exp(2x·β*) + 1), which falls with
        x·β*.

    Raises
    ------
    InputError
        If d or p is below 1, or there is no such variant.

    Notes
    -----
    Source: Tandon, Lei, Dimakis, Karampatziakis 2017, section 5, and the code published with it.
    """
    if samples < 1 or features < 1:
        raise InputError(f"{samples} samples of {features} features; expected 1 or more of each")
    if variant not in ("published", "printed"):
        raise InputError(f"variant={variant!r}; expected 'published' or 'printed'")
    from scipy.special import expit

    rng = np.random.default_rng(seed)
    beta = rng.choice([-1.0, 1.0], features)
    signs = rng.choice([-1.0, 1.0], samples)
    spread = 10 / np.sqrt(features) if variant == "published" else 1.0
    x = rng.standard_normal((samples, features))
    x *= spread
    x += (1.5 / features) * signs[:, None] * beta
    scores = x @ beta
    chance = expit(scores) if variant == "published" else expit(-2 * scores)
    return Data(x, (rng.random(samples) < chance).astype(np.float64))
