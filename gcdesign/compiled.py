"""Compiled functions: numba with a cache on disk, where there is a place for one."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Compile a function of numbers and arrays on its first call; it runs without the GIL.

    The machine code is kept beside the module, or in the user's cache directory if that is not
    writable. Where neither is, or the disk is full, it is compiled anew in each process and
    nothing else changes.

    Only modules that exist for compiled functions use this, and they are imported inside the
    functions that need them: importing numba takes half a second.

    Examples
    --------
    >>> @compiled
    ... def double(x):
    ...     return 2 * x
    >>> double(21)
    42
    """
    import numba

    njit = cast(Any, numba.njit)
    try:
        dispatcher = njit(nogil=True, error_model="numpy", cache=True)(function)
    except RuntimeError:  # numba found no place for a cache
        return cast(Function, njit(nogil=True, error_model="numpy")(function))
    _forgive(dispatcher._cache)
    return cast(Function, dispatcher)


def _forgive(cache: Any) -> None:
    """Let a cache that is damaged, or on a full disk, cost time and nothing else.

    What cannot be read is emptied, so that later processes do not meet it again.
    """
    load, save = cache.load_overload, cache.save_overload

    def load_if_sound(*arguments: Any) -> Any:
        try:
            return load(*arguments)
        except Exception:
            with suppress(Exception):
                cache.flush()
            return None

    def save_if_possible(*arguments: Any) -> None:
        with suppress(Exception):
            save(*arguments)

    cache.load_overload, cache.save_overload = load_if_sound, save_if_possible
