"""Long vectors, added in one pass over the memory."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def add_scaled(total: NDArray[Any], vector: NDArray[Any], scale: complex) -> None:
    """Add scale × vector to a real or complex total, in place and without a temporary.

    Parameters
    ----------
    total
        A contiguous array of shape (p,), of float64 or complex128.
    vector
        Shape (p,); real if the total is.
    scale
        The factor; real if the total is.

    Examples
    --------
    >>> total = np.ones(3)
    >>> add_scaled(total, np.arange(3.0), 2.0)
    >>> total.tolist()
    [1.0, 3.0, 5.0]
    """
    from scipy.linalg.blas import daxpy, zaxpy

    axpy = zaxpy if total.dtype == np.complex128 else daxpy
    axpy(np.asarray(vector, dtype=total.dtype), total, a=scale)
