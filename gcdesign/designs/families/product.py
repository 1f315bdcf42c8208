"""Products of two placements: a worker is a pair of workers, a part a pair of parts."""

from __future__ import annotations

import numpy as np

from gcdesign.designs.counting import ranges
from gcdesign.designs.design import BlockDesign, Provenance, Size, check_size, offsets
from gcdesign.designs.registry import Family, Parameter, parse_spec, size_of, title
from gcdesign.designs.registry import build as build_provenance
from gcdesign.designs.values import DESIGN
from gcdesign.errors import InputError


def construct(left: str, right: str) -> BlockDesign:
    """Return the placement E₁ ⊗ E₂: worker (i₁, i₂) holds (j₁, j₂) if i₁ holds j₁ and i₂ holds j₂.

    Worker (i₁, i₂) has the number i₁N₂ + i₂, part (j₁, j₂) the number j₁K₂ + j₂. N = N₁N₂,
    K = K₁K₂, and the loads multiply.

    Parameters
    ----------
    left, right
        Names in place of the two factors.

    Raises
    ------
    InputError
        If a factor has no incidence, or is no design of a family.

    Notes
    -----
    Source: Sakorikar and Wang 2021, Soft BIBD and product gradient codes. Silencing super-rows
    shows err_{jN₂}(E₁ ⊗ E₂) ≥ K₂ err_j(E₁): a product is never better than a factor at the same
    share of stragglers.
    """
    check_size(size(left, right), name=f"product:left=({left:.80}),right=({right:.80})")
    first, second = (build_provenance(parse_spec(name)) for name in (left, right))
    assert first.provenance is not None  # set by every family
    assert second.provenance is not None
    provenance = Provenance.of("product", left=first.provenance.spec, right=second.provenance.spec)
    sizes = np.multiply.outer(first.block_sizes, second.block_sizes).reshape(-1)
    # In block (i₁, i₂) each point of block i₁ goes with the whole of block i₂.
    pairs = first.block_of_incidence[:, None].astype(np.int64) * second.b + np.arange(second.b)
    order = np.argsort(pairs, axis=None, kind="stable")
    point, partner = np.divmod(order, second.b)
    lengths = second.block_sizes[partner]
    inner = second.indices[ranges(second.indptr[partner], lengths)]
    indices = np.repeat(first.indices[point].astype(np.int64), lengths) * second.v + inner
    return BlockDesign.from_arrays(
        first.v * second.v, offsets(sizes), indices.astype(np.int32), provenance=provenance
    )


def size(left: str, right: str) -> Size:
    """Return the size of the product; errors as for its factors."""
    first, second = (_size_of(name) for name in (left, right))
    return Size(first.v * second.v, first.b * second.b, first.incidences * second.incidences)


def _size_of(name: str) -> Size:
    provenance = parse_spec(name)
    found = size_of(provenance)
    check_size(found, name=name[:80])
    if provenance.source is not None:  # of what an operation makes only bounds are known before
        design = build_provenance(provenance)
        found = Size(design.v, design.b, design.incidences)
    if not found.incidences:
        raise InputError(f"{name} has no incidence at all; take another factor")
    return found


def label(left: str, right: str) -> str:
    """Return ``"PG(2,2) × FRC (N=4, S=1)"``."""
    return " × ".join(title(parse_spec(name)) for name in (left, right))


FAMILY = Family(
    name="product",
    summary="product of two placements: pairs of workers hold pairs of parts",
    source="Sakorikar and Wang 2021",
    parameters=(
        Parameter("left", "first factor, a name in place such as pg:q=2", kind=DESIGN),
        Parameter("right", "second factor, a name in place", kind=DESIGN),
    ),
    construct=construct,
    size=size,
    label=label,
    example={"left": "pg:q=2,dim=2,flats=1", "right": "frc:workers=4,stragglers=1,parts=4"},
    domain="any two placements with a name in place",
)
