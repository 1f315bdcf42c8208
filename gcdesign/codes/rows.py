"""From the weights of each worker, in the order in which a paper lists its parts, to a code."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gcdesign.codes.code import GradientCode
from gcdesign.codes.placement import Placement
from gcdesign.designs import BlockDesign, Provenance, family
from gcdesign.designs.design import Size, check_size
from gcdesign.errors import InputError


def check_workers(workers: int, stragglers: int, *, name: str, load: int) -> None:
    """Refuse numbers that no exact code has, and codes that are too large to build.

    Parameters
    ----------
    workers, stragglers
        N and S; 0 ≤ S < N is needed.
    name
        Family, for messages.
    load
        Parts of each worker.
    """
    if workers < 1:
        raise InputError(f"workers={workers}; expected 1 or more")
    if not 0 <= stragglers < workers:
        raise InputError(
            f"stragglers={stragglers}; expected 0 to {workers - 1} (workers - 1): somebody must "
            "answer"
        )
    check_size(circulant_size(workers, load), name=f"{name}:workers={workers}")


def circulant_size(workers: int, load: int) -> Size:
    """Return the size of a circulant code."""
    return Size(workers, workers, workers * load)


def circulant_code(
    weights: NDArray[Any], *, provenance: Provenance, tolerates: int | None
) -> GradientCode:
    """Return the code in which worker i sends Σ_d weights[i, d] g_(i+d mod N).

    Parameters
    ----------
    weights
        Shape (N, L), different from 0.
    provenance, tolerates
        As in `GradientCode`.

    Examples
    --------
    >>> rows = np.array([[1.0, 2], [1, 2], [1, 2]])
    >>> circulant_code(rows, provenance=Provenance.of("example"), tolerates=None).dense_encoding()
    array([[1., 2., 0.],
           [0., 1., 2.],
           [2., 0., 1.]])
    """
    workers, load = weights.shape
    design = family("circulant").build({"workers": workers, "load": load})
    columns = (np.arange(workers)[:, None] + np.arange(load)) % workers
    return code_of_rows(design, columns, weights, provenance=provenance, tolerates=tolerates)


def code_of_rows(
    design: BlockDesign,
    columns: NDArray[np.int64],
    weights: NDArray[Any],
    *,
    provenance: Provenance,
    tolerates: int | None,
) -> GradientCode:
    """Return the code of a design whose block i is row i of ``columns``, in any order.

    Parameters
    ----------
    design
        The placement, blocks as workers.
    columns, weights
        Shape (N, L): the parts of each worker and their weights.
    provenance, tolerates
        As in `GradientCode`.
    """
    order = np.argsort(columns, axis=1)
    ordered = np.take_along_axis(weights, order, axis=1).reshape(-1)
    return GradientCode(Placement(design), ordered, provenance, tolerates)
