"""The value type of the `designs` room: an immutable block design that knows its provenance."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.values import ParameterValue, json_value, settings_text
from gcdesign.errors import InputError, LimitError

if TYPE_CHECKING:
    import networkx
    import scipy.sparse

MAX_POINTS = 10_000_000
"""Largest number of points, and of blocks, that a design may have."""

MAX_INCIDENCES = 500_000_000
"""Largest number of (point, block) incidences that a design may have (2 GB of indices)."""


@dataclass(frozen=True)
class Provenance:
    """How a design was made: a family with its parameters, or an operation on another design.

    Parameters
    ----------
    family
        Name of a registered family (``"pg"``) or of an operation (``"dual"``).
    parameters
        The parameters as (name, value) pairs, in the order in which the family declares them.
    source
        What the operation was applied to; None for a family, and for an operation on a
        design of unknown origin.

    Examples
    --------
    >>> plane = Provenance.of("pg", q=5, dim=2, flats=1)
    >>> plane.spec
    'pg:q=5,dim=2,flats=1'
    >>> Provenance.of("residual", plane, block=0).spec
    'residual(pg:q=5,dim=2,flats=1,block=0)'
    """

    family: str
    parameters: tuple[tuple[str, ParameterValue], ...] = ()
    source: Provenance | None = None

    @classmethod
    def of(
        cls, family: str, source: Provenance | None = None, **parameters: ParameterValue
    ) -> Provenance:
        """Build a provenance from keyword parameters."""
        return cls(family, tuple(parameters.items()), source)

    @property
    def values(self) -> dict[str, ParameterValue]:
        """The parameters as a dictionary."""
        return dict(self.parameters)

    @property
    def spec(self) -> str:
        """The name in place (``"pg:q=5,dim=2,flats=1"``); operations wrap it in parentheses."""
        settings = settings_text(self.parameters)
        if self.source is None:
            return f"{self.family}:{settings}" if settings else self.family
        inner = self.source.spec
        return f"{self.family}({inner},{settings})" if settings else f"{self.family}({inner})"

    def __str__(self) -> str:
        return self.spec

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form: ``family``, ``parameters`` and, for operations, ``of``."""
        parameters = {name: json_value(value) for name, value in self.parameters}
        document: dict[str, Any] = {"family": self.family, "parameters": parameters}
        if self.source is not None:
            document["of"] = self.source.to_json()
        return document


class Size(NamedTuple):
    """Numbers of points, blocks and incidences, known before a design is built."""

    v: int
    b: int
    incidences: int


@dataclass(frozen=True)
class DesignParameters:
    """The parameters (v, b, r, k, λ); ``None`` where a design has no constant value.

    ``r`` is the replication number (blocks through a point), ``k`` the block size and
    ``lambda_`` the number of blocks through each pair of points.
    """

    v: int
    b: int
    r: int | None
    k: int | None
    lambda_: int | None

    def __str__(self) -> str:
        shown = ("–" if value is None else str(value) for value in self.as_tuple())
        return f"({', '.join(shown)})"

    def as_tuple(self) -> tuple[int, int, int | None, int | None, int | None]:
        """Return (v, b, r, k, λ)."""
        return self.v, self.b, self.r, self.k, self.lambda_


