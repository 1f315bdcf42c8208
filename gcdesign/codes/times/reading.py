"""Times of workers as text: ``exp:rate=2``, ``pareto:scale=1,shape=2,work=0.5,scaled=no``."""

from __future__ import annotations

from pathlib import Path

from gcdesign.codes.times.laws import (
    MAX_RECORDED,
    Exponential,
    Fixed,
    Pareto,
    Recorded,
    ShiftedExponential,
    TimeLaw,
    Weibull,
)
from gcdesign.codes.times.load import LoadTime
from gcdesign.designs.formats.reading import read_bounded
from gcdesign.errors import InputError, LimitError

LAWS: dict[str, tuple[type[TimeLaw], tuple[str, ...]]] = {
    "exp": (Exponential, ("rate",)),
    "shifted-exp": (ShiftedExponential, ("shift", "rate")),
    "pareto": (Pareto, ("scale", "shape")),
    "weibull": (Weibull, ("scale", "shape")),
    "fixed": (Fixed, ("time",)),
    "recorded": (Recorded, ("file",)),
}
"""The laws by name, with their parameters."""

EXAMPLES = "exp:rate=2, shifted-exp:shift=1,rate=2, pareto:scale=1,shape=2, recorded:file=times.csv"

SWITCH = {"yes": True, "no": False}

MAX_BYTES = 400_000_000


def parse_time(text: str) -> LoadTime:
    """Read a worker's time.

    The laws are ``exp:rate=μ``, ``shifted-exp:shift=a,rate=μ``, ``pareto:scale=a,shape=b``,
    ``weibull:scale=a,shape=b``, ``fixed:time=t`` and ``recorded:file=FILE`` (numbers between
    commas, blanks or line ends). Each takes ``work=w`` and ``scaled=no`` as well: `LoadTime` says
    what they do.

    Raises
    ------
    InputError
        If the law is unknown, a parameter is missing, unknown or no number, or a file of times
        cannot be read.
    LimitError
        If a file of times is too large.

    Examples
    --------
    >>> parse_time("shifted-exp:shift=1,rate=2,scaled=no").mean(7)
    1.5
    """
    name, _, settings = (piece.strip() for piece in text.partition(":"))
    if name not in LAWS:
        raise InputError(f"{text!r} is no law of times; expected one such as {EXAMPLES}")
    kind, known = LAWS[name]
    values = _values(settings, (*known, "work", "scaled"), text)
    work = _number("work", values.pop("work", "0"), text)
    scaled = values.pop("scaled", "yes")
    if scaled not in SWITCH:
        raise InputError(f"scaled={scaled} in {text!r}; expected yes or no")
    missing = [parameter for parameter in known if parameter not in values]
    if missing:
        raise InputError(f"{text!r} has no {missing[0]}; expected {name}:{'=…,'.join(known)}=…")
    if kind is Recorded:
        law: TimeLaw = Recorded(read_times(Path(values["file"])), source=values["file"])
    else:
        law = kind(**{key: _number(key, value, text) for key, value in values.items()})
    return LoadTime(law, work=work, scaled=SWITCH[scaled])


def _values(settings: str, known: tuple[str, ...], text: str) -> dict[str, str]:
    """Return the settings by name; each is known and given once."""
    values: dict[str, str] = {}
    for setting in filter(None, (piece.strip() for piece in settings.split(","))):
        key, equals, value = (piece.strip() for piece in setting.partition("="))
        if not equals or key not in known:
            raise InputError(f"{setting!r} in {text!r}; expected {', '.join(known)} as name=value")
        if key in values:
            raise InputError(f"{key!r} is given twice in {text!r}")
        values[key] = value
    return values


def _number(key: str, value: str, text: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise InputError(f"{key}={value} in {text!r}; expected a number") from None


def read_times(path: Path) -> tuple[float, ...]:
    """Read times from a text file: numbers between commas, blanks or line ends; # is a comment.

    Raises
    ------
    InputError
        If the file cannot be read or a word is no number.
    LimitError
        If the file is too large.
    """
    content = read_bounded(path)
    if len(content) > MAX_BYTES:
        raise LimitError(f"{path} is larger than {MAX_BYTES} bytes; give fewer times")
    try:
        lines = content.decode("utf-8").splitlines()
    except UnicodeDecodeError:
        raise InputError(f"{path} is not text in UTF-8; expected times as numbers") from None
    times: list[float] = []
    for number, line in enumerate(lines, start=1):
        for word in line.partition("#")[0].replace(",", " ").split():
            try:
                times.append(float(word))
            except ValueError:
                raise InputError(
                    f"{path}, line {number}: {word[:40]!r}; expected times as numbers"
                ) from None
        if len(times) > MAX_RECORDED:
            raise LimitError(f"{path} holds more than {MAX_RECORDED} times; give fewer")
    return tuple(times)
