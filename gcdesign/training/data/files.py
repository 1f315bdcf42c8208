"""Data in files: npz of arrays, and the text format of LIBSVM; nothing in a file is executed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.formats.reading import read_bounded
from gcdesign.designs.formats.text import naming
from gcdesign.errors import InputError
from gcdesign.training.archives import unpack
from gcdesign.training.problems.problem import Data

if TYPE_CHECKING:
    from scipy.sparse import csr_array

MAX_FEATURES = 1 << 27
"""Largest feature number of a file in LIBSVM's format."""

SUFFIXES = (".npz", ".svm", ".libsvm", ".svmlight")


def read_data(path: Path) -> Data:
    """Read samples from a file, whose suffix says the format.

    An npz file holds ``features``, shape (d, p), and ``targets``, shape (d,); or in place of the
    features a CSR matrix as ``data``, ``indices``, ``indptr`` and ``shape``, as
    ``scipy.sparse.save_npz`` writes it. A line of LIBSVM's format is a target and pairs
    ``number:value``, numbers from 1 on.

    Raises
    ------
    InputError
        If the file cannot be read; the message names the place.
    """
    if path.suffix not in SUFFIXES:
        raise InputError(f"{path}: expected data in a file {', '.join(SUFFIXES)}")
    content = read_bounded(path)
    with naming(str(path)):
        return _from_npz(content) if path.suffix == ".npz" else _from_libsvm(content)


def _from_npz(content: bytes) -> Data:
    _, arrays = unpack(content)
    try:
        targets = arrays["targets"].astype(np.float64)
        if "features" in arrays:
            return Data(arrays["features"].astype(np.float64), targets)
        return Data(_csr(arrays), targets)
    except InputError:
        raise
    except (ValueError, KeyError, TypeError):
        raise InputError(
            "no data; expected an npz file with arrays 'features' (or data, indices, indptr, "
            "shape) and 'targets'"
        ) from None


def _csr(arrays: dict[str, NDArray[Any]]) -> csr_array:
    from scipy.sparse import csr_array

    rows, columns = (int(size) for size in arrays["shape"])
    parts = (arrays["data"].astype(np.float64), arrays["indices"], arrays["indptr"])
    matrix = csr_array(parts, shape=(rows, columns))
    matrix.check_format(full_check=True)
    return matrix


def _from_libsvm(content: bytes) -> Data:
    from scipy.sparse import csr_array

    try:
        lines = content.decode("utf-8").splitlines()
    except UnicodeDecodeError:
        raise InputError("no text in UTF-8; expected LIBSVM's format") from None
    targets: list[float] = []
    columns: list[int] = []
    values: list[float] = []
    ends = [0]
    for number, line in enumerate(lines, start=1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        try:
            targets.append(float(words[0]))
            pairs = [word.split(":") for word in words[1:] if not word.startswith("qid:")]
            columns += [int(column) - 1 for column, _ in pairs]
            values += [float(value) for _, value in pairs]
        except ValueError:
            raise InputError(f"line {number}: expected a target and pairs 3:0.5") from None
        if pairs and not 0 <= min(columns[ends[-1] :]) <= max(columns[ends[-1] :]) < MAX_FEATURES:
            raise InputError(f"line {number}: a feature's number is not from 1 to {MAX_FEATURES}")
        ends.append(len(columns))
    if not targets:
        raise InputError("no sample; expected lines of a target and pairs 3:0.5")
    shape = (len(targets), max(columns, default=0) + 1)
    matrix = csr_array((np.array(values), np.array(columns, dtype=np.int64), ends), shape=shape)
    matrix.sum_duplicates()
    return Data(matrix, np.array(targets))
