"""Gradient codes: the encoding matrix in and out, whatever it is made of."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse

from gcdesign.codes import GradientCode, Placement, load_code
from gcdesign.designs import projective_geometry
from gcdesign.errors import InputError

MATRIX = [[0.5, 1.0, 0.0], [0.0, 0.0, 0.0], [0.0, -2.0, 1e-9]]


@pytest.mark.parametrize(
    "make",
    [
        np.array,
        lambda rows: rows,
        np.asfortranarray,
        scipy.sparse.csr_array,
        scipy.sparse.csc_array,
        scipy.sparse.coo_array,
        scipy.sparse.lil_matrix,
        lambda rows: np.array(rows, dtype=np.float32).astype(np.float64),
    ],
)
def test_matrices_of_all_kinds(make: Any) -> None:
    code = GradientCode.from_matrix(make(MATRIX))
    assert code.dense_encoding() == pytest.approx(np.array(MATRIX), rel=1e-6)
    assert code.placement.design.blocks() == [[0, 1], [], [1, 2]]
    assert code.weights is not None
    assert not code.weights.flags.writeable
    assert code.encoding.shape == (3, 3)


@pytest.mark.parametrize("kind", [bool, np.int8, np.uint8, np.int64, np.float32, np.float64])
@pytest.mark.parametrize("make", [np.array, scipy.sparse.csr_array], ids=["dense", "sparse"])
def test_zero_one_matrices(kind: Any, make: Any) -> None:
    code = GradientCode.from_matrix(make(np.array([[1, 0, 1], [0, 1, 1]], dtype=kind)))
    assert code.weights is None
    assert code.dense_encoding().tolist() == [[1, 0, 1], [0, 1, 1]]
    assert code.decode([]).error_exact is not None


@pytest.mark.parametrize("make", [np.array, scipy.sparse.csr_array], ids=["dense", "sparse"])
def test_complex_matrices(make: Any) -> None:
    code = GradientCode.from_matrix(make(np.array([[1, 2j, 0], [0, 1, -1 + 0.5j]])))
    assert code.is_complex
    assert code.dense_encoding().tolist() == [[1, 2j, 0], [0, 1, -1 + 0.5j]]
    assert not GradientCode.from_matrix(make(np.array([[2 + 0j, 1]]))).is_complex


def test_the_given_matrix_stays_as_it_is() -> None:
    data = np.array([1.0, 0.0, 2.0, 3.0])
    given = scipy.sparse.csr_array(
        (data, np.array([1, 0, 0, 0]), np.array([0, 2, 4])), shape=(2, 2)
    )
    code = GradientCode.from_matrix(given)
    assert code.dense_encoding().tolist() == [[0, 1], [5, 0]]
    assert given.nnz == 4
    data[:] = 7
    assert code.dense_encoding().tolist() == [[0, 1], [5, 0]]
    weights = np.full(21, 2.0)
    code = GradientCode(Placement(projective_geometry(2)), weights)
    weights[:] = 3
    assert set(code.dense_encoding().ravel()) == {0.0, 2.0}


@pytest.mark.parametrize(
    "wrong",
    [
        [1.0, 2.0],
        [[[1.0]]],
        [["a"]],
        [[float("nan")]],
        [[float("inf"), 1]],
        [[complex("nan")]],
        scipy.sparse.csr_array(np.array([[complex(0, float("inf"))]])),
        5,
    ],
    ids=str,
)
def test_no_such_matrix(wrong: Any) -> None:
    with pytest.raises(InputError):
        GradientCode.from_matrix(wrong)


@pytest.mark.parametrize("wrong", [np.ones(20), np.zeros(21), np.full(21, np.nan), np.ones((3, 7))])
def test_no_such_weights(wrong: Any) -> None:
    with pytest.raises(InputError):
        GradientCode(Placement(projective_geometry(2)), wrong)


def test_levelled_rows() -> None:
    rng = np.random.default_rng(0)
    matrix = rng.normal(size=(5, 4)) * 10.0 ** rng.integers(-90, 90, (5, 1))
    matrix[2] = 0
    levelled = GradientCode.from_matrix(matrix).levelled_encoding()
    greatest = np.abs(levelled).max(axis=1)
    assert greatest[2] == 0
    assert ((greatest >= 1) & (greatest < 2))[[0, 1, 3, 4]].all()
    ratio = np.log2(levelled[[0, 1, 3, 4]] / matrix[[0, 1, 3, 4]])
    assert (ratio == np.round(ratio[:, :1])).all()
    plane = load_code("pg:q=3")
    assert (plane.levelled_encoding() == plane.dense_encoding()).all()


def test_codes_from_names_and_files(tmp_path: Path) -> None:
    assert load_code("ag:q=2").label == "AG(2,2)"
    for name in (str(tmp_path / "nothing.json"), "planes:q=3", "pg:q=6", "pg:q", "pg"):
        with pytest.raises(InputError):
            load_code(name)
