"""Matrices from MatrixMarket, NumPy archives and CSV: what is read and what is refused."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import numpy as np
import pytest
import scipy.io
import scipy.sparse as sp

from gcdesign.designs import BlockDesign, projective_geometry
from gcdesign.designs.formats import matrix_to_design, read_matrix
from gcdesign.designs.formats.matrices import write_csv, write_mtx, write_npz
from gcdesign.errors import InputError, LimitError

FANO = projective_geometry(2)
COORDINATE = "%%MatrixMarket matrix coordinate "
ARRAY = "%%MatrixMarket matrix array "


def matrix(data: bytes | str, kind: str) -> list[list[float]]:
    content = data.encode() if isinstance(data, str) else data
    read = read_matrix(content, kind, name="x")
    assert isinstance(read, sp.csr_array)
    assert read.dtype == np.float64
    assert read.has_canonical_format
    assert (read.data != 0).all()
    return read.toarray().tolist()


def refusal(data: bytes | str, kind: str, error: type[Exception] = InputError) -> str:
    """Return the one-line message with which some content is refused."""
    content = data.encode() if isinstance(data, str) else data
    with pytest.raises(error) as caught:
        read_matrix(content, kind, name="bad")
    message = str(caught.value)
    assert type(caught.value) is error
    assert message.startswith("bad: ")
    assert "\n" not in message
    assert len(message) < 300
    return message


def archive(**arrays: Any) -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue()


def csr(**changes: Any) -> bytes:
    """Return a 2 × 3 matrix in SciPy's layout, changed; None removes a member."""
    members = {
        "indices": np.array([0, 1, 2]),
        "indptr": np.array([0, 2, 3]),
        "format": np.array(b"csr"),
        "shape": np.array([2, 3]),
        "data": np.array([1.0, 2.0, 3.0]),
    } | changes
    return archive(**{name: values for name, values in members.items() if values is not None})


def npy(header: str, body: bytes = b"", *, version: bytes = b"\x01\x00") -> bytes:
    """Return an archive with one hand-made array."""
    text = header.encode()
    length = len(text).to_bytes(2 if version == b"\x01\x00" else 4, "little")
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as made:
        made.writestr("a.npy", b"\x93NUMPY" + version + length + text + body)
    return buffer.getvalue()


# --- what is read -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("real general\n2 3 2\n1 1 0.5\n2 3 -1e-3\n", [[0.5, 0, 0], [0, 0, -1e-3]]),
        ("integer general\n2 2 2\n2 1 7\n1 1 0\n", [[0, 0], [7, 0]]),
        ("pattern general\n% note\n\n2 2 2\n% é_x\n\n1 2\r\n 2\t1", [[0, 1], [1, 0]]),
        ("real symmetric\n2 2 2\n1 1 1\n2 1 3\n", [[1, 3], [3, 0]]),
        ("pattern symmetric\n2 2 1\n1 2\n", [[0, 1], [1, 0]]),
        ("Real General\n1 1 1\n1 1 .5\n", [[0.5]]),
        ("real general\n2 0 0\n", [[], []]),
        ("real general\n0 0 0\n", []),
    ],
)
def test_coordinate_files(text: str, expected: list[list[float]]) -> None:
    assert matrix(COORDINATE + text, "mtx") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("real general\n2 3\n1\n2\n3\n4\n5\n6\n", [[1, 3, 5], [2, 4, 6]]),
        ("integer symmetric\n2 2\n1\n2\n3\n", [[1, 2], [2, 3]]),
        ("real general\n0 2\n", []),
    ],
)
def test_array_files(text: str, expected: list[list[float]]) -> None:
    assert matrix(ARRAY + text, "mtx") == expected


@pytest.mark.parametrize("symmetry", ["general", "symmetric"])
@pytest.mark.parametrize("dense", [False, True])
def test_files_that_scipy_writes(symmetry: Any, dense: bool) -> None:
    rng = np.random.default_rng(1)
    values = np.round(rng.normal(size=(6, 6)) * (rng.random((6, 6)) < 0.4), 3)
    if symmetry == "symmetric":
        values = values + values.T
    buffer = io.BytesIO()
    scipy.io.mmwrite(buffer, values if dense else sp.coo_array(values), symmetry=symmetry)
    assert matrix(buffer.getvalue(), "mtx") == values.tolist()


