"""The state of a run on disk, whole or not at all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from gcdesign.designs.formats import write_file
from gcdesign.designs.formats.reading import read_bounded
from gcdesign.designs.formats.text import naming
from gcdesign.errors import InputError
from gcdesign.training.archives import pack, unpack
from gcdesign.training.history import Recording
from gcdesign.training.optimisers import State

FORMAT = "gcdesign.checkpoint/1"


def save_checkpoint(
    path: Path, state: State, recording: Recording, provenance: dict[str, object]
) -> None:
    """Write the state in place of what the file held; it holds the old or the new, never half.

    Raises
    ------
    OutputError
        If it cannot be written; the file then holds what it held.
    """
    arrays = {f"state.{name}": values for name, values in state.items()}
    columns, metrics = recording.to_arrays()
    arrays |= {f"history.{name}": values for name, values in columns.items()}
    header = {"format": FORMAT, "provenance": provenance, "metrics": metrics}
    write_file(path, pack(header, arrays), force=True)


def load_checkpoint(
    path: Path, state: State, provenance: dict[str, object]
) -> tuple[State, Recording]:
    """Return the state and the history that a file holds.

    Parameters
    ----------
    path
        The file.
    state
        The state of a new run, whose arrays say what is expected.
    provenance
        What the run was asked for.

    Raises
    ------
    InputError
        If the file is no checkpoint, is damaged, or is of a run that was asked for in another way.
    """
    data = read_bounded(path)
    with naming(str(path)):
        header, arrays = unpack(data)
    wrong = InputError(f"{path} is no checkpoint of such a run; give another file")
    if header.get("format") != FORMAT:
        raise wrong
    try:
        known, metrics = dict(header["provenance"]), [str(name) for name in header["metrics"]]
        recording = Recording.from_arrays(_under("history.", arrays), metrics)
    except (KeyError, ValueError, TypeError):
        raise wrong from None
    _compare(path, known, json.loads(json.dumps(provenance)))
    found = _under("state.", arrays)
    if {k: a.shape for k, a in found.items()} != {k: a.shape for k, a in state.items()}:
        raise wrong
    return found, recording


def _compare(path: Path, known: dict[str, object], asked: dict[str, object]) -> None:
    """Refuse a file whose run was asked for in another way, and name the first difference."""
    for key in [*asked, *(key for key in known if key not in asked)]:
        if known.get(key) != asked.get(key):
            raise InputError(
                f"{path} is of a run with {key}={known.get(key)}, and this one has "
                f"{key}={asked.get(key)}; give another file"
            )


def _under(prefix: str, arrays: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """Return the arrays whose names begin in one way, without that beginning."""
    return {k.removeprefix(prefix): a for k, a in arrays.items() if k.startswith(prefix)}
