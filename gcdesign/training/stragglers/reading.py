"""Models as text: laws, slow workers, on and off, traces."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from gcdesign.codes.times import parse_time
from gcdesign.errors import InputError
from gcdesign.training.stragglers.laws import Drawn
from gcdesign.training.stragglers.replay import Replay
from gcdesign.training.stragglers.slow import GivenWorkers, OnOff, RandomWorkers, Who
from gcdesign.training.stragglers.times import StragglerModel
from gcdesign.training.traces.files import read_trace

SWITCH = {"yes": True, "no": False}
EXAMPLES = "fixed:time=0.1, shifted-exp:shift=1,rate=2 or trace:file=times.csv"


def parse_times(text: str) -> StragglerModel:
    """Read how long workers take that are not slow.

    A law as `gcdesign.codes.times.parse_time` reads it, or ``trace:file=FILE``, with
    ``shuffled=yes`` and ``scaled=no`` if wanted.

    Raises
    ------
    InputError
        If the text is neither, or the file cannot be read.

    Examples
    --------
    >>> parse_times("exp:rate=2").written
    'exp:rate=2'
    """
    name, _, settings = text.partition(":")
    if name.strip() != "trace":
        try:
            return Drawn(parse_time(text))
        except InputError as error:
            if "is no law of times" in str(error):
                raise InputError(f"{text!r} is no model; expected one such as {EXAMPLES}") from None
            raise
    values = _settings(settings, ("file", "shuffled", "scaled"), text)
    if "file" not in values:
        raise InputError(f"{text!r} has no file; expected trace:file=times.csv")
    shuffled, scaled = (
        _switch(key, values.get(key, default), text)
        for key, default in (("shuffled", "no"), ("scaled", "yes"))
    )
    trace = read_trace(Path(values["file"]))
    return Replay(trace, name=values["file"], shuffled=shuffled, scaled=scaled)


def parse_who(text: str, *, stragglers: int, adversary: Callable[[], tuple[int, ...]]) -> Who:
    """Read which workers are slow.

    ``random`` for S random ones in each step, ``adversary`` for those that an adversary chooses,
    worker numbers such as ``0,3,7``, or ``markov:enter=0.01,leave=0.1``.

    Parameters
    ----------
    text
        The text.
    stragglers
        S.
    adversary
        Returns the workers that an adversary chooses.

    Raises
    ------
    InputError
        If the text is nothing of these.

    Examples
    --------
    >>> parse_who("0,3", stragglers=2, adversary=tuple).written
    'workers 0, 3'
    """
    name, colon, settings = text.partition(":")
    if text == "random":
        return RandomWorkers(stragglers)
    if text == "adversary":
        return GivenWorkers(adversary())
    if name == "markov" and colon:
        values = _settings(settings, ("enter", "leave"), text)
        if len(values) < 2:
            raise InputError(f"{text!r}; expected markov:enter=0.01,leave=0.1")
        return OnOff(**{key: _probability(key, value, text) for key, value in values.items()})
    try:
        workers = tuple(int(word) for word in text.split(","))
    except ValueError:
        raise InputError(
            f"slow workers {text!r}; expected random, adversary, markov:enter=0.01,leave=0.1 or "
            "worker numbers such as 0,3"
        ) from None
    return GivenWorkers(workers)


def _settings(settings: str, known: tuple[str, ...], text: str) -> dict[str, str]:
    values: dict[str, str] = {}
    for piece in filter(None, settings.split(",")):
        key, equals, value = (word.strip() for word in piece.partition("="))
        if not equals or key not in known or key in values:
            raise InputError(f"{piece!r} in {text!r}; expected {', '.join(known)}, each once")
        values[key] = value
    return values


def _switch(key: str, value: str, text: str) -> bool:
    if value not in SWITCH:
        raise InputError(f"{key}={value} in {text!r}; expected yes or no")
    return SWITCH[value]


def _probability(key: str, value: str, text: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise InputError(f"{key}={value} in {text!r}; expected a probability") from None