@pytest.mark.parametrize("layout", ["csr", "csc", "coo"])
@pytest.mark.parametrize("make", [sp.csr_array, sp.csr_matrix])
@pytest.mark.parametrize("compressed", [False, True])
@pytest.mark.parametrize("dtype", ["int8", "bool", "uint16", "float32", "float64"])
def test_archives_that_scipy_writes(layout: str, make: Any, compressed: bool, dtype: str) -> None:
    values = np.array([[1, 0, 1], [0, 0, 1]], dtype=dtype)
    buffer = io.BytesIO()
    sp.save_npz(buffer, make(values).asformat(layout), compressed=compressed)
    assert matrix(buffer.getvalue(), "npz") == values.astype(float).tolist()


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", [">f8", "<f4", "int8", "bool", ">u2"])
def test_archives_of_one_array(order: Any, dtype: str) -> None:
    values = np.array([[1, 0, 1], [0, 0, 1]], dtype=dtype, order=order)
    assert matrix(archive(anything=values), "npz") == [[1, 0, 1], [0, 0, 1]]


def test_stored_zeros_and_unsorted_indices_are_tidied() -> None:
    data = csr(indices=np.array([1, 0, 2]), data=np.array([1.0, 0.0, 3.0]))
    assert matrix(data, "npz") == [[0, 1, 0], [0, 0, 3]]


def test_csv() -> None:
    text = "# code\n1, 0 ,-.5\r\n\n# more, numbers\n0,1e-2,+3"
    assert matrix(text, "csv") == [[1, 0, -0.5], [0, 0.01, 3]]


def test_unknown_kind() -> None:
    with pytest.raises(InputError, match="no matrix format is called 'xls'"):
        read_matrix(b"", "xls", name="x")


# --- what is written ----------------------------------------------------------------------


def test_exact_texts() -> None:
    design = BlockDesign.from_blocks([[0, 2], [], [1, 2]], points=4)
    assert write_csv(design) == b"1,0,1,0\n0,0,0,0\n0,1,1,0\n"
    assert write_mtx(design) == (
        b"%%MatrixMarket matrix coordinate pattern general\n"
        b"% workers are rows, parts are columns\n"
        b"3 4 4\n1 1\n1 3\n3 2\n3 3\n"
    )


@pytest.mark.parametrize(
    "design", [FANO, BlockDesign.from_blocks([[], [2], [2]], points=4)], ids=["fano", "holes"]
)
def test_other_programs_read_what_is_written(design: BlockDesign) -> None:
    expected = design.dense_incidence()
    market = scipy.io.mmread(io.BytesIO(write_mtx(design)))
    assert isinstance(market, sp.coo_matrix)
    assert np.array_equal(market.toarray(), expected)
    loaded = sp.load_npz(io.BytesIO(write_npz(design)))
    assert isinstance(loaded, sp.csr_array)
    assert loaded.dtype == np.int8
    assert np.array_equal(loaded.toarray(), expected)
    assert np.array_equal(
        np.loadtxt(io.BytesIO(write_csv(design)), delimiter=",", ndmin=2), expected
    )


def test_a_symmetric_placement_is_written_in_full() -> None:
    cycle = BlockDesign.from_blocks([[0, 1], [0, 2], [1, 2]])
    assert (cycle.dense_incidence() == cycle.dense_incidence().T).all()
    assert b"general" in write_mtx(cycle)
    assert write_mtx(cycle).count(b"\n") == 3 + 6


def test_archives_carry_no_date() -> None:
    with zipfile.ZipFile(io.BytesIO(write_npz(FANO))) as made:
        assert {info.date_time for info in made.infolist()} == {(1980, 1, 1, 0, 0, 0)}


@pytest.mark.parametrize("design", [BlockDesign.from_blocks([]), BlockDesign.from_blocks([[], []])])
def test_csv_cannot_hold_nothing(design: BlockDesign) -> None:
    with pytest.raises(InputError, match="use json or mtx"):
        write_csv(design)


