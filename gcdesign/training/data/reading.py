"""Data as text: a generator with its sizes, a known data set, or a file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from gcdesign.codes.sources import is_there
from gcdesign.errors import InputError
from gcdesign.training.data.access import SAMPLES, artificial_access, read_access
from gcdesign.training.data.files import read_data
from gcdesign.training.data.generators import Variant, gaussian_mixture, noisy_plane
from gcdesign.training.data.idx import read_mnist
from gcdesign.training.data.scikit import NAMES, read_scikit
from gcdesign.training.problems.problem import Data

Settings = dict[str, str]


@dataclass(frozen=True)
class Source:
    """Where data come from.

    Attributes
    ----------
    make
        Takes complete settings and a seed, and returns the data.
    defaults
        The settings with their defaults; an empty one has to be given.
    problem
        Says which problem they are meant for, given complete settings.
    summary
        One line for people.
    """

    make: Callable[[Settings, int], Data]
    defaults: Settings
    problem: Callable[[Settings], str]
    summary: str


def _mixture(settings: Settings, seed: int) -> Data:
    samples, features = _size(settings)
    variant = cast(Variant, settings["variant"])
    return gaussian_mixture(samples, features, seed=seed, variant=variant)


def _plane(settings: Settings, seed: int) -> Data:
    samples, features = _size(settings)
    return noisy_plane(samples, features, seed=seed, noise=_number("noise", settings["noise"]))


def _access(settings: Settings, seed: int) -> Data:
    if settings["file"] != "none":
        return read_access(Path(settings["file"]))
    return artificial_access(samples=_whole("samples", settings["samples"]), seed=seed)


SOURCES = {
    "mixture": Source(
        _mixture,
        {"samples": "5544", "features": "100", "variant": "published"},
        lambda _: "logistic",
        "two Gaussians with logistic labels, as Tandon et al. have them",
    ),
    "plane": Source(
        _plane,
        {"samples": "1200", "features": "120", "noise": "1"},
        lambda _: "least-squares",
        "a noisy linear function, as Horii et al. have it",
    ),
    "access": Source(
        _access,
        {"file": "none", "samples": str(SAMPLES)},
        lambda _: "logistic",
        "Amazon's access requests: the contest's file, or artificial ones of its shape",
    ),
    "mnist": Source(
        lambda settings, _: read_mnist(Path(settings["images"]), Path(settings["labels"])),
        {"images": "", "labels": ""},
        lambda _: "softmax",
        "images and labels in files of MNIST's format, .gz or not",
    ),
    "sklearn": Source(
        lambda settings, _: read_scikit(settings["name"]),
        {"name": "breast_cancer"},
        lambda settings: NAMES.get(settings["name"], "logistic"),
        "a data set of scikit-learn",
    ),
}
"""Where data can come from, beside files."""


def parse_data(text: str, *, seed: int) -> Data:
    """Return the data that a text names.

    Parameters
    ----------
    text
        ``mixture:samples=5544,features=100``, ``plane``, ``access:file=train.csv``,
        ``sklearn:name=digits``, or a file as `gcdesign.training.data.files.read_data` reads it.
    seed
        Seed of artificial data.

    Raises
    ------
    InputError
        If it names nothing, a setting is wrong, or the file cannot be read.

    Examples
    --------
    >>> parse_data("mixture:samples=60,features=5", seed=1).features.shape
    (60, 5)
    """
    name, colon, settings = text.partition(":")
    if name not in SOURCES:
        if colon and "/" not in name and not is_there(text):
            raise InputError(f"no data are called {name!r}; expected {_expected()}")
        return read_data(Path(text))
    return SOURCES[name].make(_complete(name, settings, text), seed)


def usual_problem(text: str) -> str:
    """Return the problem that data are meant for; logistic regression where that is not known.

    Examples
    --------
    >>> usual_problem("sklearn:name=digits"), usual_problem("data.npz")
    ('softmax', 'logistic')
    """
    name, _, settings = text.partition(":")
    if name not in SOURCES:
        return "logistic"
    return SOURCES[name].problem(_complete(name, settings, text))


def _complete(name: str, settings: str, text: str) -> Settings:
    values = dict(SOURCES[name].defaults)
    given: set[str] = set()
    for piece in filter(None, settings.split(",")):
        key, equals, value = (word.strip() for word in piece.partition("="))
        if key not in values or not equals or not value or key in given:
            raise InputError(f"{piece!r} in {text!r}; expected {', '.join(values)}, each once")
        values[key] = value
        given.add(key)
    missing = [key for key, value in values.items() if not value]
    if missing:
        raise InputError(f"{text!r} has no {missing[0]}; expected {name}:{missing[0]}=…")
    return values


def _expected() -> str:
    return ", ".join(SOURCES) + ", or a file such as data.npz or data.svm"


def _size(settings: Settings) -> tuple[int, int]:
    return _whole("samples", settings["samples"]), _whole("features", settings["features"])


def _whole(key: str, value: str) -> int:
    try:
        return int(value)
    except ValueError:
        raise InputError(f"{key}={value}; expected a whole number") from None


def _number(key: str, value: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise InputError(f"{key}={value}; expected a number") from None
