"""Whole numbers that callers give."""

from __future__ import annotations

from typing import Any

import numpy as np

from gcdesign.errors import InputError


def check_count(name: str, value: Any, *, least: int = 1) -> None:
    """Refuse what is no whole number from the least that is allowed on.

    Raises
    ------
    InputError
        If it is not.
    """
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
        raise InputError(f"{name}={value!r}; expected a whole number, {least} or more")