def test_matrices_become_designs() -> None:
    read = read_matrix(write_npz(FANO), "npz", name="x")
    assert matrix_to_design(read) == FANO


@pytest.mark.parametrize(("value", "shown"), [(2, "2.0"), (-1, "-1.0"), (0.5, "0.5")])
def test_other_matrices_do_not(value: float, shown: str) -> None:
    text = f"1,0,1\n0,0,0\n0,{value},1\n"
    expected = f"worker 2 has {shown} for part 1; the blocks of a design need entries 0 and 1 only"
    with pytest.raises(InputError, match=expected):
        matrix_to_design(read_matrix(text.encode(), "csv", name="x"))


# --- what is refused ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "does not start like a MatrixMarket file"),
        ("1 2 3\n", "does not start like a MatrixMarket file"),
        ("%%MatrixMarket vector coordinate real general\n", "does not start like"),
        ("%%MatrixMarket matrix coordinate real\n2 2 0\n", "does not start like"),
        ("%%MatrixMarket matrix\0coordinate real general\n", "does not start like"),
        (COORDINATE + "quaternion general\n1 1 1\n1 1 1 2\n", "the matrix is 'quaternion'"),
        (COORDINATE + "real hermitian\n1 1 1\n1 1 1\n", "the matrix is 'hermitian'"),
        (COORDINATE + "real skew-symmetric\n1 1 0\n", "the matrix is 'skew-symmetric'"),
        (ARRAY + "pattern general\n1 1\n1\n", "cannot be a pattern"),
        (COORDINATE + "real general\n", "line 2 should hold the sizes"),
        (COORDINATE + "real general\n% x\n2 2\n", "line 3 should hold the sizes"),
        (ARRAY + "real general\n2 2 4\n", "line 2 should hold the sizes"),
        (COORDINATE + "real general\n2 -2 1\n", "line 2 holds the size b'-2'"),
        (COORDINATE + "real general\n2 2.0 1\n", "line 2 holds the size b'2.0'"),
        (COORDINATE + f"real general\n2 2 {'9' * 101}\n", "line 2 holds the size"),
        (COORDINATE + "pattern general\n2 2 2\n1 1\n", "only 4 bytes follow; truncated?"),
        (COORDINATE + "pattern general\n9 9 2\n1 1      \n", "declares 2 entries, but holds 1"),
        (COORDINATE + "pattern general\n2 2 1\n1 1\n2 2\n", "declares 1 entries, but holds 2"),
        (COORDINATE + "pattern general\n2 2 1\n1 1 5\n", "line 3 holds 3 numbers; expected 2"),
        (COORDINATE + "real general\n2 2 1\n1 1   \n", "line 3 holds 2 numbers; expected 3"),
        (COORDINATE + "real general\n2 2 1\n1 1 x\n", "line 3 is b'1 1 x'; expected numbers"),
        (COORDINATE + "real general\n2 2 1\n1 1.0 1\n", "line 3 is b'1 1.0 1'"),
        (COORDINATE + "real general\n2 2 1\n1 1 1_0\n", "line 3 is b'1 1 1_0"),
        (COORDINATE + "real general\n2 2 1\n1 1 1+2j\n", "line 3 is b'1 1 1+2j'"),
        (COORDINATE + f"real general\n2 2 1\n1 1 {'1' * 1024}\n", "line 3 is b'"),
        (COORDINATE + f"pattern general\n2 2 1\n1 {10**30}\n", "line 3 is b'1 1000"),
        (COORDINATE + "pattern general\n2 2 1\n0 1\n", "worker -1 for part 0 lies outside"),
        (COORDINATE + "pattern general\n2 2 1\n1 3\n", "worker 0 for part 2 lies outside"),
        (COORDINATE + f"pattern general\n2 2 1\n1 {-(2**63)}\n", "lies outside"),
        (COORDINATE + "real general\n2 2 1\n1 1 nan\n", "worker 0 for part 0 is not a finite"),
        (COORDINATE + "real general\n2 2 1\n1 2 -inf\n", "worker 0 for part 1 is not a finite"),
        (COORDINATE + "real general\n2 2 1\n1 1 1e999\n", "is not a finite number"),
        (COORDINATE + "pattern general\n2 2 2\n2 1\n2 1\n", "worker 1 for part 0 is given twice"),
        (COORDINATE + "real general\n2 2 2\n2 1 0\n2 1 1\n", "is given twice"),
        (COORDINATE + "real symmetric\n2 3 1\n2 1 3\n", "must be square"),
        (COORDINATE + "real symmetric\n2 2 2\n1 2 3\n2 1 3\n", "is given twice"),
        (ARRAY + "real general\n2 2\n1\n2\n3\n", "only 6 bytes follow"),
        (ARRAY + "real general\n2 2\n1\n2\n3\n4\n5\n", "declares 4 entries, but holds 5"),
        (ARRAY + "real general\n2 2\n1 2\n3 4\n", "line 3 holds 2 numbers; expected 1"),
        (ARRAY + "real general\n1 1\ninf\n", "is not a finite number"),
    ],
)
def test_matrix_market_that_is_refused(text: str, expected: str) -> None:
    assert expected in refusal(text, "mtx")


