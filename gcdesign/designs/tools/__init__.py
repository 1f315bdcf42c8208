"""Tools on any design: ranks, resolutions, block graphs, extreme point sets, extensions."""

from gcdesign.designs.tools.block_graph import block_graph, spectrum
from gcdesign.designs.tools.embedding import embed_as_residual
from gcdesign.designs.tools.extension import Completion, extend
from gcdesign.designs.tools.point_sets import (
    PointSet,
    largest_arc,
    smallest_blocking_set,
    smallest_transversal,
)
from gcdesign.designs.tools.ranks import incidence_rank, p_rank, smith_form
from gcdesign.designs.tools.resolution import (
    ResolutionSearch,
    all_resolutions,
    find_resolution,
    parallel_classes,
)
from gcdesign.designs.tools.solving import Limits

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