@dataclass(frozen=True, eq=False)
class BlockDesign:
    """A finite incidence structure: v points and a sequence of blocks, each a set of points.

    Repeated blocks and empty blocks are allowed (a design is a multiset of blocks); a block
    that names a point twice or a point out of range is refused.

    Parameters
    ----------
    v
        Number of points; points are 0, …, v − 1.
    indptr
        Shape (b + 1,): block i is ``indices[indptr[i]:indptr[i + 1]]``.
    indices
        Shape (number of incidences,): the points of each block, in increasing order.
    provenance
        How the design was made, if that is known.
    block_classes
        Shape (b,): the parallel class of each block, if a resolution is known.

    Raises
    ------
    InputError
        If the arrays do not describe a design.
    LimitError
        If the design is larger than `MAX_POINTS` or `MAX_INCIDENCES`.

    Examples
    --------
    >>> fano = BlockDesign.from_blocks([{0, 1, 3}, {1, 2, 4}, {2, 3, 5}, {3, 4, 6},
    ...                                 {4, 5, 0}, {5, 6, 1}, {6, 0, 2}])
    >>> fano.parameters.as_tuple()
    (7, 7, 3, 3, 1)
    """

    v: int
    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    provenance: Provenance | None = None
    block_classes: NDArray[np.int32] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        check_size(Size(self.v, len(self.indptr) - 1, len(self.indices)))
        indptr = np.array(self.indptr, dtype=np.int64)
        given = np.asarray(self.indices)
        if given.size and not np.issubdtype(given.dtype, np.integer):
            raise InputError(f"block indices have type {given.dtype}; expected integers")
        _check_blocks(self.v, indptr, given)
        self._freeze(indptr, given.astype(np.int32))

    def _freeze(self, indptr: NDArray[np.int64], indices: NDArray[np.int32]) -> None:
        indptr.flags.writeable = False
        indices.flags.writeable = False
        object.__setattr__(self, "v", int(self.v))
        object.__setattr__(self, "indptr", indptr)
        object.__setattr__(self, "indices", indices)
        if self.block_classes is not None:
            classes = np.array(self.block_classes, dtype=np.int32)
            if classes.shape != (self.b,):
                raise InputError(
                    f"{classes.size} block classes for {self.b} blocks; expected one for each block"
                )
            classes.flags.writeable = False
            object.__setattr__(self, "block_classes", classes)

    @classmethod
    def from_blocks(
        cls,
        blocks: Iterable[Iterable[int]],
        *,
        points: int | None = None,
        provenance: Provenance | None = None,
        block_classes: Sequence[int] | None = None,
    ) -> BlockDesign:
        """Build a design from any iterable of blocks.

        Parameters
        ----------
        blocks
            The blocks, each an iterable of points.
        points
            Number of points v; by default one more than the largest point named.
        provenance, block_classes
            As in the class.
        """
        rows: list[list[Any]] = []
        for number, block in enumerate(blocks):
            if not isinstance(block, Iterable):
                raise InputError(f"block {number} is {block!r}; expected points")
            row = list(block)
            for point in row:
                if isinstance(point, bool) or not isinstance(point, int | np.integer):
                    raise InputError(f"block {number} holds {point!r}; expected a point number")
            rows.append(sorted(row))
        if points is None:
            points = 1 + max((row[-1] for row in rows if row), default=-1)
        check_size(Size(points, len(rows), sum(map(len, rows))))
        out_of_range = next(
            ((i, p) for i, row in enumerate(rows) for p in row if not 0 <= p < points), None
        )
        if out_of_range is not None:
            raise _point_out_of_range(*out_of_range, points)
        lengths = np.array([len(row) for row in rows], dtype=np.int64)
        flat = np.fromiter((p for row in rows for p in row), dtype=np.int32, count=lengths.sum())
        classes = None if block_classes is None else np.array(block_classes, dtype=np.int32)
        return cls(points, offsets(lengths), flat, provenance, classes)

    @classmethod
    def from_arrays(
        cls,
        v: int,
        indptr: NDArray[np.int64],
        indices: NDArray[np.int32],
        *,
        provenance: Provenance | None = None,
        block_classes: NDArray[np.int32] | None = None,
    ) -> BlockDesign:
        """Adopt arrays that the caller has just made and proved right, without copy or check.

        For constructions inside gcdesign, where checking again would cost more than building.
        """
        design = object.__new__(cls)
        object.__setattr__(design, "v", v)
        object.__setattr__(design, "provenance", provenance)
        object.__setattr__(design, "indptr", indptr)
        object.__setattr__(design, "block_classes", block_classes)
        design._freeze(indptr, indices)
        return design

    @classmethod
    def from_rows(
        cls,
        v: int,
        rows: NDArray[np.int32],
        *,
        provenance: Provenance | None = None,
        block_classes: NDArray[np.int32] | None = None,
    ) -> BlockDesign:
        """Adopt a (b, k) array of increasing rows, without copy or check; see `from_arrays`."""
        b, k = rows.shape
        return cls.from_arrays(
            v,
            np.arange(b + 1, dtype=np.int64) * k,
            rows.reshape(-1),
            provenance=provenance,
            block_classes=block_classes,
        )

    def with_provenance(self, provenance: Provenance | None) -> BlockDesign:
        """Return the same blocks with another provenance."""
        return BlockDesign.from_arrays(
            self.v,
            self.indptr,
            self.indices,
            provenance=provenance,
            block_classes=self.block_classes,
        )

    @property
    def b(self) -> int:
        """Number of blocks."""
        return len(self.indptr) - 1

    @property
    def incidences(self) -> int:
        """Number of (point, block) incidences."""
        return len(self.indices)

    def block(self, number: int) -> NDArray[np.int32]:
        """Return the points of one block, in increasing order."""
        if not 0 <= number < self.b:
            raise InputError(f"block {number} of {self.b}; expected 0 to {self.b - 1}")
        return self.indices[self.indptr[number] : self.indptr[number + 1]]

    def blocks(self) -> list[list[int]]:
        """Return all blocks as lists of points."""
        flat = self.indices.tolist()
        ends = self.indptr.tolist()
        return [flat[start:stop] for start, stop in pairwise(ends)]

    @cached_property
    def block_sizes(self) -> NDArray[np.int64]:
        """Shape (b,): the size of each block."""
        return np.diff(self.indptr)

    @cached_property
    def replication_numbers(self) -> NDArray[np.int64]:
        """Shape (v,): the number of blocks through each point."""
        found = np.zeros(self.v, dtype=np.int64)
        step = max(1 << 20, 4 * self.v)  # counted as wider integers: a copy of all would be slow
        for start in range(0, self.incidences, step):
            found += np.bincount(self.indices[start : start + step], minlength=self.v)
        return found

    @cached_property
    def block_of_incidence(self) -> NDArray[np.int32]:
        """Shape (incidences,): the block that each entry of `indices` belongs to."""
        return np.repeat(np.arange(self.b, dtype=np.int32), self.block_sizes)

    @cached_property
    def parameters(self) -> DesignParameters:
        """The parameters (v, b, r, k, λ), counted from the blocks."""
        from gcdesign.designs.counting import pair_count_range

        r, k = constant(self.replication_numbers), constant(self.block_sizes)
        least, most = pair_count_range(self)
        balanced = self.v >= 2 and least == most
        return DesignParameters(self.v, self.b, r, k, most if balanced else None)

    @property
    def parallel_classes(self) -> tuple[tuple[int, ...], ...] | None:
        """The blocks of each parallel class, or None where no resolution is known."""
        if self.block_classes is None:
            return None
        order = np.argsort(self.block_classes, kind="stable")
        _, starts = np.unique(self.block_classes[order], return_index=True)
        return tuple(tuple(part.tolist()) for part in np.split(order, starts[1:]))

    @cached_property
    def incidence(self) -> scipy.sparse.csr_array:
        """The b × v incidence matrix (row = block), sparse, with entries of type int8."""
        from scipy.sparse import csr_array

        data = np.ones(self.incidences, dtype=np.int8)
        return csr_array((data, self.indices, self.indptr), shape=(self.b, self.v))

    def dense_incidence(self) -> NDArray[np.int8]:
        """Return the b × v incidence matrix (row = block) as a dense array."""
        if self.b * self.v > MAX_INCIDENCES:
            raise LimitError(
                f"a dense {self.b} × {self.v} matrix is too large; use the sparse `incidence`"
            )
        matrix = np.zeros((self.b, self.v), dtype=np.int8)
        matrix[self.block_of_incidence, self.indices] = 1
        return matrix

    def graph(self) -> networkx.Graph[int]:
        """Return the bipartite graph: blocks are 0 … b − 1, points are b … b + v − 1.

        Nodes carry the attributes ``bipartite`` (0 block, 1 point) and ``kind``.
        """
        import networkx as nx

        graph: networkx.Graph[int] = nx.Graph()
        graph.add_nodes_from(range(self.b), bipartite=0, kind="block")
        graph.add_nodes_from(range(self.b, self.b + self.v), bipartite=1, kind="point")
        points = (self.indices + self.b).tolist()
        graph.add_edges_from(zip(self.block_of_incidence.tolist(), points, strict=True))
        return graph

    def __eq__(self, other: object) -> bool:
        """Equal means the same points and the same blocks in the same order."""
        if not isinstance(other, BlockDesign):
            return NotImplemented
        return (
            self.v == other.v
            and np.array_equal(self.indptr, other.indptr)
            and np.array_equal(self.indices, other.indices)
        )

    def __hash__(self) -> int:
        return hash((self.v, self.indptr.tobytes(), self.indices.tobytes()))

    def __str__(self) -> str:
        name = self.provenance.spec if self.provenance else "block design"
        return f"{name}: v={self.v}, b={self.b}, {self.incidences} incidences"

    __repr__ = __str__


