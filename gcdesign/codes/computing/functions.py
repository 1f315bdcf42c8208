"""Functions to compute, by name: for demonstrations and curves of errors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gcdesign.errors import InputError, LimitError

Reals = NDArray[np.float64]

MAX_NUMBERS = 20_000_000
"""Numbers that inputs or coded inputs of an example hold at most."""


@dataclass(frozen=True)
class Computation:
    """A function that workers apply to their input, which may have any shape.

    Attributes
    ----------
    name, text
        How it is called, and how it is written.
    apply
        The function.
    degree
        Its degree if it is a polynomial, else None.
    """

    name: str
    text: str
    apply: Callable[[Any], Any]
    degree: int | None = None


def _gram(x: Any) -> Any:
    return np.swapaxes(x, -1, -2) @ x


COMPUTATIONS = {
    known.name: known
    for known in (
        Computation("sin", "sin x", np.sin),
        Computation("cos", "cos x", np.cos),
        Computation("exp", "exp x", np.exp),
        Computation("tanh", "tanh x", np.tanh),
        Computation("sigmoid", "1/(1 + exp(−x))", lambda x: 1 / (1 + np.exp(-x))),
        Computation("relu", "max(0, x)", lambda x: np.maximum(x, 0.0)),
        Computation("xsin", "x sin x", lambda x: x * np.sin(x)),
        Computation("identity", "x", lambda x: x, degree=1),
        Computation("square", "x²", lambda x: x**2, degree=2),
        Computation("cube", "x³", lambda x: x**3, degree=3),
        Computation("gram", "XᵀX", _gram, degree=2),
    )
}
"""All functions that have a name. All but ``gram`` act on every entry by itself."""


def computation(name: str) -> Computation:
    """Return the function of a name.

    Raises
    ------
    InputError
        If there is none.

    Examples
    --------
    >>> float(computation("square").apply(3.0)), computation("sin").degree
    (9.0, None)
    """
    if name not in COMPUTATIONS:
        raise InputError(f"no function is called {name!r}; expected: {', '.join(COMPUTATIONS)}")
    return COMPUTATIONS[name]


def sample_inputs(
    parts: int, size: int, *, seed: int = 0, dtype: str = "float64", square: bool = False
) -> Any:
    """Return K random inputs, uniform on [−1, 1], shape (K, size), or (K, size, size).

    Raises
    ------
    InputError
        If the size is below 1.
    LimitError
        If that is more than `MAX_NUMBERS` in all.

    Examples
    --------
    >>> sample_inputs(3, 5).shape
    (3, 5)
    """
    if size < 1:
        raise InputError(f"size={size}; expected 1 number or more in an input")
    shape = (parts, size, size) if square else (parts, size)
    if prod(shape) > MAX_NUMBERS:
        raise LimitError(f"size={size} for {parts} inputs; expected {MAX_NUMBERS} numbers at most")
    return np.random.default_rng(seed).uniform(-1, 1, size=shape).astype(dtype)