@pytest.mark.parametrize(
    "sizes",
    ["1000000000000 2 0", "2 1000000000000 0", "2 2 1000000000000", "2 2 " + "9" * 100],
)
def test_matrix_market_that_is_too_large(sizes: str) -> None:
    assert "the limit is" in refusal(f"{COORDINATE}pattern general\n{sizes}\n", "mtx", LimitError)


def test_arrays_that_are_too_large() -> None:
    assert "the limit is" in refusal(ARRAY + "real general\n100000 100000\n1\n", "mtx", LimitError)
    assert "only 2 bytes follow" in refusal(ARRAY + "real symmetric\n9999 9999\n1\n", "mtx")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "the file is empty"),
        ("# only a comment\n", "holds no numbers"),
        ("1,0\n1\n", "line 2 holds 1 numbers, earlier lines 2"),
        ("1,0\n\n1,0,1\n", "line 3 holds 3 numbers, earlier lines 2"),
        ("a,b\n1,0\n", "line 1 is 'a,b'; expected numbers and commas"),
        ("1,0,\n", "line 1 is '1,0,'"),
        ("1;0\n", "line 1 is '1;0'"),
        ("1 0\n", "line 1 is '1 0'"),
        ("1,1+2j\n", "line 1 is '1,1+2j'"),
        ("1,1_0\n", "line 1 is '1,1_0'"),
        ("1,٣\n", "line 1 is"),
        ("1,0\n0,nan\n", "worker 1 for part 1 is not a finite number"),
        ("1,inf\n", "worker 0 for part 1 is not a finite number"),
        ("1,-1e999\n", "is not a finite number"),
        ("\ufeff1,0\n", "byte order mark"),
    ],
)
def test_csv_that_is_refused(text: str, expected: str) -> None:
    assert expected in refusal(text, "csv")


