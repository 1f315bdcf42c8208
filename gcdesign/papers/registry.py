"""The experiments by name; a new one is one new module in ``gcdesign/papers/experiments``."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module

from gcdesign.designs.registry import modules_of
from gcdesign.errors import InputError, nearest
from gcdesign.papers.experiment import Experiment, Settings, Watch, nobody_watches
from gcdesign.papers.results import ExperimentResult

PACKAGE = "gcdesign.papers.experiments"


def experiment_names() -> list[str]:
    """Return the names of all experiments, sorted, without importing any of them."""
    return sorted(modules_of((PACKAGE,)))


def experiment(name: str) -> Experiment:
    """Return one experiment by name, importing only its own module.

    Raises
    ------
    InputError
        If there is no such experiment; the message names the nearest, or all.
    """
    modules = modules_of((PACKAGE,))
    if name not in modules:
        raise InputError(f"no experiment is called {name!r}; {nearest(name, sorted(modules))}")
    found: Experiment = import_module(modules[name]).EXPERIMENT
    return found


def all_experiments() -> Iterator[Experiment]:
    """Yield every experiment, importing all of them."""
    return (experiment(name) for name in experiment_names())


def reproduce(
    name: str,
    *,
    full: bool = False,
    changes: Settings | None = None,
    seed: int = 0,
    watch: Watch = nobody_watches,
) -> ExperimentResult:
    """Run an experiment of a paper.

    Parameters
    ----------
    name
        One of `experiment_names`.
    full
        Take the paper's size instead of one that runs in about a minute.
    changes
        Settings to change, by name.
    seed
        Seed of every random choice.
    watch
        Told what is being done; True ends the run, with what is done by then.

    Raises
    ------
    InputError
        If the experiment or a setting is unknown, or a setting's value makes no sense.

    Examples
    --------
    >>> result = reproduce("kadhe-fig1a", changes={"q": 2})
    >>> [claim.verdict for claim in result.claims][:2]
    ['agrees', 'agrees']
    """
    chosen = experiment(name)
    settings = chosen.settings(changes or {}, full=full)
    start = time.perf_counter()
    result = chosen.run(settings, seed, watch)
    return replace(
        result,
        settings=settings,
        seed=seed,
        scale="full" if full else "scaled",
        seconds=time.perf_counter() - start,
    )
