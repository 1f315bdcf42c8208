"""Learning from coded samples: encoding and decoding as written out, exact where theory says so."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from gcdesign.codes.computing import BerrutCode
from gcdesign.errors import InputError
from gcdesign.papers import reproduce
from gcdesign.training import (
    GradientDescent,
    Plan,
    RandomWorkers,
    Rate,
    Slowed,
    make_scheme,
    simulate,
    steady,
)
from gcdesign.training.coded_batches import BerrutScheme, clipped
from gcdesign.training.data import parse_data
from gcdesign.training.data.idx import read_idx, read_mnist
from gcdesign.training.problems import (
    Batches,
    Data,
    LeastSquares,
    LeNet,
    Logistic,
    Network,
    Problem,
    Softmax,
)


def some_data(samples: int = 23, features: int = 5, classes: int = 3) -> Data:
    rng = np.random.default_rng(4)
    return Data(rng.normal(size=(samples, features)), rng.integers(0, classes, samples) * 1.0)


def differences(problem: Problem, point: Any, features: Any, targets: Any) -> Any:
    """The gradient of the sum of the losses, by central differences."""
    data, step = Data(features, targets), 1e-6
    total = []
    for unit in np.eye(len(point)):
        above, below = (problem.mean_loss(point + s * step * unit, data) for s in (1, -1))
        total.append((above - below) / (2 * step) * len(targets))
    return np.array(total)


# --- problems -------------------------------------------------------------------------------


def test_the_gradient_of_a_network() -> None:
    data = some_data()
    problem = Network(data, hidden=4, seed=2)
    point = problem.start()
    found = problem.sum_of_gradients(point, data.features, data.targets)
    expected = differences(problem, point, data.features, data.targets)
    assert found == pytest.approx(expected, abs=1e-5)
    assert (Network(data, hidden=4, seed=2).start() == point).all()
    with pytest.raises(InputError, match="hidden=0"):
        Network(data, hidden=0)


@pytest.mark.parametrize("kind", [Softmax, Network])
def test_labels_as_rows_give_the_same_and_mix(kind: type[Softmax]) -> None:
    data = some_data()
    problem = kind(data)
    point = np.random.default_rng(1).normal(size=problem.size)
    rows = problem.labels(data.targets)
    whole = problem.sum_of_gradients(point, data.features, data.targets)
    assert problem.sum_of_gradients(point, data.features, rows) == pytest.approx(whole)
    other = problem.labels((data.targets + 1) % 3)
    turned = problem.sum_of_gradients(point, data.features, other)
    mixed = problem.sum_of_gradients(point, data.features, 1.2 * rows - 0.2 * other)
    assert mixed == pytest.approx(1.2 * whole - 0.2 * turned)  # the loss is linear in the labels


# --- the scheme -----------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [LeastSquares, Softmax, Network])
def test_workers_compute_what_the_formula_says(kind: type[Problem]) -> None:
    data = some_data(24)
    problem = kind(data).split(3)
    scheme = BerrutScheme(BerrutCode(3, 4), 1)
    point = np.random.default_rng(2).normal(size=problem.size)
    for number in range(4):
        weights = scheme.berrut.encoding[number]
        features = sum(weights[j] * data.features[8 * j : 8 * j + 8] for j in range(3))
        labels = sum(weights[j] * problem.labels(data.targets[8 * j : 8 * j + 8]) for j in range(3))
        expected = problem.sum_of_gradients(point, features, labels)
        found = scheme.worker(problem, number).answer(0, point, 0)
        assert found == pytest.approx(expected)


def test_decoding_is_the_sum_of_decoded_gradients() -> None:
    scheme = BerrutScheme(BerrutCode(4, 6), 2)
    rng = np.random.default_rng(3)
    contents = {(w, 0): rng.normal(size=7) for w in (5, 1, 3, 2)}
    decoded = scheme.decode(contents)
    each = scheme.berrut.decode({w: value for (w, _), value in contents.items()})
    assert decoded.combine(contents, 7) == pytest.approx(each.sum(axis=0))
    off = scheme.berrut.encoding[[1, 2, 3, 5]].T @ decoded.weights - 1
    assert decoded.error == pytest.approx(off @ off)
    assert scheme.decode([]).error == 4
    assert scheme.enough(list(contents))
    assert not scheme.enough(list(contents)[:3])


@pytest.mark.parametrize("options", ["", ":labels=clipped", ":pairing=classes", ":degree=1"])
def test_equal_parts_are_decoded_exactly(options: str) -> None:
    """Then all coded samples are the samples, and decoders are exact for constants."""
    own = some_data(8)
    data = Data(np.tile(own.features, (5, 1)), np.tile(own.targets, 5))
    problem = Network(data).split(5)
    scheme = make_scheme(f"berrut{options}", workers=5, stragglers=2)
    point = problem.start()
    arrived = [(4, 0), (0, 0), (1, 0)]
    contents = {(w, n): scheme.worker(problem, w).answer(0, point, n) for w, n in arrived}
    total = scheme.decode(arrived).combine(contents, problem.size)
    expected = problem.sum_of_gradients(point, data.features, data.targets)
    assert total == pytest.approx(expected, abs=1e-9)


def test_batches_uneven_parts_and_pairing() -> None:
    data = some_data(23)
    problem = Softmax(data, batches=Batches(0.5, 1)).split(3)
    scheme = make_scheme("berrut:pairing=classes", workers=3, stragglers=1)
    assert isinstance(scheme, BerrutScheme)
    features, labels = scheme.worker(problem, 2).batch(6)
    assert features.shape == (4, 5)
    assert labels.sum(axis=1) == pytest.approx(np.ones(4))
    expected = 0.0
    for part, (start, stop) in enumerate(((0, 7), (7, 15), (15, 23))):
        rows = start + Batches(0.5, 1).rows(6, part, stop - start)
        ordered = sorted(rows, key=lambda row: data.targets[row])
        expected = expected + scheme.berrut.encoding[2, part] * data.features[ordered[:4]]
    assert features == pytest.approx(expected)


def test_clipped_labels() -> None:
    raw = np.array([[1.2, -0.2, 0.0], [0.5, 0.5, 0.0]])
    classes = [np.eye(3)[[0, 0]], np.eye(3)[[1, 1]]]
    assert clipped(raw, classes).tolist() == [[1.0, 0.0, 0.0], [0.5, 0.5, 0.0]]
    numbers = [np.array([0.0, 1.0]), np.array([1.0, 1.0])]
    assert clipped(np.array([-0.3, 1.0]), numbers).tolist() == [0.0, 1.0]


def test_it_learns_in_the_time_of_one_part() -> None:
    rng = np.random.default_rng(0)
    features = rng.normal(size=(600, 4))
    targets = (features @ [1.0, -2.0, 0.5, 0.0] > 0) * 1.0
    times = Slowed(steady(1.0), RandomWorkers(2), delay=9.0)
    clocks = {}
    for name in ("berrut", "cyclic", "naive"):
        problem = Logistic(Data(features, targets))
        scheme = make_scheme(name, workers=5, stragglers=2)
        found = simulate(problem, scheme, GradientDescent(Rate(1.0)), times, plan=Plan(steps=60))
        clocks[name] = float(found.history.clock[-1])
        assert found.history.evaluations[-1].metrics["accuracy"] > 0.95
    assert clocks == {"berrut": 60.0, "cyclic": 180.0, "naive": 600.0}


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("berrut:labels=soft", "labels=soft; expected raw or clipped"),
        ("berrut:pairing=all", "pairing=all; expected given or classes"),
        ("berrut:parts=x", "parts=x"),
        ("berrut:parts=0", "parts=0"),
        ("berrut:degree=-1", "degree=-1"),
        ("berrut:size=3", "expected parts="),
    ],
)
def test_wrong_options(name: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        make_scheme(name, workers=3, stragglers=1)
    with pytest.raises(InputError, match="stragglers=3 with 3 workers"):
        make_scheme("berrut", workers=3, stragglers=3)
    with pytest.raises(InputError, match="worker 3"):
        make_scheme("berrut", workers=3).worker(Softmax(some_data()).split(3), 3)


# --- data of MNIST's format -----------------------------------------------------------------


def idx(array: NDArray[Any], kind: int = 0x08) -> bytes:
    sizes = b"".join(size.to_bytes(4, "big") for size in array.shape)
    return bytes([0, 0, kind, array.ndim]) + sizes + array.tobytes()


def test_files_of_mnist(tmp_path: Path) -> None:
    pixels = np.random.default_rng(0).integers(0, 256, size=(6, 3, 3)).astype(np.uint8)
    classes = np.array([0, 1, 2, 0, 1, 2], dtype=np.uint8)
    images, labels = tmp_path / "images.gz", tmp_path / "labels"
    images.write_bytes(gzip.compress(idx(pixels)))
    labels.write_bytes(idx(classes))
    data = parse_data(f"mnist:images={images},labels={labels}", seed=0)
    assert data.features[:, :9] == pytest.approx(pixels.reshape(6, 9) / 255)
    assert (data.features[:, 9] == 1).all()
    assert data.targets.tolist() == classes.tolist()
    floats = tmp_path / "floats"
    floats.write_bytes(idx(np.array([0.5, 2.0], dtype=">f4"), 0x0D))
    assert read_idx(floats).tolist() == [0.5, 2.0]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is no IDX file"),
        (b"\x00\x00\x07\x01\x00\x00\x00\x01x", "is no IDX file"),
        (b"\x00\x00\x08\x00", "declares 0 dimensions"),
        (b"\x00\x00\x08\x03\x00", "declares 3 dimensions"),
        (b"\x00\x00\x08\x01\x00\x00\x00\x05abc", r"declares shape \(5,\), but has 11 bytes"),
        (b"\x00\x00\x08\x02\xff\xff\xff\xff\xff\xff\xff\xffabc", "declares shape"),
    ],
)
def test_damaged_files(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(InputError, match=message):
        read_idx(tmp_path / "file")


def test_files_that_do_not_belong_together(tmp_path: Path) -> None:
    images, labels, packed = tmp_path / "i", tmp_path / "l", tmp_path / "x.gz"
    images.write_bytes(idx(np.zeros((2, 2, 2), dtype=np.uint8)))
    labels.write_bytes(idx(np.zeros(3, dtype=np.uint8)))
    packed.write_bytes(gzip.compress(idx(np.zeros(9, dtype=np.uint8)))[:-4])
    with pytest.raises(InputError, match=r"2 images, and .* 3 labels"):
        read_mnist(images, labels)
    with pytest.raises(InputError, match="expected images and a list of labels"):
        read_mnist(labels, images)
    with pytest.raises(InputError, match=r"damaged \.gz file"):
        read_idx(packed)
    with pytest.raises(InputError, match="cannot be read"):
        read_idx(tmp_path / "nothing")
    with pytest.raises(InputError, match="has no labels"):
        parse_data(f"mnist:images={images}", seed=0)


# --- PyTorch, and the experiment ------------------------------------------------------------


def test_a_convolutional_network() -> None:
    pytest.importorskip("torch", reason="PyTorch is not installed")
    rng = np.random.default_rng(5)
    data = Data(rng.normal(size=(12, 65)), rng.integers(0, 3, 12) * 1.0)
    problem = LeNet(data, seed=1)
    point = problem.start()
    rows = problem.labels(data.targets)
    found = problem.sum_of_gradients(point, data.features, rows)
    step = 1e-5
    for k in rng.integers(0, problem.size, 12):
        unit = np.zeros(problem.size)
        unit[k] = step
        above, below = (problem.mean_loss(point + s * unit, data) for s in (1, -1))
        assert found[k] == pytest.approx((above - below) / (2 * step) * 12, abs=1e-6)
    assert (problem.start() == point).all()
    assert LeNet(Data(np.zeros((2, 784)), np.array([0.0, 9.0]))).size > 40_000
    result = simulate(
        LeNet(data, seed=1),
        make_scheme("berrut", workers=3, stragglers=1),
        GradientDescent(Rate(0.1)),
        Slowed(steady(1.0), RandomWorkers(1), delay=2.0),
        plan=Plan(steps=3),
    )
    assert np.isfinite(result.parameters).all()


def test_images_too_small_for_convolutions() -> None:
    with pytest.raises(InputError, match="7 × 7; expected 8 × 8"):
        LeNet(Data(np.zeros((2, 50)), np.array([0.0, 1.0])))


def test_the_experiment() -> None:
    pytest.importorskip("sklearn", reason="scikit-learn is not installed")
    result = reproduce("bacc", changes={"hidden": 0, "steps": 25})
    assert [panel.title for panel in result.panels] == [
        "N = 3 workers, S = 1 late in each step",
        "N = 5 workers, S = 2 late in each step",
    ]
    for panel in result.panels:
        runs = {series.label: series for series in panel.series}
        ends = {label: series.x[-1] for label, series in runs.items()}
        berrut = ends["Berrut, raw labels"]
        assert berrut < ends["repetition (cyclic gradient code)"]
        assert berrut == ends["uncoded, S are ignored"]
        assert max(runs["Berrut, raw labels"].y) > 0.8
    loads = [claim.ours for claim in result.claims if claim.subject.startswith("samples")]
    assert loads == ["1 against 2", "1 against 3"]
    for changes, message in (
        ({"hidden": -1}, "hidden=-1"),
        ({"steps": 0}, "steps=0"),
        ({"mean": 0.0}, "mean=0"),
        ({"same": 2}, "same=2; expected 0 or 1"),
        ({"lenet": -1}, "lenet=-1; expected 0 or 1"),
        ({"batch": 0.0}, "batch=0"),
    ):
        with pytest.raises(InputError, match=message):
            reproduce("bacc", changes=changes)
    stopped = reproduce("bacc", changes={"hidden": 0, "steps": 2}, watch=lambda _, done: done > 0.5)
    assert len(stopped.panels) == 2
    assert stopped.stopped == "before N = 5, Berrut, clipped labels"