def test_csv_that_is_not_text_or_has_too_many_lines() -> None:
    assert "not UTF-8 text in line 2" in refusal(b"1,0\n\xff\n", "csv")
    assert "the limit is 10000000" in refusal(b"1" + b"\n" * 10_000_001, "csv", LimitError)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", "not a usable zip archive"),
        (b"PK\x03\x04 and no more", "not a usable zip archive"),
        (csr()[:-30], "not a usable zip archive"),
        (csr()[:100] + b"\0" * 50 + csr()[150:], "not a usable zip archive"),
        (archive(), "holds the arrays []"),
        (
            archive(a=np.eye(2), b=np.eye(2)),
            "holds the arrays ['a', 'b']; expected a sparse matrix",
        ),
        (archive(a=np.ones(3)), "holds an array of 1 dimensions"),
        (archive(a=np.ones((1, 1, 1))), "expected at most 2 dimensions"),
        (archive(a=np.array([["1", "0"]])), "expected 2, and numbers"),
        (archive(a=np.array([[1 + 2j]])), "has the type '<c16'; expected real numbers"),
        (archive(a=np.array([["2000-01-01"]], "M8[D]")), "has the type"),
        (archive(a=np.zeros((1, 1), "i4,i4")), "Python objects, which are never unpickled"),
        (archive(a=np.array([[None]], dtype=object)), "objects, which are never unpickled"),
        (archive(a=np.array([[1.0, np.nan]])), "worker 0 for part 1 is not a finite number"),
        (csr(data=np.array([1.0, np.inf, 1.0])), "worker 0 for part 1 is not a finite number"),
        (csr(data=np.array([1, 2, 3j])), "has the type '<c16'"),
        (csr(data=np.ones((3, 1))), "member 'data' should be a list of numbers"),
        (csr(data=np.array(["1", "2", "3"])), "member 'data' should be a list of numbers"),
        (csr(data=np.ones(2)), "its members differ in length"),
        (csr(data=None), "expected data, format, indices, indptr, shape"),
        (csr(more=np.ones(1)), "expected data, format, indices, indptr, shape"),
        (csr(format=np.array(b"dia")), "layout 'dia'; expected csr, csc, coo"),
        (csr(format=np.array(b"\xff")), "layout"),
        (csr(format=np.array(3)), "layout '3'"),
        (csr(format=np.zeros(0, "S3")), "layout ''"),
        (csr(format=np.array(b"coo")), "expected col, data, format, row, shape"),
        (csr(shape=np.array([2])), "declares the shape [2]"),
        (csr(shape=np.array([2.0, 3.0])), "member 'shape' should be a list of whole numbers"),
        (csr(shape=np.array([-2, 3])), "negative size"),
        (csr(shape=np.array([2**64 - 1, 3], dtype=np.uint64)), "negative size"),
        (csr(shape=np.array([3, 3])), "'indptr' should rise from 0 to 3 and have 4 items"),
        (csr(shape=np.array([2, 2])), "worker 1 for part 2 lies outside"),
        (csr(indices=np.array([0, -1, 2])), "worker 0 for part -1 lies outside"),
        (csr(indices=np.array([0, 2**64 - 1, 2], dtype=np.uint64)), "lies outside"),
        (csr(indices=np.array([0.0, 1.0, 2.0])), "'indices' should be a list of whole numbers"),
        (csr(indices=np.array([1, 1, 2])), "worker 0 for part 1 is given twice"),
        (csr(indptr=np.array([0, 5, 3])), "'indptr' should rise from 0 to 3"),
        (csr(indptr=np.array([1, 2, 3])), "'indptr' should rise from 0 to 3"),
        (csr(indptr=np.array([0, 2, 2**40])), "'indptr' should rise from 0 to 3"),
        (csr(indptr=np.array([0, 2, 2**63 + 3], dtype=np.uint64)), "'indptr' should rise"),
        (csr(indptr=np.zeros(0, dtype=int)), "'indptr' should rise from 0 to 3"),
    ],
)
def test_archives_that_are_refused(data: bytes, expected: str) -> None:
    assert expected in refusal(data, "npz")


HEADER = "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1), }"


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        (HEADER, "declares shape (1, 1), but holds 0 bytes"),
        (HEADER.replace("(1, 1)", "(1000000, 1000000)"), "but holds 0 bytes"),
        (HEADER.replace("(1, 1)", "(-1, 1)"), "declares shape (-1, 1)"),
        (HEADER.replace("(1, 1)", "(True, 1)"), "declares shape (True, 1)"),
        (HEADER.replace("(1, 1)", "[1, 1]"), "declares shape [1, 1]"),
        (HEADER.replace("False", "0"), "declares shape"),
        (HEADER.replace("<f8", "f1"), "has the unknown type 'f1'"),
        (HEADER.replace("<f8", "<U0"), "has the type '<U0'"),
        (HEADER.replace("'<f8'", "[('a', '<f8')]"), "objects, which are never unpickled"),
        (HEADER.replace("'descr'", "'other'"), "has a damaged header"),
        (HEADER[:-3], "has a damaged header"),
        ("", "has a damaged header"),
        ("é", "has a damaged header"),
        ("(" * 1500, "has a damaged header"),
        ("-" * 1900 + "1", "has a damaged header"),
        ("__import__('os').abort()", "has a damaged header"),
        ("[1]", "has a damaged header"),
    ],
)
def test_headers_that_are_refused(header: str, expected: str) -> None:
    assert expected in refusal(npy(header), "npz")
    assert expected in refusal(npy(header, version=b"\x02\x00"), "npz")


