"""graph6 and sparse6: the incidence graph of a design in printable characters.

Blocks are the vertices 0 … b − 1 and points b … b + v − 1. The formats do not say where the points
begin; the edges do, unless the last block is empty or the first point in no block.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.design import MAX_INCIDENCES, MAX_POINTS, BlockDesign, offsets
from gcdesign.designs.formats.text import MAX_BYTES, check_beginning, naming, shown
from gcdesign.errors import InputError, LimitError

HEADERS = {"graph6": b">>graph6<<", "sparse6": b">>sparse6<<"}

CHUNK = 1 << 20

Edges = tuple[NDArray[np.int64], NDArray[np.int64]]


def write_graph6(design: BlockDesign) -> bytes:
    r"""Return the incidence graph in graph6: one bit for each pair of vertices.

    Raises
    ------
    InputError
        If the file would not say where the points begin.
    LimitError
        If there are too many vertices.

    Notes
    -----
    Source: B. D. McKay, *Description of graph6, sparse6 and digraph6 encodings*.

    Examples
    --------
    >>> write_graph6(BlockDesign.from_blocks([[0, 1], [1]]))
    b'>>graph6<<CU\n'
    """
    _check_sides(design, "graph6")
    n = design.b + design.v
    pairs = n * (n - 1) // 2
    if pairs // 6 > MAX_BYTES:
        raise LimitError(f"graph6 of {n} vertices takes {pairs // 6} bytes; use sparse6")
    bits = np.zeros(-(-pairs // 6) * 6, dtype=bool)
    high = design.indices.astype(np.int64) + design.b
    bits[high * (high - 1) // 2 + design.block_of_incidence] = True
    return HEADERS["graph6"] + _size_text(n) + _characters(bits) + b"\n"


def write_sparse6(design: BlockDesign) -> bytes:
    r"""Return the incidence graph in sparse6: a few bits for each edge.

    Raises
    ------
    InputError
        If the file would not say where the points begin.

    Examples
    --------
    >>> write_sparse6(BlockDesign.from_blocks([[0, 1], [1]]))
    b'>>sparse6<<:Co`\n'
    """
    _check_sides(design, "sparse6")
    n = design.b + design.v
    width = (n - 1).bit_length()
    order = np.lexsort((design.block_of_incidence, design.indices))
    highs = (design.indices[order].astype(np.int64) + design.b).tolist()
    lows = design.block_of_incidence[order].tolist()
    numbers: list[int] = []
    vertex = 0
    for high, low in zip(highs, lows, strict=True):
        if high == vertex:
            numbers.append(low)
        elif high == vertex + 1:
            numbers.append((1 << width) | low)
        else:
            numbers += [(1 << width) | high, low]
        vertex = high
    bits = _bits_of(np.array(numbers, dtype=np.int64), width + 1)
    missing = -len(bits) % 6
    # Ones alone could be read as one more edge of the last vertex: then a zero comes first.
    fill = np.ones(missing, dtype=bool)
    if width < 6 and n == 1 << width and missing >= width and vertex < n - 1:
        fill[0] = False
    characters = _characters(np.concatenate([bits, fill]))
    return HEADERS["sparse6"] + b":" + _size_text(n) + characters + b"\n"


def read_graph6(data: bytes, *, name: str) -> BlockDesign:
    """Read a bipartite graph in graph6 as the incidence graph of a design.

    If all edges go from the first so many vertices to the others, those are the blocks. Otherwise
    the graph must be connected, and the blocks are the side of vertex 0.

    Raises
    ------
    InputError
        If the file is malformed, or the graph has no two sides that can be told apart.
    LimitError
        If it is too large.

    Examples
    --------
    >>> read_graph6(b"CU", name="path.g6").blocks()
    [[0, 1], [1]]
    """
    with naming(name):
        n, body = _opened(data, "graph6")
        pairs = n * (n - 1) // 2
        if len(body) != -(-pairs // 6):
            raise InputError(f"{len(body)} characters for {n} vertices; expected {-(-pairs // 6)}")
        found = list(_ones(body))
        places = np.concatenate(found) if found else np.empty(0, dtype=np.int64)
        if len(places) and places[-1] >= pairs:
            raise InputError("the bits that fill up the last character are not all 0")
        high = ((1 + np.sqrt(1 + 8 * places.astype(np.float64))) / 2).astype(np.int64)
        high += (high + 1) * high // 2 <= places
        high -= high * (high - 1) // 2 > places
        return _design(n, (places - high * (high - 1) // 2, high))


def read_sparse6(data: bytes, *, name: str) -> BlockDesign:
    """Read a bipartite graph in sparse6; the sides are found as by `read_graph6`.

    Examples
    --------
    >>> read_sparse6(b":Co`", name="path.s6").blocks()
    [[0, 1], [1]]
    """
    with naming(name):
        n, body = _opened(data, "sparse6")
        lows, highs, vertex = array("q"), array("q"), 0
        for more, number in _steps(body, (n - 1).bit_length()):
            vertex += more
            if number >= n or vertex >= n:
                break  # only what fills up the last character may come now
            if number > vertex:
                vertex = number
            else:
                lows.append(number)
                highs.append(vertex)
        return _design(n, (np.asarray(lows), np.asarray(highs)))


def _check_sides(design: BlockDesign, form: str) -> None:
    if not design.b or not design.v or not design.block_sizes[-1] or 0 not in design.indices:
        raise InputError(
            f"{form} does not say where the points begin if the last block is empty or the first "
            "point in no block; use json or mtx"
        )


def _size_text(n: int) -> bytes:
    if n <= 62:
        return bytes([n + 63])
    width, mark = (18, b"~") if n <= 258_047 else (36, b"~~")
    return mark + bytes(((n >> shift) & 63) + 63 for shift in range(width - 6, -1, -6))


def _characters(bits: NDArray[np.bool_]) -> bytes:
    sixes = bits.reshape(-1, 6)
    weights = np.array([32, 16, 8, 4, 2, 1], dtype=np.uint8)
    return (sixes @ weights + np.uint8(63)).astype(np.uint8).tobytes()


def _bits_of(numbers: NDArray[np.int64], width: int) -> NDArray[np.bool_]:
    shifts = np.arange(width - 1, -1, -1)
    return ((numbers[:, None] >> shifts) & 1).astype(bool).reshape(-1)


def _opened(data: bytes, form: str) -> tuple[int, bytes]:
    """Return the number of vertices and what comes after it, on the one line that there is."""
    check_beginning(data)
    lines = data.removeprefix(HEADERS[form]).split()
    if len(lines) != 1:
        raise InputError(f"holds {len(lines)} lines; expected one graph")
    line = lines[0]
    if form == "sparse6":
        if not line.startswith(b":"):
            raise InputError("does not start with a colon, as sparse6 does")
        line = line[1:]
    values = np.frombuffer(line, dtype=np.uint8)
    wrong = np.flatnonzero((values < 63) | (values > 126))
    if wrong.size:
        at = line[wrong[0] : wrong[0] + 1].decode("latin-1")
        raise InputError(f"holds the character {shown(at)}; {form} has those from ? to ~")
    skip, width = (2, 6) if line[:2] == b"~~" else (1, 3) if line[:1] == b"~" else (0, 1)
    digits = (values[skip : skip + width] - 63).tolist()
    if len(digits) < width:
        raise InputError("ends before the number of vertices")
    n = sum(digit << (6 * i) for i, digit in enumerate(reversed(digits)))
    if n > 2 * MAX_POINTS:
        raise LimitError(f"{n} vertices; the limit is {2 * MAX_POINTS}")
    return n, line[skip + width :]


def _bits(body: bytes) -> NDArray[np.uint8]:
    """Return the six bits of each character."""
    values = np.frombuffer(body, dtype=np.uint8) - np.uint8(63)
    return np.unpackbits(values[:, None], axis=1)[:, 2:].reshape(-1)


def _steps(body: bytes, width: int) -> Iterator[tuple[int, int]]:
    """Yield (bit, number of so many bits) as sparse6 lists them."""
    chunk = CHUNK // (width + 1) * (width + 1)
    for start in range(0, len(body), chunk):
        bits = _bits(body[start : start + chunk])
        count = len(bits) // (width + 1)
        rows = bits[: count * (width + 1)].reshape(count, width + 1).astype(np.int64)
        numbers = (rows[:, 1:] << np.arange(width - 1, -1, -1)).sum(axis=1)
        yield from zip(rows[:, 0].tolist(), numbers.tolist(), strict=True)


def _ones(body: bytes) -> Iterator[NDArray[np.int64]]:
    """Yield the places of the bits that are 1."""
    total = 0
    for start in range(0, len(body), CHUNK):
        places = np.flatnonzero(_bits(body[start : start + CHUNK])) + 6 * start
        total += len(places)
        if total > MAX_INCIDENCES:
            raise LimitError(f"more than {MAX_INCIDENCES} edges")
        yield places


def _design(n: int, edges: Edges) -> BlockDesign:
    """Return the design with this incidence graph; edges go from a lower to a higher vertex."""
    lows, highs = edges
    if not len(lows):
        raise InputError("has no edges, and does not say which vertices are points")
    least, most = int(lows.max()) + 1, int(highs.min())
    if least < most:
        raise InputError(
            f"the points may begin at vertex {least} or later, up to {most}, and nothing says where"
        )
    is_point = np.arange(n) >= most if least == most else _other_side(n, edges)
    swap = is_point[lows]
    blocks, points = np.where(swap, highs, lows), np.where(swap, lows, highs)
    number = np.where(is_point, np.cumsum(is_point), np.cumsum(~is_point)) - 1
    rows, columns = number[blocks], number[points]
    order = np.lexsort((columns, rows))
    sizes = np.bincount(rows, minlength=int((~is_point).sum()))
    return BlockDesign(int(is_point.sum()), offsets(sizes), columns[order].astype(np.int32))


def _other_side(n: int, edges: Edges) -> NDArray[np.bool_]:
    """Return which vertices are at an odd distance from vertex 0."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import breadth_first_order

    ones = np.ones(len(edges[0]), dtype=np.int8)
    graph = coo_array((ones, edges), (n, n)).tocsr()
    order, parents = breadth_first_order(graph, 0, directed=False)
    if len(order) < n:
        raise InputError("is not connected, and its vertices are not listed side by side")
    odd = np.zeros(n, dtype=bool)
    for vertex in order[1:].tolist():
        odd[vertex] = not odd[parents[vertex]]
    if (odd[edges[0]] == odd[edges[1]]).any():
        raise InputError("is not bipartite: no incidence graph of blocks and points")
    return odd
