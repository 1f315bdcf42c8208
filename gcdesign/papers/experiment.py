"""The declaration of an experiment: what it shows, with which settings, and what runs it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from gcdesign.errors import InputError
from gcdesign.papers.results import ExperimentResult

Number = int | float
Settings = Mapping[str, Number]

Watch = Callable[[str, float], bool]
"""Told what is being done and the fraction that is done; True asks the run to end early."""


def nobody_watches(_doing: str, _done: float) -> bool:
    """Watch nothing and never end a run."""
    return False


@dataclass(frozen=True)
class Experiment:
    """An experiment of a paper.

    Attributes
    ----------
    name
        As on the command line, such as ``kadhe-fig1a``.
    title
        What it shows, in a line.
    source
        The paper and its figure.
    scaled
        Settings by name: a run of about a minute on two cores.
    full
        The settings that the paper's size changes; the others are as in ``scaled``.
    meaning
        What each setting is, by name.
    run
        Takes settings, seed and watch, and returns the result.
    """

    name: str
    title: str
    source: str
    scaled: Settings
    full: Settings
    meaning: Mapping[str, str]
    run: Callable[[Settings, int, Watch], ExperimentResult]

    def settings(self, changes: Settings, *, full: bool) -> dict[str, Number]:
        """Return the settings of a run: the paper's size if asked for, and changes on top.

        Raises
        ------
        InputError
            If a changed setting is unknown or of the wrong kind.
        """
        chosen = {**self.scaled, **(self.full if full else {})}
        for name, value in changes.items():
            if name not in chosen:
                known = ", ".join(chosen) or "none"
                raise InputError(f"{self.name} has no setting {name!r}; it has: {known}")
            if isinstance(chosen[name], int) and not isinstance(value, int):
                raise InputError(f"{name}={value}; expected a whole number")
            chosen[name] = value
        return chosen
