"""The exceptions that gcdesign raises on purpose, each with the exit code it means.

Every message is one line that names the offending value, what was expected and what to do.
"""

from __future__ import annotations


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
