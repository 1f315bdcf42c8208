"""Problems: gradients against differences, parts that add up, scores against scikit-learn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse
from scipy.sparse import csr_array
from sklearn.metrics import log_loss, roc_auc_score

from gcdesign.errors import InputError
from gcdesign.training.problems import (
    Batches,
    Data,
    LeastSquares,
    Logistic,
    Problem,
    SharedGradients,
    Softmax,
)
from gcdesign.training.problems.scores import auc

RNG = np.random.default_rng(11)
FEATURES = RNG.standard_normal((47, 5)) * (RNG.random((47, 5)) < 0.6)
TARGETS: dict[type[Problem], np.ndarray] = {
    Logistic: RNG.integers(0, 2, 47).astype(float),
    LeastSquares: RNG.standard_normal(47),
    Softmax: RNG.integers(0, 3, 47).astype(float),
}
KINDS = list(TARGETS)


def made(kind: type[Problem], **values: object) -> Problem:
    return kind(Data(FEATURES, TARGETS[kind]), **values)  # type: ignore[arg-type]


def whole(problem: Problem, point: np.ndarray) -> np.ndarray:
    total = sum(problem.gradient(0, point, part) for part in range(problem.parts))
    assert isinstance(total, np.ndarray)
    return problem.mean_gradient(total, point)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("parts", [1, 4, 47])
def test_the_gradient_is_that_of_the_loss(kind: type[Problem], parts: int) -> None:
    problem = made(kind, parts=parts, l2=0.3)
    point = RNG.standard_normal(problem.size)
    step = 1e-6
    wanted = [
        (problem.loss(point + step * axis) - problem.loss(point - step * axis)) / (2 * step)
        for axis in np.eye(problem.size)
    ]
    assert whole(problem, point) == pytest.approx(wanted, abs=1e-8)


@pytest.mark.parametrize("kind", KINDS)
def test_sparse_features_change_nothing(kind: type[Problem]) -> None:
    dense = made(kind, parts=5)
    sparse = kind(Data(csr_array(FEATURES), TARGETS[kind]), parts=5)
    point = RNG.standard_normal(dense.size)
    for part in range(5):
        assert np.allclose(dense.gradient(0, point, part), sparse.gradient(0, point, part))
    assert dense.loss(point) == pytest.approx(sparse.loss(point))
    assert dense.metrics(point, dense.data) == pytest.approx(sparse.metrics(point, sparse.data))


@pytest.mark.parametrize("form", ["csc_array", "coo_array", "csr_matrix"])
def test_any_sparse_form_will_do(form: str) -> None:
    features = getattr(scipy.sparse, form)(FEATURES)
    problem = Logistic(Data(features, TARGETS[Logistic]), parts=5)
    wanted = made(Logistic, parts=5)
    assert np.allclose(problem.gradient(0, np.ones(5), 2), wanted.gradient(0, np.ones(5), 2))
    whole = Logistic(Data((FEATURES > 0).astype(int), TARGETS[Logistic]))
    assert whole.data.features.dtype == np.float64


@pytest.mark.parametrize("kind", KINDS)
def test_combinations_shared_among_workers_are_those_of_each(kind: type[Problem]) -> None:
    problem = made(kind, parts=6, batches=Batches(0.5, seed=2))
    shared = SharedGradients(problem)
    for step in range(3):
        point = RNG.standard_normal(problem.size)
        for _ in range(4):
            parts = RNG.permutation(6)[:3]
            weights = RNG.standard_normal(3)
            assert np.allclose(
                shared.combination(step, point, parts, weights),
                problem.combination(step, point, parts, weights),
            )


def test_parts_are_runs_of_nearly_equal_length() -> None:
    problem = made(Logistic, parts=6)
    sizes = np.diff(problem.bounds)
    assert sizes.sum() == 47
    assert set(sizes.tolist()) == {7, 8}
    features = [problem.part(part)[0] for part in range(6)]
    assert np.array_equal(np.vstack(features), FEATURES)


def test_mini_batches_are_right_in_the_mean() -> None:
    batches = made(LeastSquares, parts=3, batches=Batches(0.25, seed=1))
    point = RNG.standard_normal(5)
    wanted = whole(made(LeastSquares, parts=3), point)
    each = []
    for step in range(1000):
        total = sum(batches.gradient(step, point, part) for part in range(3))
        each.append(batches.mean_gradient(np.asarray(total), point))
    error = np.std(each, axis=0) / np.sqrt(1000)
    # parts of 15 and 16 samples both give 4: not quite all samples count the same
    assert (np.abs(np.mean(each, axis=0) - wanted) < 5 * error + 0.02 * np.abs(wanted).max()).all()
    assert batches.batch_samples == 12
    assert np.array_equal(batches.gradient(3, point, 1), batches.gradient(3, point, 1))
    assert not np.array_equal(batches.gradient(3, point, 1), batches.gradient(4, point, 1))


@pytest.mark.parametrize("digits", [1, 8])
def test_scores_are_those_of_scikit_learn(digits: int) -> None:
    for size in (2, 5, 200):
        positive = RNG.random(size) < 0.3
        positive[:2] = [False, True]
        scores = RNG.standard_normal(size).round(digits)
        assert auc(scores, positive) == pytest.approx(roc_auc_score(positive, scores))
    assert auc(np.ones(3), np.zeros(3, dtype=bool)) == 0.5


def test_the_logistic_loss_is_that_of_scikit_learn() -> None:
    problem = made(Logistic)
    point = RNG.standard_normal(5)
    chances = 1 / (1 + np.exp(-FEATURES @ point))
    assert problem.loss(point) == pytest.approx(log_loss(TARGETS[Logistic], chances))
    assert np.isfinite(problem.loss(1e6 * point))
    assert np.isfinite(made(Softmax).loss(1e6 * RNG.standard_normal(15)))


GOOD = Data(np.ones((3, 2)), np.array([0.0, 1.0, 1.0]))


@pytest.mark.parametrize(
    ("attempt", "message"),
    [
        (lambda: Data(np.ones((3, 2)), np.zeros(2)), "expected d × p numbers and d targets"),
        (lambda: Data(np.ones((0, 2)), np.zeros(0)), "there are no samples"),
        (lambda: Data(np.ones((2, 0)), np.zeros(2)), "no features"),
        (lambda: Data(np.full((3, 2), np.nan), np.zeros(3)), "NaN or infinity"),
        (lambda: Data(np.ones((3, 2)), np.array([0, 1, np.inf])), "NaN or infinity"),
        (lambda: Logistic(GOOD, parts=4), "3 samples for 4 parts"),
        (lambda: Logistic(GOOD, parts=0), "3 samples for 0 parts"),
        (lambda: Logistic(GOOD, l2=-1.0), "l2=-1.0"),
        (lambda: Logistic(Data(np.ones((2, 2)), np.array([0.0, 2.0]))), "a target 2; those of"),
        (lambda: Logistic(GOOD, Data(np.ones((3, 1)), GOOD.targets)), "test samples of 1 features"),
        (lambda: Softmax(Data(np.ones((2, 2)), np.array([0.5, 1.0]))), "whole numbers"),
        (lambda: Softmax(Data(np.ones((2, 2)), np.array([-1.0, 1.0]))), "target -1.0"),
        (lambda: Softmax(Data(np.ones((2, 2)), np.zeros(2))), "two classes at least"),
        (lambda: Batches(0.0), "batch=0.0"),
    ],
)
def test_wrong_data_are_refused(attempt: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        attempt()


@pytest.mark.parametrize(
    ("features", "targets", "message"),
    [
        ([["a"]], [0], "features of type"),
        ([[1j]], [0], "features of type complex128; expected real numbers"),
        (csr_array(np.array([[1j]])), [0], "features of type complex128"),
        ([[1.0]], ["yes"], "targets of type"),
    ],
)
def test_data_that_are_no_numbers_are_refused(features: Any, targets: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Data(features, targets)


def test_lists_are_data_as_well() -> None:
    data = Data([[1, 2], [3, 4]], [0, 1])  # type: ignore[arg-type]
    assert data.features.dtype == np.float64
    assert LeastSquares(data).gradient(0, np.zeros(2), 0).tolist() == [-3.0, -4.0]
