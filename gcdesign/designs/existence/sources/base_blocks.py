"""Designs developed from base blocks that come with gcdesign."""

from __future__ import annotations

from collections.abc import Iterator

from gcdesign.designs.base_block_table import stored_lines
from gcdesign.designs.design import Provenance
from gcdesign.designs.existence.parameters import Bibd
from gcdesign.designs.existence.source import Known, Source


def propose(wanted: Bibd, known: Known) -> Iterator[Provenance]:
    """Yield the stored design, if there is one."""
    v, k, lambda_ = wanted
    if (v, k, lambda_) in stored_lines():
        yield Provenance.of("base-blocks", points=v, size=k, index=lambda_)


SOURCE = Source(
    name="base blocks",
    reference="base blocks developed by a group, stored in the package",
    propose=propose,
    cost=1,
)
