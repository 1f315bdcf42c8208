"""SageMath's side of the benchmarks; its own interpreter runs this, see ``peers.py``."""

from __future__ import annotations

from typing import Any

from forking import serve
from sage.all__sagemath_combinat import *  # noqa: F403
from sage.all__sagemath_gap import *  # noqa: F403
from sage.all__sagemath_graphs import *  # noqa: F403
from sage.all__sagemath_groups import *  # noqa: F403
from sage.all__sagemath_schemes import *  # noqa: F403
from sage.combinat.designs import design_catalog as designs
from sage.combinat.designs.incidence_structures import IncidenceStructure
from sage.combinat.matrices.hadamard_matrix import hadamard_matrix
from sage.rings.finite_rings.finite_field_constructor import GF
from sage.rings.integer import Integer


def existence(v: int, k: int, index: int) -> str:
    """Return whether a design exists, in one word."""
    answer = designs.balanced_incomplete_block_design(v, k, lambd=index, existence=True)
    return {True: "exists", False: "impossible"}.get(answer, "unknown")


def catalogue() -> list[str]:
    """Return the names of all designs in Sage's catalogue."""
    return [name for name in vars(designs) if not name.startswith("_") and name != "lazy_import"]


def describe(found: Any) -> Any:
    """Return what can be compared with the answers of other programs."""
    if isinstance(found, IncidenceStructure):
        return [found.num_points(), found.num_blocks(), sorted(set(map(int, found.block_sizes())))]
    if hasattr(found, "dimensions"):  # a Hadamard matrix of order n
        return [found.nrows(), (found * found.T).is_scalar()]
    if isinstance(found, tuple):
        return [describe(part) for part in found]
    return found if isinstance(found, bool | str | list) else int(found)


NAMES = {
    "designs": designs,
    "existence": existence,
    "catalogue": catalogue,
    "hadamard_matrix": hadamard_matrix,
    "IncidenceStructure": IncidenceStructure,
    "GF": GF,
    "Integer": Integer,
}

if __name__ == "__main__":
    serve(NAMES, describe)
