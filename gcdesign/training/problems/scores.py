"""How well scores tell classes apart."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def auc(scores: NDArray[np.float64], positive: NDArray[np.bool_]) -> float:
    """Return the area under the ROC curve: how often a positive scores above a negative.

    Equal scores count one half, and 0.5 is returned where one of the classes is empty.

    Examples
    --------
    >>> auc(np.array([0.1, 0.4, 0.35, 0.8]), np.array([False, False, True, True]))
    0.75
    """
    high = int(positive.sum())
    low = len(positive) - high
    if not (high and low):
        return 0.5
    _, place, counts = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = counts.cumsum() - (counts - 1) / 2
    wins = float(ranks[place[positive]].sum()) - high * (high + 1) / 2
    return wins / (high * low)