def constant(values: NDArray[np.int64]) -> int | None:
    """Return the value that all entries share, or None (also for no entries at all).

    Examples
    --------
    >>> constant(np.array([3, 3, 3])), constant(np.array([3, 4]))
    (3, None)
    """
    if values.size == 0 or values.min() != values.max():
        return None
    return int(values[0])


def offsets(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the CSR offsets of rows with these lengths: one more entry, starting at 0."""
    result = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=result[1:])
    return result


def check_size(size: Size, *, name: str = "the design") -> None:
    """Refuse a size that is negative or beyond the limits, before any memory is taken."""
    if min(size) < 0:
        raise InputError(f"{name} has a negative size ({size.v} points, {size.b} blocks)")
    for count, limit, what in (
        (size.v, MAX_POINTS, "points"),
        (size.b, MAX_POINTS, "blocks"),
        (size.incidences, MAX_INCIDENCES, "incidences"),
    ):
        if count > limit:
            raise LimitError(f"{name} has {count} {what}; the limit is {limit}: take a smaller one")


def _check_blocks(v: int, indptr: NDArray[np.int64], indices: NDArray[Any]) -> None:
    if indptr[0] != 0 or indptr[-1] != len(indices) or (np.diff(indptr) < 0).any():
        raise InputError("block offsets do not rise from 0 to the number of incidences")
    if not len(indices):
        return

    def block_at(position: int) -> int:
        return int(np.searchsorted(indptr, position, side="right")) - 1

    wrong = np.flatnonzero((indices < 0) | (indices >= v))
    if wrong.size:
        raise _point_out_of_range(block_at(int(wrong[0])), int(indices[wrong[0]]), v)
    rising = np.diff(indices.astype(np.int64)) > 0
    rising[indptr[1:-1][(indptr[1:-1] > 0) & (indptr[1:-1] < len(indices))] - 1] = True
    falls = np.flatnonzero(~rising)
    if falls.size:
        at = int(falls[0])
        number, point = block_at(at), int(indices[at])
        if point == int(indices[at + 1]):
            raise InputError(f"block {number} holds point {point} twice; each point may occur once")
        raise InputError(f"block {number} is not in increasing order at point {point}")


def _point_out_of_range(block: int, point: int, v: int) -> InputError:
    expected = f"points 0 to {v - 1}" if v else "points from 0 on"
    return InputError(f"block {block} names point {point}; expected {expected}")
