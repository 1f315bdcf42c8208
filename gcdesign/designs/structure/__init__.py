"""Structure of any design: ranks, resolutions, block graphs, extreme point sets, extensions."""

from gcdesign.designs.structure.block_graph import block_graph, spectrum
from gcdesign.designs.structure.embedding import embed_as_residual
from gcdesign.designs.structure.extension import Completion, extend
from gcdesign.designs.structure.point_sets import (
    PointSet,
    largest_arc,
    smallest_blocking_set,
    smallest_transversal,
)
from gcdesign.designs.structure.ranks import incidence_rank, p_rank, smith_form
from gcdesign.designs.structure.resolution import (
    ResolutionSearch,
    all_resolutions,
    find_resolution,
    parallel_classes,
)
from gcdesign.designs.structure.solving import Limits

__all__ = [
    "Completion",
    "Limits",
    "PointSet",
    "ResolutionSearch",
    "all_resolutions",
    "block_graph",
    "embed_as_residual",
    "extend",
    "find_resolution",
    "incidence_rank",
    "largest_arc",
    "p_rank",
    "parallel_classes",
    "smallest_blocking_set",
    "smallest_transversal",
    "smith_form",
    "spectrum",
]
