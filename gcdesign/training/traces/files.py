"""Traces as files: CSV for people and other programs, npz for long ones.

A CSV file has a line for each step and a column for each worker, ``inf`` for a worker that never
answered and nothing where that is not known. Lines that begin with # say what else is known, as
``# loads=1,1,2``. A first line of names is skipped.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import numpy as np

from gcdesign.designs.formats.reading import read_bounded
from gcdesign.designs.formats.text import naming
from gcdesign.errors import InputError
from gcdesign.training.archives import pack, unpack
from gcdesign.training.traces.trace import Trace

FORMAT = "gcdesign.trace/1"
NAME = FORMAT.partition("/")[0]
SUFFIXES = (".csv", ".npz")


def trace_bytes(trace: Trace, *, suffix: str) -> bytes:
    r"""Return a trace as the content of a file that ends in ``.csv`` or ``.npz``.

    Raises
    ------
    InputError
        If it ends in something else.

    Examples
    --------
    >>> trace = Trace(np.array([[0.5, np.inf], [0.25, np.nan]]), np.ones(2), {"scheme": "naive"})
    >>> print(trace_bytes(trace, suffix=".csv").decode(), end="")
    # gcdesign.trace/1
    # loads=1,1
    # scheme=naive
    worker 0,worker 1
    0.5,inf
    0.25,
    """
    if suffix == ".csv":
        return _csv(trace).encode()
    if suffix != ".npz":
        raise InputError(f"a trace in a file {suffix!r}; expected {' or '.join(SUFFIXES)}")
    header = {"format": FORMAT, "about": dict(trace.about)}
    return pack(header, {"times": trace.times, "loads": trace.loads})


def _csv(trace: Trace) -> str:
    lines = [f"# {FORMAT}", f"# loads={','.join(f'{load:.17g}' for load in trace.loads)}"]
    lines += [f"# {key}={' '.join(value.split())}" for key, value in trace.about.items()]
    lines += [",".join(f"worker {worker}" for worker in range(trace.workers))]
    lines += [
        ",".join("" if time != time else repr(time) for time in row) for row in trace.times.tolist()
    ]
    return "\n".join(lines) + "\n"


def read_trace(path: Path) -> Trace:
    """Read a trace from a CSV or an npz file.

    Raises
    ------
    InputError
        If the file cannot be read or is no trace; the message names the place.
    """
    if path.suffix not in SUFFIXES:
        raise InputError(f"{path}: expected a trace in a file {' or '.join(SUFFIXES)}")
    data = read_bounded(path)
    with naming(str(path)):
        return _from_npz(data) if path.suffix == ".npz" else _from_csv(data)


def _from_npz(data: bytes) -> Trace:
    header, arrays = unpack(data)
    _check_version(str(header.get("format", FORMAT)))
    if "times" not in arrays:
        raise InputError("no trace; expected an npz file with an array 'times'")
    times = arrays["times"].astype(np.float64)
    loads = arrays.get("loads", np.ones(times.shape[-1:])).astype(np.float64)
    about = header.get("about", {})
    if not isinstance(about, dict):
        raise InputError("has a damaged header")
    return Trace(times, loads, {str(key): str(value) for key, value in about.items()})


def _from_csv(data: bytes) -> Trace:
    try:
        lines = data.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise InputError("no text in UTF-8; expected a line of times for each step") from None
    about: dict[str, str] = {}
    rows: list[list[float]] = []
    for number, line in enumerate(lines, start=1):
        if line.startswith("#"):
            key, equals, value = line[1:].strip().partition("=")
            _check_version(key)
            about |= {key.strip(): value.strip()} if equals else {}
        elif line.strip() and (rows or not _are_names(line)):
            rows.append(_numbers(line, number))
            if len(rows[-1]) != len(rows[0]):
                raise InputError(
                    f"line {number} has {len(rows[-1])} times, and the first {len(rows[0])}"
                )
    if not rows:
        raise InputError("no line of times; expected one for each step")
    loads = about.pop("loads", None)
    numbers = np.ones(len(rows[0])) if loads is None else np.array(_numbers(loads, None))
    return Trace(np.array(rows), numbers, about)


def _check_version(form: str) -> None:
    if form.partition("/")[0] == NAME and form != FORMAT:
        raise InputError(f"the form {form[:40]!r} is not known; expected {FORMAT!r}")


def _are_names(line: str) -> bool:
    """Whether no word of a line is a number."""
    for word in filter(None, map(str.strip, line.split(","))):
        with suppress(ValueError):
            float(word)
            return False
    return True


def _numbers(line: str, number: int | None) -> list[float]:
    where = "loads" if number is None else f"line {number}"
    values = []
    for word in line.split(","):
        try:
            values.append(float(word) if word.strip() else float("nan"))
        except ValueError:
            raise InputError(f"{where}: {word.strip()[:40]!r}; expected a number") from None
    return values
