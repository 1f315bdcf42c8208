"""Placements: which of N workers holds which of K data parts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs import BlockDesign, dual, label
from gcdesign.designs.design import constant
from gcdesign.designs.operations import transpose
from gcdesign.designs.registry import point_transitive
from gcdesign.errors import InputError

if TYPE_CHECKING:
    import networkx

WorkersAre = Literal["blocks", "points"]


@dataclass(frozen=True)
class Placement:
    """A placement of K parts on N workers: a block design read as workers holding parts.

    Parameters
    ----------
    design
        Its blocks are the workers and its points are the parts, so N = b, K = v, the load
        L = k and the replication R = r. Use `from_design` to read it the other way.

    Examples
    --------
    >>> from gcdesign.designs import projective_geometry
    >>> placement = Placement(projective_geometry(5))
    >>> placement.workers, placement.parts, placement.load, placement.replication
    (31, 31, 6, 6)
    """

    design: BlockDesign

    @classmethod
    def from_design(cls, design: BlockDesign, *, workers: WorkersAre = "blocks") -> Placement:
        """Read a design with its blocks, or its points, as the workers.

        Raises
        ------
        InputError
            If ``workers`` is neither ``"blocks"`` nor ``"points"``.
        """
        if workers not in ("blocks", "points"):
            raise InputError(f"workers={workers!r}; expected 'blocks' or 'points'")
        return cls(design if workers == "blocks" else dual(design))

    @property
    def label(self) -> str:
        """Short title, such as ``"PG(2,5)"``."""
        return label(self.design)

    @property
    def workers(self) -> int:
        """Number of workers N."""
        return self.design.b

    @property
    def parts(self) -> int:
        """Number of data parts K."""
        return self.design.v

    @property
    def loads(self) -> NDArray[np.int64]:
        """Shape (N,): the number of parts that each worker holds."""
        return self.design.block_sizes

    @property
    def replications(self) -> NDArray[np.int64]:
        """Shape (K,): the number of workers that hold each part."""
        return self.design.replication_numbers

    @property
    def load(self) -> int | None:
        """The load L, or None if the workers' loads differ."""
        return constant(self.loads)

    @property
    def replication(self) -> int | None:
        """The replication R, or None if the parts' replications differ."""
        return constant(self.replications)

    @cached_property
    def part_transitive(self) -> bool:
        """Whether a symmetry is known that carries any part to any other.

        The family of the design promises it, and the design has been compared with the family.
        """
        return point_transitive(self.design)

    @cached_property
    def holders(self) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """CSR pair (indptr, workers): the workers that hold each part."""
        return transpose(self.design)

    def holders_of(self, part: int) -> NDArray[np.int32]:
        """Return the workers that hold one part.

        Raises
        ------
        InputError
            If there is no such part.
        """
        if not 0 <= part < self.parts:
            raise InputError(f"part {part}; expected 0 to {self.parts - 1}")
        indptr, workers = self.holders
        return workers[indptr[part] : indptr[part + 1]]

    def neighbourhood(self, parts: Iterable[int]) -> NDArray[np.int32]:
        """Return N(T), all workers that hold some part of T, in increasing order."""
        lists = [self.holders_of(part) for part in parts]
        return np.unique(np.concatenate(lists)) if lists else np.empty(0, dtype=np.int32)

    def lost_parts(self, silenced: Iterable[int]) -> NDArray[np.int64]:
        """Return the parts that are held by silenced workers only, in increasing order.

        A part that nobody holds is lost in any case.
        """
        alive = ~self.mask(silenced)
        kept = self.design.indices[alive[self.design.block_of_incidence]]
        return np.flatnonzero(np.bincount(kept, minlength=self.parts) == 0)

    def mask(self, workers: Iterable[int]) -> NDArray[np.bool_]:
        """Return a boolean array of shape (N,) that is True at the given workers.

        Raises
        ------
        InputError
            If a worker is no whole number, out of range or named twice.
        """
        result = np.zeros(self.workers, dtype=bool)
        if isinstance(workers, np.ndarray) and workers.dtype.kind in "iu" and workers.ndim == 1:
            inside = workers[(workers >= 0) & (workers < self.workers)]
            result[inside] = True
            if np.count_nonzero(result) == len(workers):
                return result
            result[:] = False  # something is wrong with them: one by one, to say what
        for worker in workers:
            if isinstance(worker, bool) or not isinstance(worker, int | np.integer):
                raise InputError(f"worker {worker!r}; expected the number of a worker")
            if not 0 <= worker < self.workers:
                raise InputError(f"worker {worker}; expected 0 to {self.workers - 1}")
            if result[worker]:
                raise InputError(f"worker {worker} is named twice")
            result[worker] = True
        return result

    def graph(self) -> networkx.Graph[int]:
        """Return the worker–part graph: workers are 0 … N − 1, parts are N … N + K − 1."""
        return self.design.graph()
