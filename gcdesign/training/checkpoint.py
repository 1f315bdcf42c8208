"""The state of a run on disk, whole or not at all."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.formats import write_file
from gcdesign.errors import InputError
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
    header = json.dumps({"format": FORMAT, "provenance": provenance}, sort_keys=True)
    arrays: dict[str, NDArray[Any]] = {"header": np.array(header)}
    arrays |= {f"state.{name}": values for name, values in state.items()}
    arrays |= {f"history.{name}": values for name, values in recording.to_arrays().items()}
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)  # type: ignore[arg-type]
    write_file(path, buffer.getvalue(), force=True)


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
    arrays = _arrays(path)
    try:
        header = json.loads(str(arrays.pop("header")))
        assert header["format"] == FORMAT
        recording = Recording.from_arrays(
            {k.removeprefix("history."): a for k, a in arrays.items() if k.startswith("history.")}
        )
        found = {k.removeprefix("state."): a for k, a in arrays.items() if k.startswith("state.")}
        assert {k: a.shape for k, a in found.items()} == {k: a.shape for k, a in state.items()}
    except (KeyError, ValueError, AssertionError, TypeError):
        raise InputError(f"{path} is no checkpoint of this program; give another file") from None
    asked = json.loads(json.dumps(provenance))
    for key in sorted(asked.keys() | header["provenance"].keys()):
        if header["provenance"].get(key) != asked.get(key):
            raise InputError(
                f"{path} is of a run with {key}={header['provenance'].get(key)}, and this one has "
                f"{key}={asked.get(key)}; give another file"
            )
    return found, recording


def _arrays(path: Path) -> dict[str, NDArray[Any]]:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from None
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}
    except (ValueError, EOFError, zipfile.BadZipFile, KeyError):
        raise InputError(f"{path} is damaged; delete it, or give another file") from None
