"""The exceptions that gcdesign raises on purpose, each with the exit code it means.

Every message is one line that names the offending value, what was expected and what to do.
"""

from __future__ import annotations

from collections.abc import Iterable


class GcdesignError(Exception):
    """Base of all deliberate errors; anything else that escapes is a bug."""

    exit_code = 2


class InputError(GcdesignError, ValueError):
    """A value, a file or an option that cannot be used as given."""


class OutputError(GcdesignError):
    """A result that could not be written; nothing was left half written."""


class SolverError(GcdesignError):
    """A solver's answer that contradicts a proof or the placement: a bug, and no answer."""

    exit_code = 3


class LimitError(GcdesignError):
    """A request that is well formed but larger than this program takes on."""


class OutOfTimeError(GcdesignError):
    """A time limit that came before an answer that has no bracket."""

    exit_code = 3


class RunError(GcdesignError):
    """A run that cannot go on: workers that never answer, or answer what is no gradient."""

    exit_code = 3


def nearest(name: str, known: Iterable[str]) -> str:
    """Return advice for a name that is not known: the nearest one, or all where none is near.

    Examples
    --------
    >>> nearest("PGG", ["ag", "pg"]), nearest("frc", ["ag", "pg"])
    ('did you mean pg?', 'expected one of: ag, pg')
    """
    from difflib import get_close_matches

    names = list(known)
    near = get_close_matches(name[:100].lower(), names, n=1)
    return f"did you mean {near[0]}?" if near else f"expected one of: {', '.join(names) or 'none'}"
