"""Residual and derived designs of symmetric ones."""

from __future__ import annotations

from collections.abc import Iterator

from gcdesign.designs.design import Provenance
from gcdesign.designs.existence.parameters import Bibd
from gcdesign.designs.existence.source import Known, Source


def propose(wanted: Bibd, known: Known) -> Iterator[Provenance]:
    """Yield the residual or derived design of a symmetric design with the fitting parameters."""
    v, k, lambda_ = wanted
    if wanted.is_symmetric:
        return
    if wanted.is_quasi_residual:
        symmetric = known(v + wanted.r, wanted.r, lambda_)
        if symmetric is not None:
            yield Provenance.of("residual", symmetric, block=0)
    if k == lambda_ + 1 and not v * (v - 1) % k:
        symmetric = known(1 + v * (v - 1) // k, v, k)
        if symmetric is not None:
            yield Provenance.of("derived", symmetric, block=0)


SOURCE = Source(
    name="symmetric",
    reference="the residual or derived design of a symmetric one",
    propose=propose,
    cost=2,
)
