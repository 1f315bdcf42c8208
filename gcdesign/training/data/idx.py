"""Images and labels in the IDX format of MNIST, plain or compressed."""

from __future__ import annotations

import gzip
import math
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gcdesign.errors import InputError, LimitError
from gcdesign.training.problems.problem import Data

MAX_BYTES = 1 << 30
"""Largest content of a file, unpacked."""

TYPES = {0x08: ">u1", 0x09: ">i1", 0x0B: ">i2", 0x0C: ">i4", 0x0D: ">f4", 0x0E: ">f8"}
MOST_DIMENSIONS = 8


def read_mnist(images: Path, labels: Path) -> Data:
    """Read images and their classes; pixels are brought to [0, 1], and a constant 1 is added.

    Parameters
    ----------
    images, labels
        Files such as ``train-images-idx3-ubyte.gz`` and ``train-labels-idx1-ubyte.gz``.

    Raises
    ------
    InputError
        If a file cannot be read, is damaged, or the two do not belong together.
    LimitError
        If one is too large.
    """
    pixels, classes = read_idx(images), read_idx(labels)
    if pixels.ndim < 2 or classes.ndim != 1:
        raise InputError(
            f"{images} has shape {pixels.shape} and {labels} {classes.shape}; expected images and "
            "a list of labels"
        )
    if len(pixels) != len(classes):
        raise InputError(f"{images} has {len(pixels)} images, and {labels} {len(classes)} labels")
    flat = pixels.reshape(len(pixels), -1).astype(np.float64)
    top = 255.0 if pixels.dtype.kind in "iu" else 1.0
    features = np.hstack([flat / top, np.ones((len(flat), 1))])
    return Data(features, classes.astype(np.float64))


def read_idx(path: Path) -> NDArray[Any]:
    """Read a file of the IDX format, compressed if its name ends in ``.gz``.

    Raises
    ------
    InputError
        If it cannot be read, or is damaged.
    LimitError
        If it unpacks to more than `MAX_BYTES`.
    """
    opened = gzip.open if path.suffix == ".gz" else open
    try:
        with opened(path, "rb") as handle:
            content: bytes = handle.read(MAX_BYTES + 1)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InputError(f"{path}: a damaged .gz file: {error}") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from None
    if len(content) > MAX_BYTES:
        raise LimitError(f"{path} unpacks to more than {MAX_BYTES} bytes, which is the limit")
    return _parsed(content, path)


def _parsed(content: bytes, path: Path) -> NDArray[Any]:
    """Return the array: two zeros, the type, the number of dimensions, the sizes, the numbers."""
    if len(content) < 4 or content[:2] != b"\0\0" or content[2] not in TYPES:
        raise InputError(f"{path} is no IDX file; it should begin with two zeros and a type")
    dimensions = content[3]
    start = 4 + 4 * dimensions
    if not 1 <= dimensions <= MOST_DIMENSIONS or len(content) < start:
        raise InputError(
            f"{path} declares {dimensions} dimensions; expected 1 to {MOST_DIMENSIONS}"
        )
    shape = [int.from_bytes(content[k : k + 4], "big") for k in range(4, start, 4)]
    dtype = np.dtype(TYPES[content[2]])
    if math.prod(shape) * dtype.itemsize != len(content) - start:
        raise InputError(f"{path} declares shape {tuple(shape)}, but has {len(content)} bytes")
    return np.frombuffer(content, dtype, offset=start).reshape(shape)
