"""The data sets that come with scikit-learn."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from gcdesign.errors import InputError
from gcdesign.training.problems.problem import Data

NAMES = {
    "breast_cancer": "logistic",
    "diabetes": "least-squares",
    "digits": "softmax",
    "iris": "softmax",
    "wine": "softmax",
}
"""The data sets, and the problem that each is meant for."""

INSTALL = "pip install 'gcdesign[data]'"


def read_scikit(name: str) -> Data:
    """Return one of scikit-learn's data sets, its features standardised, with a constant 1.

    Raises
    ------
    InputError
        If there is no such set, or scikit-learn is not installed.
    """
    if name not in NAMES:
        raise InputError(
            f"no data set of scikit-learn is called {name!r}; expected {', '.join(NAMES)}"
        )
    try:
        module: Any = import_module("sklearn.datasets")
    except ImportError as error:
        raise InputError(f"scikit-learn cannot be used: {error}; {INSTALL}") from None
    x, y = getattr(module, f"load_{name}")(return_X_y=True)
    x = np.asarray(x, dtype=np.float64)
    spread = x.std(axis=0)
    scaled = (x - x.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    return Data(np.hstack([scaled, np.ones((len(x), 1))]), np.asarray(y, dtype=np.float64))
