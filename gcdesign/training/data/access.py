"""Who was given access to what at Amazon: the contest's file, and artificial data of its shape.

A sample is a request: nine numbers that stand for categories, and whether it was granted. A
feature is a category, or a pair of categories of two columns, one-hot; and one is always 1.
"""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.formats.reading import read_bounded
from gcdesign.designs.formats.text import naming
from gcdesign.errors import InputError
from gcdesign.training.problems.problem import Data

if TYPE_CHECKING:
    from scipy.sparse import csr_array

COLUMNS = (
    "RESOURCE",
    "MGR_ID",
    "ROLE_ROLLUP_1",
    "ROLE_ROLLUP_2",
    "ROLE_DEPTNAME",
    "ROLE_TITLE",
    "ROLE_FAMILY_DESC",
    "ROLE_FAMILY",
    "ROLE_CODE",
)
"""The columns of categories in the contest's file, after ACTION."""

DROPPED = frozenset({(2, 3), (5, 7)})
"""Pairs of columns without features of their own, as in the code of Tandon et al."""

SAMPLES = 32769
"""Samples of the contest's file; four fifths of them are the d = 26,200 of the paper, but for
what does not divide evenly among the workers."""

SIZES = (7518, 4243, 128, 177, 449, 343, 2358, 67, 343)
"""About how many categories each column of the contest's file has."""


def read_access(path: Path) -> Data:
    """Read the contest's ``train.csv``.

    Parameters
    ----------
    path
        The file: a line of names, ACTION first, then `COLUMNS`; whole numbers.

    Returns
    -------
    Data
        Sparse features, one-hot, of the columns, of their pairs and a constant; targets ACTION.

    Raises
    ------
    InputError
        If the file cannot be read or has other columns.

    Notes
    -----
    Source of the features: the code published with Tandon et al. 2017, with pairs themselves in
    place of hashes of them.
    """
    wanted = ("ACTION", *COLUMNS)
    data = read_bounded(path)
    with naming(str(path)):
        lines = _lines(data)
    names = tuple(name.strip().strip('"') for name in lines[0].split(",")) if lines else ()
    if names != wanted:
        raise InputError(f"{path} has the columns {names[:12]}; expected {','.join(wanted)}")
    rows = []
    for number, line in enumerate(lines[1:], start=2):
        try:
            rows.append([int(word) for word in line.split(",")])
        except ValueError:
            raise InputError(f"{path}, line {number}: expected whole numbers") from None
        if len(rows[-1]) != len(wanted) or rows[-1][0] not in (0, 1):
            raise InputError(f"{path}, line {number}: expected 0 or 1 and {len(COLUMNS)} numbers")
    if not rows:
        raise InputError(f"{path} has no samples")
    table = np.array(rows, dtype=np.int64)
    return Data(one_hot_pairs(table[:, 1:]), table[:, 0].astype(np.float64))


def _lines(data: bytes) -> list[str]:
    try:
        return data.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise InputError("no text in UTF-8; expected the contest's train.csv") from None


def one_hot_pairs(table: NDArray[np.int64]) -> csr_array:
    """Return the features of categories: one-hot columns, one-hot pairs, and a constant.

    Parameters
    ----------
    table
        Shape (d, columns): categories as whole numbers.

    Returns
    -------
    csr_array
        Shape (d, p): in every row a 1 for each column, for each pair of columns but `DROPPED`,
        and for the constant.

    Examples
    --------
    >>> one_hot_pairs(np.array([[7, 1], [7, 2], [9, 2]])).toarray().astype(int).tolist()
    [[1, 0, 1, 0, 1, 0, 0, 1], [1, 0, 0, 1, 0, 1, 0, 1], [0, 1, 0, 1, 0, 0, 1, 1]]
    """
    from scipy.sparse import csr_array

    codes = [np.unique(column, return_inverse=True)[1] for column in table.T]
    groups = list(codes)
    for first, second in combinations(range(len(codes)), 2):
        if (first, second) not in DROPPED:
            pair = codes[first] * (int(codes[second].max()) + 1) + codes[second]
            groups.append(np.unique(pair, return_inverse=True)[1])
    groups.append(np.zeros(len(table), dtype=np.int64))
    offsets = np.cumsum([0] + [int(group.max()) + 1 for group in groups])
    indices = np.column_stack([group + at for group, at in zip(groups, offsets, strict=False)])
    indptr = np.arange(len(table) + 1) * len(groups)
    ones = np.ones(indices.size)
    return csr_array((ones, indices.ravel(), indptr), shape=(len(table), int(offsets[-1])))


def artificial_access(*, samples: int = SAMPLES, seed: int) -> Data:
    """Return artificial data of the shape of the contest's.

    Categories follow power laws over about as many values as in the contest's file, and those of
    a request hang together as there, so that about as many pairs occur: p is about 242,000 for
    as many samples, in place of 241,915. About 94% are granted, by random effects of all
    features.

    Parameters
    ----------
    samples
        Number of samples; as many as the contest's by default.
    seed
        Seed of all draws.

    Raises
    ------
    InputError
        If there is no sample.
    """
    if samples < 1:
        raise InputError(f"{samples} samples; expected 1 or more")
    rng = np.random.default_rng(seed)
    table = _table(rng, samples)
    features = one_hot_pairs(table)
    effects = rng.standard_normal(features.shape[1])
    scores = features @ effects
    scores = SPREAD * (scores - scores.mean()) / max(float(scores.std()), 1e-12)
    granted = rng.random(samples) < 1 / (1 + np.exp(-(scores + OFFSET)))
    return Data(features, granted.astype(np.float64))


SPREAD, OFFSET = 2.0, 4.0
"""Deviation and mean of the log-odds of being granted."""

POWER = 0.85
"""The nth most frequent category of a column occurs about n^−`POWER` times as often."""

FOLLOWS = {
    "MGR_ID": (None, 0.0),
    "RESOURCE": ("MGR_ID", 0.72),
    "ROLE_ROLLUP_1": ("MGR_ID", 0.97),
    "ROLE_ROLLUP_2": ("MGR_ID", 0.96),
    "ROLE_DEPTNAME": ("MGR_ID", 0.95),
    "ROLE_TITLE": ("MGR_ID", 0.85),
    "ROLE_FAMILY_DESC": ("ROLE_TITLE", 0.85),
    "ROLE_FAMILY": ("ROLE_TITLE", 1.0),
    "ROLE_CODE": ("ROLE_TITLE", 1.0),
}
"""The column that a column follows, and how often: a category has a favourite in each column
that follows its own."""


def _table(rng: np.random.Generator, samples: int) -> NDArray[np.int64]:
    """Draw the categories, shape (samples, columns)."""
    sizes = dict(zip(COLUMNS, SIZES, strict=True))
    drawn: dict[str, NDArray[np.int64]] = {}
    for name, (leader, share) in FOLLOWS.items():
        drawn[name] = _power_law(rng, sizes[name], samples)
        if leader is not None:
            favourite = _power_law(rng, sizes[name], sizes[leader])
            faithful = rng.random(samples) < share
            drawn[name] = np.where(faithful, favourite[drawn[leader]], drawn[name])
    return np.column_stack([drawn[name] for name in COLUMNS])


def _power_law(rng: np.random.Generator, size: int, count: int) -> NDArray[np.int64]:
    weights = np.arange(1, size + 1) ** -POWER
    edges = np.cumsum(weights) / weights.sum()
    return np.minimum(np.searchsorted(edges, rng.random(count)), size - 1)
