"""Data: generators as they are described, files against scikit-learn's readers, hostile ones."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_array, save_npz
from sklearn.datasets import load_iris, load_svmlight_file
from sklearn.preprocessing import OneHotEncoder

from gcdesign.errors import InputError
from gcdesign.training.data import (
    artificial_access,
    gaussian_mixture,
    noisy_plane,
    one_hot_pairs,
    parse_data,
    read_access,
    read_data,
    split,
)
from gcdesign.training.problems import Data
from gcdesign.training.setup import Learning

HEADER = (
    "ACTION,RESOURCE,MGR_ID,ROLE_ROLLUP_1,ROLE_ROLLUP_2,ROLE_DEPTNAME,ROLE_TITLE,"
    "ROLE_FAMILY_DESC,ROLE_FAMILY,ROLE_CODE\n"
)


def test_the_published_mixture_is_as_the_code_has_it() -> None:
    data = gaussian_mixture(20_000, 25, seed=4)
    beta = np.random.default_rng(4).choice([-1.0, 1.0], 25)
    x, y = data.features, data.targets
    assert np.var(x) == pytest.approx(100 / 25, rel=0.02)
    along = x @ beta
    for part in np.split(along, 4):  # each is of both Gaussians, whose means are at 1.5 and -1.5
        assert part.mean() == pytest.approx(0.0, abs=0.5)
    for low in (-1.0, 0.0, 1.0):
        near = np.abs(along - low) < 0.25
        assert y[near].mean() == pytest.approx(1 / (1 + np.exp(-low)), abs=0.08)


def test_the_printed_mixture_has_labels_that_fall() -> None:
    data = gaussian_mixture(20_000, 25, seed=4, variant="printed")
    beta = np.random.default_rng(4).choice([-1.0, 1.0], 25)
    assert np.var(data.features) == pytest.approx(1, rel=0.02)
    along = data.features @ beta
    for low in (-1.0, 0.0, 1.0):
        near = np.abs(along - low) < 0.1
        assert data.targets[near].mean() == pytest.approx(1 / (np.exp(2 * low) + 1), abs=0.08)


def test_the_noisy_plane_is_linear_but_for_its_noise() -> None:
    data = noisy_plane(3000, 6, seed=2, noise=0.5)
    found, residual, *_ = np.linalg.lstsq(data.features, data.targets, rcond=None)
    assert found == pytest.approx(np.random.default_rng(2).standard_normal(6), abs=0.05)
    assert float(residual[0]) / 3000 == pytest.approx(0.25, rel=0.1)


def test_features_of_categories_are_those_of_scikit_learn() -> None:
    table = np.random.default_rng(1).integers(0, 4, (60, 9)) * 1000
    pairs = [p for p in combinations(range(9), 2) if p not in {(2, 3), (5, 7)}]
    names = [[str(v) for v in row] + [f"{row[a]}-{row[b]}" for a, b in pairs] for row in table]
    wanted = OneHotEncoder().fit_transform(np.array(names)).toarray()
    found = one_hot_pairs(table).toarray()
    assert found.shape[1] == wanted.shape[1] + 1
    assert (found.sum(axis=1) == 9 + 34 + 1).all()
    assert (found[:, -1] == 1).all()
    assert sorted(map(tuple, found[:, :-1].T)) == sorted(map(tuple, wanted.T))


def test_the_contest_s_file_is_read(tmp_path: Path) -> None:
    file = tmp_path / "train.csv"
    file.write_text(HEADER + "1,5,1,1,1,1,1,1,1,1\n0,6,1,1,1,1,1,1,1,1\n1,5,1,1,1,1,1,1,1,1\n")
    data = read_access(file)
    assert data.targets.tolist() == [1, 0, 1]
    assert data.features.shape == (3, 44 + 9)  # RESOURCE and its 8 pairs have two values
    dense = data.features.toarray()
    assert np.array_equal(dense[0], dense[2])
    assert np.array_equal(parse_data(f"access:file={file}", seed=0).features.toarray(), dense)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has the columns"),
        ("id,x\n1,2\n", "has the columns"),
        (HEADER, "has no samples"),
        (HEADER + "1,2,3\n", "line 2: expected 0 or 1 and 9 numbers"),
        (HEADER + "2,1,1,1,1,1,1,1,1,1\n", "line 2: expected 0 or 1"),
        (HEADER + "1,1,1,1,x,1,1,1,1,1\n", "line 2: expected whole numbers"),
    ],
)
def test_another_file_than_the_contest_s_is_refused(
    tmp_path: Path, text: str, message: str
) -> None:
    file = tmp_path / "train.csv"
    file.write_text(text)
    with pytest.raises(InputError, match=message):
        read_access(file)


def test_artificial_requests_have_the_contest_s_shape() -> None:
    data = artificial_access(seed=0)
    assert data.features.shape[0] == 32769
    assert data.features.shape[1] == pytest.approx(241_915, rel=0.01)
    assert (np.diff(data.features.indptr) == 44).all()
    assert data.targets.mean() == pytest.approx(0.94, abs=0.02)


def test_a_split_loses_nothing() -> None:
    data = Data(np.arange(40.0).reshape(20, 2), np.arange(20.0))
    learn, test = split(data, share=0.25, seed=3)
    assert test.samples == 5
    both = np.concatenate([learn.targets, test.targets])
    assert sorted(both.tolist()) == list(range(20))
    assert (np.diff(learn.targets) > 0).all()
    with pytest.raises(InputError, match="more than none"):
        split(data, share=0.01, seed=3)


def test_libsvm_is_read_as_scikit_learn_reads_it(tmp_path: Path) -> None:
    file = tmp_path / "data.svm"
    file.write_text("# top\n1 1:0.5 3:-2e-3 # note\n\n-1 qid:7 2:4\n1\n0.5 1:2 3:1\n")
    found = read_data(file)
    features, targets = load_svmlight_file(str(file))
    assert np.array_equal(found.features.toarray(), features.toarray())
    assert np.array_equal(found.targets, targets)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no sample"),
        ("1 2:x\n", "line 1: expected a target"),
        ("1 2\n", "line 1: expected a target"),
        ("x 1:1\n", "line 1: expected a target"),
        ("1 0:1\n", "line 1: a feature's number"),
        ("1 1:1\n1 99999999999:1\n", "line 2: a feature's number"),
        ("1 1:nan\n", "NaN or infinity"),
    ],
)
def test_what_is_not_libsvm_is_refused(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "data.svm"
    file.write_text(text)
    with pytest.raises(InputError, match=message):
        read_data(file)


def test_archives_are_read_dense_and_sparse(tmp_path: Path) -> None:
    file = tmp_path / "data.npz"
    dense = np.eye(4)[:, :3]
    np.savez(file, features=dense, targets=np.arange(4))
    assert np.array_equal(read_data(file).features, dense)
    save_npz(file, csr_array(dense))
    with np.load(file) as archive:
        arrays = dict(archive)
    with pytest.raises(InputError, match="no data"):
        read_data(file)
    np.savez(file, targets=np.arange(4), **arrays)
    assert np.array_equal(read_data(file).features.toarray(), dense)
    arrays["indices"] = arrays["indices"] + 7  # out of bounds
    np.savez(file, targets=np.arange(4), **arrays)
    with pytest.raises(InputError, match="no data"):
        read_data(file)
    np.savez(file, features=np.array([{}], dtype=object), targets=np.arange(1))
    with pytest.raises(InputError, match="never unpickled"):
        read_data(file)


def test_scikit_learn_s_sets_come_standardised() -> None:
    data = parse_data("sklearn:name=iris", seed=0)
    assert np.array_equal(data.targets, load_iris().target)
    assert data.features[:, :4].mean(axis=0) == pytest.approx(np.zeros(4), abs=1e-12)
    assert data.features.std(axis=0) == pytest.approx([1, 1, 1, 1, 0])


@pytest.mark.parametrize(
    ("name", "problem"),
    [("breast_cancer", "logistic"), ("wine", "softmax"), ("diabetes", "least-squares")],
)
def test_scikit_learn_s_sets_are_learnt_as_they_are_meant(name: str, problem: str) -> None:
    assert Learning(f"sklearn:name={name}").make_problem().name == problem


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nix", "expected data in a file"),
        ("nix:a=1", "no data are called 'nix'"),
        ("mixture:colour=red", "expected samples, features, variant, each once"),
        ("mixture:samples=many", "samples=many; expected a whole number"),
        ("mixture:variant=new", "variant='new'"),
        ("mixture:samples=0", "0 samples"),
        ("plane:noise=loud", "noise=loud"),
        ("plane:noise=-1", "noise=-1"),
        ("sklearn:name=mnist", "no data set of scikit-learn is called 'mnist'"),
        ("absent.npz", "cannot be read: no such file"),
        ("access:samples=0", "0 samples"),
    ],
)
def test_what_names_no_data_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_data(text, seed=0)
