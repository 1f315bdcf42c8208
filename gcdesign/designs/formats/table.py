"""The one table of formats: names, suffixes, readers and writers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from gcdesign.designs.design import BlockDesign
from gcdesign.designs.formats.alist import read_alist, write_alist
from gcdesign.designs.formats.ascii_graphs import (
    read_graph6,
    read_sparse6,
    write_graph6,
    write_sparse6,
)
from gcdesign.designs.formats.blocklist import read_blocks, write_blocks
from gcdesign.designs.formats.designtheory import read_designtheory, write_designtheory
from gcdesign.designs.formats.document import dumps, loads
from gcdesign.designs.formats.gap import read_gap, write_gap
from gcdesign.designs.formats.graphs import read_graphml, write_edges, write_graphml
from gcdesign.designs.formats.lajolla import read_lajolla, write_lajolla
from gcdesign.designs.formats.matrices import (
    matrix_to_design,
    read_matrix,
    write_csv,
    write_mtx,
    write_npz,
)
from gcdesign.designs.formats.sage import read_sage, write_sage
from gcdesign.designs.formats.text import shown
from gcdesign.errors import InputError

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    Content = BlockDesign | csr_array[Any, tuple[int, int]]


@dataclass(frozen=True)
class Format:
    """The declaration of a file format.

    Attributes
    ----------
    name
        Its name for ``encode`` and ``read``.
    suffixes
        File name endings; `read_file` goes by them, and the first is the usual one.
    help
        One line that says what it is for.
    write
        Turns a design into the bytes of a file.
    read
        Turns bytes into a design or a matrix, given the keyword ``name`` for messages; None
        for a format that is only written.
    """

    name: str
    suffixes: tuple[str, ...]
    help: str
    write: Callable[[BlockDesign], bytes]
    read: Callable[..., Content] | None = None


def _read_placement(data: bytes, *, kind: str, name: str) -> Content:
    """Read a matrix, and make a design of it if its entries are 0 and 1."""
    matrix = read_matrix(data, kind, name=name)
    return matrix_to_design(matrix) if (matrix.data == 1).all() else matrix


FORMATS: tuple[Format, ...] = (
    Format("json", (".json",), "canonical, with provenance; the one to keep", dumps, loads),
    Format(
        "npz",
        (".npz",),
        "sparse matrix for scipy.sparse.load_npz",
        write_npz,
        partial(_read_placement, kind="npz"),
    ),
    Format(
        "mtx",
        (".mtx",),
        "MatrixMarket, pattern general",
        write_mtx,
        partial(_read_placement, kind="mtx"),
    ),
    Format(
        "csv",
        (".csv",),
        "dense 0/1 matrix, comma separated",
        write_csv,
        partial(_read_placement, kind="csv"),
    ),
    Format(
        "blocks", (".blocks", ".txt"), "plain text, one block to a line", write_blocks, read_blocks
    ),
    Format("alist", (".alist",), "parity check matrix, workers as rows", write_alist, read_alist),
    Format("gap", (".g", ".gap"), "block design for GAP's DESIGN package", write_gap, read_gap),
    Format(
        "designtheory",
        (".xml",),
        "external representation of designtheory.org, XML",
        write_designtheory,
        read_designtheory,
    ),
    Format("sage", (".sage",), "incidence structure for SageMath", write_sage, read_sage),
    Format("lajolla", (".ljcr",), "one block to a line, from 1", write_lajolla, read_lajolla),
    Format("graph6", (".g6",), "incidence graph, dense", write_graph6, read_graph6),
    Format("sparse6", (".s6",), "incidence graph, sparse", write_sparse6, read_sparse6),
    Format("graphml", (".graphml",), "bipartite graph as GraphML", write_graphml, read_graphml),
    Format("edges", (".edges",), "bipartite graph as an edge list", write_edges),
)
"""Every format, in the order in which they are listed to people."""


def encode(design: BlockDesign, format_name: str) -> bytes:
    r"""Return the bytes of a file that holds the design.

    Raises
    ------
    InputError
        If there is no such format, or it cannot hold this design.
    LimitError
        If the design is too large for it.

    Examples
    --------
    >>> encode(BlockDesign.from_blocks([[0, 2], [1]]), "csv")
    b'1,0,1\n0,1,0\n'
    """
    for known in FORMATS:
        if known.name == format_name:
            return known.write(design)
    names = ", ".join(known.name for known in FORMATS)
    raise InputError(f"no format is called {shown(format_name)}; expected one of: {names}")
