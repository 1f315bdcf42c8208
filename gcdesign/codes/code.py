"""Gradient codes: a placement, an encoding matrix, and the decoding of what arrives."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gcdesign.codes.components import GraphComponents, graph_of
from gcdesign.codes.placement import Placement, WorkersAre
from gcdesign.codes.structure import Structure, structure_of
from gcdesign.designs import BlockDesign, Provenance
from gcdesign.errors import InputError

if TYPE_CHECKING:
    import scipy.sparse

    from gcdesign.codes.decoding import DecoderName, Decoding

MAX_MAGNITUDE = 100
"""Powers of 10 between which weights lie, so that products of them are floats too."""


@dataclass(frozen=True, eq=False)
class GradientCode:
    """A placement with the weights by which each worker combines its parts' gradients.

    Worker i sends Σ_j E_ij g_j. The placement is the support of the N × K matrix E.

    Parameters
    ----------
    placement
        Who holds what.
    weights
        Shape (incidences,): the entry of E at each incidence, in the placement's order; None
        stands for all ones, the 0/1 codes, whose errors are also known as fractions. Weights
        that are all 1 become None. Complex weights stand for two real messages of each worker,
        the real and the imaginary part of its combination.
    provenance
        The family of codes that made it, with all parameters; None for a code that its
        placement alone describes, and for one of unknown origin.
    tolerates
        The number S of stragglers that it was made to decode exactly; None if it was not made
        for any, or that is not known.

    Raises
    ------
    InputError
        If the weights do not fit, or are zero, not finite, or beyond 10^±`MAX_MAGNITUDE`.

    Examples
    --------
    >>> from gcdesign.designs import projective_geometry
    >>> code = GradientCode.from_design(projective_geometry(5))
    >>> code.decode(range(10)).error_exact
    Fraction(25, 13)
    """

    placement: Placement
    weights: NDArray[Any] | None = None
    provenance: Provenance | None = None
    tolerates: int | None = None

    def __post_init__(self) -> None:
        if self.weights is None:
            return
        weights = np.array(self.weights)
        if np.iscomplexobj(weights) and not weights.imag.any():
            weights = weights.real
        if not np.iscomplexobj(weights):
            weights = weights.astype(np.float64)
        if weights.shape != (self.placement.design.incidences,):
            raise InputError(
                f"{weights.size} weights for {self.placement.design.incidences} incidences"
            )
        if not np.isfinite(weights).all() or (weights == 0).any():
            raise InputError("weights must be finite and different from 0")
        outside = np.abs(np.log10(np.abs(weights))) > MAX_MAGNITUDE
        if outside.any():
            raise InputError(
                f"a weight {weights[outside][0]:g}; expected sizes from 1e-{MAX_MAGNITUDE} "
                f"to 1e{MAX_MAGNITUDE}: scale the workers' rows, which changes no error"
            )
        weights.flags.writeable = False
        object.__setattr__(self, "weights", None if (weights == 1).all() else weights)

    @classmethod
    def from_design(cls, design: BlockDesign, *, workers: WorkersAre = "blocks") -> GradientCode:
        """Return the 0/1 code of a design, with its blocks or its points as workers."""
        return cls(Placement.from_design(design, workers=workers))

    @classmethod
    def from_matrix(cls, matrix: Any) -> GradientCode:
        """Return the code of an N × K matrix, dense or scipy-sparse, row = worker.

        Raises
        ------
        InputError
            If the matrix is not two-dimensional and finite.

        Examples
        --------
        >>> GradientCode.from_matrix(np.array([[0.5, 1, 0], [0, 1, -1]])).placement.loads
        array([2, 2])
        """
        from scipy.sparse import csr_array, issparse

        if not issparse(matrix):
            dense = np.asarray(matrix)
            if dense.ndim != 2 or dense.dtype.kind not in "biufc":
                raise InputError(f"a matrix of shape {dense.shape}; expected N × K numbers")
            matrix = dense
        kind = np.complex128 if np.iscomplexobj(matrix) else np.float64
        rows: Any = csr_array(matrix).astype(kind)
        rows.sum_duplicates()
        if not np.isfinite(rows.data).all():
            raise InputError("the matrix holds NaN or infinity; expected finite numbers")
        rows.eliminate_zeros()
        design = BlockDesign(rows.shape[1], rows.indptr.astype(np.int64), rows.indices)
        return cls(Placement(design), rows.data)

    @property
    def workers(self) -> int:
        """Number of workers N."""
        return self.placement.workers

    @property
    def parts(self) -> int:
        """Number of data parts K."""
        return self.placement.parts

    @property
    def label(self) -> str:
        """Short title, such as ``"PG(2,5)"``."""
        if self.provenance is None:
            return self.placement.label
        from gcdesign.codes.registry import declared

        return declared(self.provenance.family).title(self.provenance.values)

    @property
    def family(self) -> str | None:
        """Name of the family, or the operation, that made the code or its placement."""
        made = self.provenance or self.placement.design.provenance
        return made.family if made else None

    @cached_property
    def evaluation_points(self) -> NDArray[Any] | None:
        """The points of a Reed–Solomon code, shape (N,); None for every other code.

        Its family promises them, and whoever interpolates checks the outcome.
        """
        if self.provenance is None or self.provenance.family != "rs":
            return None
        from gcdesign.codes.families.rs import evaluation_points

        return evaluation_points(self.workers)

    def promises(self, stragglers: int) -> bool:
        """Whether the code was made to lose nothing with so many stragglers."""
        return self.tolerates is not None and stragglers <= self.tolerates

    @property
    def is_complex(self) -> bool:
        """Whether some weight has an imaginary part."""
        return self.weights is not None and np.iscomplexobj(self.weights)

    @cached_property
    def structure(self) -> Structure | None:
        """The structure that decodes in closed form, or None; always None for real weights."""
        return structure_of(self.placement) if self.weights is None else None

    @cached_property
    def graph(self) -> GraphComponents | None:
        """The graph of a 0/1 code whose workers hold at most two parts each, or None."""
        return graph_of(self.placement) if self.weights is None else None

    @cached_property
    def encoding(self) -> scipy.sparse.csr_array:
        """The encoding matrix E, shape (N, K), sparse."""
        from scipy.sparse import csr_array

        design = self.placement.design
        data = np.ones(design.incidences) if self.weights is None else self.weights
        return csr_array((data, design.indices, design.indptr), shape=(design.b, design.v))

    def dense_encoding(self) -> NDArray[Any]:
        """Return the encoding matrix E, shape (N, K), as a dense array."""
        dense: NDArray[Any] = self.encoding.toarray()
        return dense

    def encode(self, gradients: NDArray[Any]) -> NDArray[Any]:
        """Return what each worker sends, Σ_j E_ij g_j.

        Parameters
        ----------
        gradients
            Shape (K, …): the gradient of each part.

        Returns
        -------
        array
            Shape (N, …), complex for complex weights.

        Raises
        ------
        InputError
            If there is not one gradient for each part.

        Examples
        --------
        >>> from gcdesign.designs import projective_geometry
        >>> GradientCode.from_design(projective_geometry(2)).encode(np.ones(7))
        array([3., 3., 3., 3., 3., 3., 3.])
        """
        given = np.asarray(gradients)
        if given.ndim == 0 or len(given) != self.parts:
            raise InputError(
                f"gradients of shape {given.shape}; expected one for each of {self.parts} parts"
            )
        flat = self.encoding @ given.reshape(self.parts, -1)
        sent: NDArray[Any] = np.asarray(flat).reshape(self.workers, *given.shape[1:])
        return sent

    def levelled_encoding(self) -> NDArray[Any]:
        """Return the dense encoding matrix, each row scaled by a power of 2.

        The greatest entry of a row is then at least 1 and below 2. Nothing is rounded and no
        decoding error changes; see `gcdesign.codes.decoding.level`.
        """
        from gcdesign.codes.decoding import level

        dense = self.dense_encoding()
        powers = level(np.abs(dense).max(axis=1, initial=0.0))
        levelled: NDArray[Any] = dense * np.ldexp(1.0, powers)[:, None]
        return levelled

    def decode(self, silenced: Iterable[int], *, decoder: DecoderName = "optimal") -> Decoding:
        """Return decoding weights for the workers that are not silenced.

        See `gcdesign.codes.decoding.decode`.
        """
        from gcdesign.codes.decoding import decode

        return decode(self, silenced, decoder=decoder)