def test_headers_of_other_kinds() -> None:
    assert "version 1 or 2" in refusal(npy(HEADER, version=b"\x03\x00"), "npz")
    assert matrix(npy(HEADER, np.ones(1).tobytes(), version=b"\x02\x00"), "npz") == [[1]]
    with_other_member = io.BytesIO()
    with zipfile.ZipFile(with_other_member, "w") as made:
        made.writestr("readme.txt", "x")
    assert "'readme.txt'; expected only .npy" in refusal(with_other_member.getvalue(), "npz")


def test_members_of_the_same_name_or_unusual_compression() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as made:
        made.writestr("a.npy", b"")
        with pytest.warns(UserWarning, match="Duplicate name"):
            made.writestr("a.npy", b"")
    assert "two members of the same name" in refusal(buffer.getvalue(), "npz")
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_BZIP2) as made:
        made.writestr("a.npy", b"x" * 100)
    assert "compressed in an unusual way" in refusal(buffer.getvalue(), "npz")


def test_shapes_beyond_the_limits() -> None:
    empty = HEADER.replace("(1, 1)", f"(0, {10**30})")
    assert "the limit is 500000000" in refusal(npy(empty), "npz", LimitError)
    assert "the limit is" in refusal(archive(a=np.empty((0, 20_000_000))), "npz", LimitError)
    assert "the limit is" in refusal(csr(shape=np.array([2, 10**12])), "npz", LimitError)


def test_zip_bombs_are_refused_unopened() -> None:
    buffer = io.BytesIO()
    with (
        zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as made,
        made.open("a.npy", "w", force_zip64=True) as member,
    ):
        member.write(bytes(0x1234567))
    before, _, after = buffer.getvalue().rpartition((0x1234567).to_bytes(4, "little"))

    def declaring(size: int) -> bytes:
        """Return the archive with another unpacked size in its directory."""
        return before + size.to_bytes(4, "little") + after

    assert "unpacks to 4294967280 bytes" in refusal(declaring(0xFFFFFFF0), "npz", LimitError)
    assert "not a usable zip archive" in refusal(declaring(100), "npz")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("coordinate complex general\n2 2 2\n1 1 1 -2\n2 1 0 1e-3\n", [[1 - 2j, 0], [1e-3j, 0]]),
        ("coordinate complex symmetric\n2 2 1\n2 1 0 1\n", [[0, 1j], [1j, 0]]),
        ("array complex general\n1 2\n1 0\n0 -1\n", [[1, -1j]]),
    ],
)
def test_complex_matrixmarket(text: str, expected: list[list[complex]]) -> None:
    data = ("%%MatrixMarket matrix " + text).encode()
    assert read_matrix(data, "mtx", name="complex.mtx").toarray().tolist() == expected
    scipy_says: Any = scipy.io.mmread(io.BytesIO(data), spmatrix=False)
    assert np.array_equal(getattr(scipy_says, "toarray", lambda: scipy_says)(), expected)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("coordinate complex general\n1 1 1\n1 1 0.25\n", "line 3 holds 3 numbers; expected 4"),
        ("array complex general\n1 1\n0.25\n", "line 3 holds 1 numbers; expected 2"),
        ("array complex general\n1 1\n1 x\n", "expected numbers"),
        ("array complex general\n1 1\n1 nan\n", "is not a finite number"),
        ("array complex general\n1 2\n1 0\n", "declares 2 entries, but"),
    ],
)
def test_complex_matrixmarket_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_matrix(("%%MatrixMarket matrix " + text).encode(), "mtx", name="complex.mtx")
