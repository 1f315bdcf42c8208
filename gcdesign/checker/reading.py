"""From bytes to JSON values, and from those to numbers and lists: nothing is taken on trust."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, NoReturn

from gcdesign.checker.verdicts import CertificateError

Json = Any
"""A value read from JSON: None, bool, int, str, list or dict."""

MAX_BYTES = 1 << 26
MAX_DIGITS = 4000
TOO_LARGE = 10**MAX_DIGITS
MAX_DEPTH = 500
MAX_VALUES = 1 << 24
FRACTION = re.compile(r"-?[0-9]+/[0-9]+", re.ASCII)
SHOWN = 60


def load(source: Json) -> Json:
    """Return the JSON value in a file, in bytes or text, or a value that is one already.

    Raises
    ------
    CertificateError
        If it cannot be read, or holds what a certificate never holds: floats, NaN, a key
        twice, numbers of more than 4000 digits, or values nested too deeply.
    """
    if isinstance(source, str | Path):
        source = _read(Path(source))
    if isinstance(source, bytes):
        return _parse(source)
    _walk(source)
    return source


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise CertificateError("", f"{str(path)!r} cannot be read: {reason}") from None
    return data


def _parse(data: bytes) -> Json:
    if len(data) > MAX_BYTES:
        raise CertificateError("", f"larger than {MAX_BYTES} bytes, which is the limit")
    try:
        return json.loads(
            data.decode("utf-8"),
            object_pairs_hook=_unique,
            parse_int=_integer,
            parse_float=_no_float,
            parse_constant=_no_float,
        )
    except UnicodeDecodeError:
        raise CertificateError("", "no UTF-8 text; expected a JSON file") from None
    except json.JSONDecodeError as error:
        reason = f"no JSON: {error.msg} in line {error.lineno}, column {error.colno}"
        raise CertificateError("", reason) from None
    except RecursionError:
        raise CertificateError("", "values are nested too deeply") from None


def _unique(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) < len(pairs):
        count = Counter(key for key, _ in pairs)
        twice = next(key for key in count if count[key] > 1)
        raise CertificateError("", f"the key {shown(twice)} occurs twice in one object")
    return found


def _integer(text: str) -> int:
    if len(text.removeprefix("-")) > MAX_DIGITS:
        raise CertificateError("", f"{text[:20]}… has more than {MAX_DIGITS} digits")
    return int(text)


def _no_float(text: str) -> NoReturn:
    raise CertificateError("", f"{text[:SHOWN]} is a float; expected whole numbers and fractions")


def _walk(document: Json) -> None:
    """Refuse a value from memory that no JSON file could hold: cycles, other types, no end."""
    stack, count = [(document, 0)], 0
    while stack:
        value, depth = stack.pop()
        count += 1
        if depth > MAX_DEPTH or count > MAX_VALUES:
            raise CertificateError("", "values are nested too deeply, or there are too many")
        if isinstance(value, dict):
            if not all(isinstance(key, str) for key in value):
                raise CertificateError("", "an object has a key that is no string")
            stack.extend((item, depth + 1) for item in value.values())
        elif isinstance(value, list):
            stack.extend((item, depth + 1) for item in value)
        elif isinstance(value, int) and not isinstance(value, bool):
            if abs(value) >= TOO_LARGE:
                raise CertificateError("", f"a number has more than {MAX_DIGITS} digits")
        elif value is not None and not isinstance(value, bool | str):
            raise CertificateError("", f"a value is of type {type(value).__name__}")


def shown(value: Json) -> str:
    """Return a value for an error message, on one line and not too long.

    Examples
    --------
    >>> shown({"by": "pairs"}), shown(7), shown([0, [1]])
    ('an object', '7', 'a list')
    """
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, int) and value.bit_length() > SHOWN:
        return f"a number of {value.bit_length()} bits"
    text = json.dumps(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


def members(
    value: Json, place: str, *, needed: Collection[str], optional: Collection[str] = ()
) -> Mapping[str, Json]:
    """Return an object that has all needed members, and no others but the optional ones."""
    if not isinstance(value, dict):
        raise CertificateError(place, f"{shown(value)}; expected an object")
    for key in needed:
        if key not in value:
            raise CertificateError(place, f"the member {key!r} is missing")
    for key in value:
        if key not in needed and key not in optional:
            raise CertificateError(place, f"{shown(key)} is no member here")
    return value


def items(value: Json, place: str, *, length: int | None = None) -> list[Json]:
    """Return a list, of a given length if one is given."""
    if not isinstance(value, list):
        raise CertificateError(place, f"{shown(value)}; expected a list")
    if length is not None and len(value) != length:
        raise CertificateError(place, f"{len(value)} entries; expected {length}")
    return value


def whole(value: Json, place: str, *, least: int | None = 0, most: int | None = None) -> int:
    """Return a whole number, by default one that is not negative."""
    if type(value) is not int:
        raise CertificateError(place, f"{shown(value)}; expected a whole number")
    if least is not None and value < least:
        raise CertificateError(place, f"{shown(value)}; expected at least {least}")
    if most is not None and value > most:
        raise CertificateError(place, f"{shown(value)}; expected at most {most}")
    return value


def wholes(
    value: Json,
    place: str,
    *,
    length: int | None = None,
    least: int | None = 0,
    most: int | None = None,
) -> list[int]:
    """Return a list of whole numbers."""
    found = items(value, place, length=length)
    for index, entry in enumerate(found):
        if (
            type(entry) is not int
            or (least is not None and entry < least)
            or (most is not None and entry > most)
        ):
            whole(entry, f"{place}[{index}]", least=least, most=most)
    return found


def distinct(value: Json, place: str, *, below: int, length: int | None = None) -> tuple[int, ...]:
    """Return different whole numbers, all below a bound."""
    found = wholes(value, place, length=length, most=below - 1)
    if len(set(found)) < len(found):
        raise CertificateError(place, "an entry occurs twice")
    return tuple(found)


def number(value: Json, place: str) -> Fraction:
    """Return a whole number or a fraction ``"p/q"`` in lowest terms, exactly."""
    if type(value) is int:
        return Fraction(value)
    if isinstance(value, str) and len(value) <= 2 * MAX_DIGITS and FRACTION.fullmatch(value):
        top, bottom = (part for part in value.split("/"))
        if len(top) <= MAX_DIGITS and len(bottom) <= MAX_DIGITS and int(bottom) > 1:
            found = Fraction(int(top), int(bottom))
            if f"{found.numerator}/{found.denominator}" == value:
                return found
    raise CertificateError(
        place, f'{shown(value)}; expected a whole number or a fraction "p/q" in lowest terms'
    )
