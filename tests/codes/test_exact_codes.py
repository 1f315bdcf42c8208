"""Exact codes: each construction's theorem, on all sets of stragglers and by other means."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from gcdesign.codes import GradientCode, check_span, condition_number, density_bound, load_code
from gcdesign.codes.families.cyclic import cyclic_repetition
from gcdesign.codes.families.rs import evaluation_points
from gcdesign.codes.lagrange import lagrange_weights
from gcdesign.errors import InputError, LimitError

TANDON_H = ["1 2 3 4 -10", "1 -1 2 5 -7"]
TANDON_B = [
    "1 1/7 -3/7 0 0",
    "0 1 -2 1 0",
    "0 0 1 1/22 7/22",
    "-22/3 0 0 1 -1/3",
    "8 1 0 0 1",
]
TANDON_A = {
    (0, 1): "1 21/22 1",
    (0, 2): "-1/2 3/2 3/2",
    (0, 3): "7/8 11/4 1/8",
    (0, 4): "1 3 -3/22",
    (1, 2): "-7/3 1 4/3",
    (1, 3): "49 22 -6",
    (1, 4): "7 4 9/11",
    (2, 3): "-7 1 1",
    (2, 4): "-21 4 -3",
    (3, 4): "1 6/7 22/7",
}
"""A code after Algorithm 2 for N = 5, S = 2 and all its decoding rows, worked out in fractions."""


def fractions(text: str) -> list[Fraction]:
    return [Fraction(number) for number in text.split()]


def residual(rows: NDArray[Any]) -> float:
    """max |Rᵀv − 1| over entries for the best v: by normal equations of the real messages."""
    if np.iscomplexobj(rows):
        rows = np.concatenate([rows.real, rows.imag])
    scale = np.abs(rows).max(axis=1, initial=1e-300)
    q, r = np.linalg.qr((rows / np.where(scale > 1e-12, scale, 1)[:, None]).T)
    return float(np.abs(q @ (q.T @ np.ones(rows.shape[1])) - 1).max()) if r.size else 1.0


def made_for(name: str) -> tuple[GradientCode, int]:
    code = load_code(name)
    assert code.tolerates is not None
    return code, code.tolerates


def small() -> Iterator[str]:
    for n in range(1, 11):
        for s in range(n):
            yield f"cyclic:workers={n},stragglers={s}"
            yield f"cyclic-mds:workers={n},stragglers={s}"
            yield f"ye-abbe:workers={n},stragglers={s}"
            yield f"rs:workers={n},load={s + 1}"
    yield from ("rs:workers=6,load=2,parts=4", "rs:workers=8,load=6,parts=12")
    yield from ("rs:workers=10,load=2,parts=4", "cyclic-mds:workers=9,stragglers=4,real=0")


@pytest.mark.parametrize("name", list(small()))
def test_condition_1_on_all_sets(name: str) -> None:
    """Decoded by the code's own decoder, and spanned by a decomposition of the test's own."""
    code, stragglers = made_for(name)
    found = check_span(code, stragglers)
    assert found.holds
    assert found.complete
    dense = code.dense_encoding()
    for gone in combinations(range(code.workers), stragglers):
        assert residual(np.delete(dense, gone, axis=0)) < 1e-9, gone


@pytest.mark.parametrize(
    "name",
    [
        "cyclic:workers=50,stragglers=3",
        "cyclic:workers=100,stragglers=50",
        "cyclic:workers=200,stragglers=4",
        "cyclic-mds:workers=51,stragglers=6",
        "cyclic-mds:workers=100,stragglers=4",
        "cyclic-mds:workers=200,stragglers=5",
        "rs:workers=100,load=10",
        "rs:workers=200,load=10",
        "rs:workers=200,load=5,parts=100",
        "ye-abbe:workers=50,stragglers=5",
        "ye-abbe:workers=200,stragglers=3",
    ],
)
def test_condition_1_on_random_sets_of_large_codes(name: str) -> None:
    code, stragglers = made_for(name)
    found = check_span(code, stragglers, samples=12, seed=3)
    assert found.holds, found.residual
    assert (found.complete, found.sets) == (False, 12)


@pytest.mark.parametrize("name", ["frc:workers=8,stragglers=1", "frc:workers=9,stragglers=2"])
def test_fractional_repetition_and_its_groups(name: str) -> None:
    code = load_code(name)
    stragglers = int(name[-1])
    assert check_span(code, stragglers).holds
    assert not check_span(code, stragglers + 1).holds
    for parts in (3 * code.workers // (stragglers + 1), code.workers // (stragglers + 1)):
        grouped = load_code(f"{name},parts={parts}")
        assert grouped.placement.load == density_bound(code.workers, stragglers, parts=parts)
        assert check_span(grouped, stragglers).holds
        assert (
            grouped.decode(range(stragglers + 1)).error == parts * (stragglers + 1) / code.workers
        )


@pytest.mark.parametrize("name", ["cyclic:workers=9,stragglers=3", "rs:workers=8,load=6,parts=12"])
def test_nobody_holds_less(name: str) -> None:
    """Theorem 1 with equality, in every family."""
    code, stragglers = made_for(name)
    assert code.placement.load == density_bound(code.workers, stragglers, parts=code.parts)
    assert code.placement.replication == stragglers + 1


def test_less_than_theorem_1_is_never_enough() -> None:
    rng = np.random.default_rng(0)
    for load in (1, 2):
        dense = np.zeros((6, 6))
        for worker in range(6):
            dense[worker, (worker + np.arange(load)) % 6] = rng.normal(size=load)
        assert load < density_bound(6, 2)
        assert not check_span(GradientCode.from_matrix(dense), 2).holds


def test_density_bound() -> None:
    assert density_bound(12, 2) == 3
    assert density_bound(10, 3, parts=5) == Fraction(2)
    assert density_bound(10, 3, parts=7) == Fraction(14, 5)
    for wrong in ((0, 0, 1), (3, 3, 1), (3, -1, 1), (3, 1, 0)):
        with pytest.raises(InputError):
            density_bound(wrong[0], wrong[1], parts=wrong[2])


# --- cyclic repetition ----------------------------------------------------------------------


@pytest.mark.parametrize(("n", "s"), [(5, 2), (9, 3), (12, 2), (12, 11), (40, 7)])
def test_rows_of_cyclic_repetition(n: int, s: int) -> None:
    """BHᵀ = 0 for an S-rowed H with H·1 = 0: rank N − S, and 1 in the row space."""
    dense = load_code(f"cyclic:workers={n},stragglers={s}").dense_encoding()
    assert (np.diag(dense) == 1).all()
    for worker in range(n):
        assert set(np.flatnonzero(dense[worker])) == {(worker + d) % n for d in range(s + 1)}
    singular = np.linalg.svd(dense, compute_uv=False)
    assert singular[n - s - 1] > 1e-9 * singular[0]
    if s:
        assert singular[n - s] < 1e-12 * singular[0]
    assert np.linalg.lstsq(dense.T, np.ones(n), rcond=1e-11)[0] @ dense == pytest.approx(
        np.ones(n), abs=1e-9
    )


def test_draws_are_judged_and_recorded() -> None:
    for seed in range(20):
        made = cyclic_repetition(12, 2, seed=seed)
        assert made.code.weights is not None
        assert made.largest == np.abs(made.code.weights).max() <= 120
        assert 1 <= made.condition <= 2400
        assert 1 <= made.draws <= 10
    assert max(cyclic_repetition(12, 2, seed=seed).draws for seed in range(60)) > 1
    assert cyclic_repetition(4, 0).largest == 1
    assert cyclic_repetition(4, 3).largest == pytest.approx(1)


def test_seeds() -> None:
    first, again, other = (
        load_code(f"cyclic:workers=9,stragglers=2,seed={seed}").dense_encoding()
        for seed in (1, 1, 2)
    )
    assert (first == again).all()
    assert not np.allclose(first, other)


def test_the_matrix_of_a_published_example() -> None:
    """A random H of integers, its B and all its decoding rows, worked out in fractions."""
    h = np.array([fractions(row) for row in TANDON_H])
    b = np.array([fractions(row) for row in TANDON_B])
    assert not (b @ h.T).any()
    code = GradientCode.from_matrix(b.astype(float))
    for silenced, row in TANDON_A.items():
        alive = [i for i in range(5) if i not in silenced]
        weights = [float(x) for x in fractions(row)]
        assert code.decode(silenced).weights[alive] == pytest.approx(weights, rel=1e-9)


def test_figure_1b() -> None:
    code = GradientCode.from_matrix([[0.5, 1, 0], [0, 1, -1], [0.5, 0, 1]])
    for row in ([0, 1, 2], [1, 0, 1], [2, -1, 0]):
        silent = [i for i in range(3) if row[i] == 0]
        assert code.decode(silent).weights == pytest.approx(row)
    assert check_span(code, 1).holds
    assert not check_span(code, 2).holds


def test_beyond_its_design_it_collapses() -> None:
    """err_3 = 5.27, err_4 = 5.76 and err_5 = 6.47 of 7 for one H: by brute force over all sets."""
    code, stragglers = made_for("cyclic:workers=7,stragglers=2,seed=5")
    dense = code.dense_encoding()
    worst = {}
    for s in (3, 4, 5):
        errors = {}
        for gone in combinations(range(7), s):
            rows = np.delete(dense, gone, axis=0).T
            best = np.linalg.lstsq(rows, np.ones(7), rcond=None)[0]
            errors[gone] = float(((rows @ best - 1) ** 2).sum())
        silenced = max(errors, key=lambda gone: errors[gone])
        worst[s] = round(errors[silenced], 2)
        decoding = code.decode(silenced)
        assert decoding.error == pytest.approx(errors[silenced])
        assert decoding.notice is not None
        assert f"{s} workers are silent" in decoding.notice
        assert f"made for {stragglers} at most" in decoding.notice
    assert worst == {3: 5.27, 4: 5.76, 5: 6.47}
    assert code.decode([0, 1]).notice is None
    assert load_code("pg:q=2").decode(range(5)).notice is None


# --- cyclic MDS -----------------------------------------------------------------------------


def test_the_real_code_of_five_workers() -> None:
    dense = load_code("cyclic-mds:workers=5,stragglers=2").dense_encoding()
    assert dense[0, :3] == pytest.approx([1, (1 + 5**0.5) / 2, 1])
    powers = np.exp(2j * np.pi * np.array([2, 3]) / 5)
    assert np.abs(np.polyval(dense[0, :3], powers)).max() < 1e-14


@pytest.mark.parametrize("real", [0, 1])
@pytest.mark.parametrize(("n", "s"), [(5, 2), (8, 3), (9, 4), (12, 7), (30, 11)])
def test_roots(n: int, s: int, real: int) -> None:
    """Every row is a shift of one polynomial, with S consecutive n-th roots of unity and not 1."""
    dense = load_code(f"cyclic-mds:workers={n},stragglers={s},real={real}").dense_encoding()
    assert np.iscomplexobj(dense) is not bool(real)
    for worker in range(n):
        assert (np.roll(dense[worker], -worker) == dense[0]).all()
    polynomial = dense[0, : s + 1]
    values = np.abs(np.polyval(polynomial, np.exp(2j * np.pi * np.arange(n) / n)))
    roots = np.flatnonzero(values < 1e-9 * np.abs(polynomial).sum()).tolist()
    assert roots == list(range(roots[0], roots[0] + s))
    assert roots[0] > 0
    if real:
        assert (polynomial > 0).all()
        assert roots[0] + roots[-1] == n


@pytest.mark.parametrize("n", range(2, 10))
def test_the_real_form_exists_exactly_for_odd_sums(n: int) -> None:
    for s in range(n):
        exists = (n + s) % 2 == 1 or s == 0
        assert load_code(f"cyclic-mds:workers={n},stragglers={s}").is_complex is not exists
        if exists:
            continue
        with pytest.raises(InputError, match="is even, and a real cyclic MDS code exists") as error:
            load_code(f"cyclic-mds:workers={n},stragglers={s},real=1")
        choices = str(error.value).partition("take ")[2].replace(", or real=0", "").split(" or ")
        for choice in choices:
            values = {"workers": n, "stragglers": s} | {
                key: int(value) for key, value in [choice.split("=")]
            }
            name = ",".join(f"{key}={value}" for key, value in values.items())
            assert not load_code(f"cyclic-mds:{name},real=1").is_complex


# --- Reed–Solomon ---------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "k", "w"), [(6, 6, 3), (6, 4, 2), (8, 12, 6), (9, 9, 9), (5, 5, 1)])
def test_columns_are_values_of_polynomials(n: int, k: int, w: int) -> None:
    """Column j: the values of the polynomial with t(0) = 1 that vanishes where j is not held."""
    dense = load_code(f"rs:workers={n},load={w},parts={k}").dense_encoding()
    points = evaluation_points(n)
    assert points**n == pytest.approx(np.ones(n))
    assert len(np.unique(points.round(9))) == n
    held = dense != 0
    assert (held.sum(axis=1) == w).all()
    assert (held.sum(axis=0) == n * w // k).all()
    for part in range(k):
        polynomial = np.atleast_1d(np.poly(points[~held[:, part]]))
        values = np.polyval(polynomial, points) / polynomial[-1]
        assert dense[:, part] == pytest.approx(values, abs=1e-10)


@pytest.mark.parametrize(("n", "w"), [(5, 2), (9, 4), (12, 6)])
def test_interpolation_is_the_first_row_of_the_inverse_vandermonde(n: int, w: int) -> None:
    code, stragglers = made_for(f"rs:workers={n},load={w}")
    for gone in combinations(range(n), stragglers):
        alive = [i for i in range(n) if i not in gone]
        powers = np.vander(evaluation_points(n)[alive], increasing=True)
        expected = np.linalg.inv(powers)[0]
        assert lagrange_weights(evaluation_points(n)[alive]) == pytest.approx(expected, abs=1e-9)
        decoding = code.decode(gone)
        assert decoding.method == "Lagrange interpolation at 0"
        assert decoding.weights[alive] == pytest.approx(expected, abs=1e-9)
        assert not decoding.weights[list(gone)].any()
        assert decoding.error < 1e-20


@pytest.mark.parametrize(("n", "w"), [(40, 9), (60, 12), (200, 20), (200, 5)])
def test_spread_points_keep_runs_of_neighbours_decodable(n: int, w: int) -> None:
    code, stragglers = made_for(f"rs:workers={n},load={w}")
    assert code.weights is not None
    assert w / 10 < np.abs(code.weights).min() <= np.abs(code.weights).max() < 10 * w
    for first in (0, n // 3, n - 2):
        gone = [(first + i) % n for i in range(stragglers)]
        assert code.decode(gone).error < 1e-18


def test_more_survivors_than_are_needed_and_fewer() -> None:
    code, _ = made_for("rs:workers=8,load=4")
    assert code.decode([2]).method == "Lagrange interpolation at 0"
    assert code.decode([2]).error < 1e-20
    beyond = code.decode([0, 2, 4, 6])
    assert beyond.method.startswith("least squares")
    assert beyond.notice is not None


def test_lagrange_weights_of_any_points() -> None:
    points = np.array([0.5, -1, 2, 3.5, -2.5])
    weights = lagrange_weights(points)
    for degree in range(5):
        assert weights @ points**degree == pytest.approx(float(degree == 0))
    for wrong in ([0.0, 1.0], [1.0, 1.0], [[1.0]], [1.0, float("nan")]):
        with pytest.raises(InputError, match="interpolation"):
            lagrange_weights(np.array(wrong))


# --- complex codes --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["cyclic-mds:workers=8,stragglers=2", "rs:workers=8,load=6,parts=12"]
)
def test_gradients_through_complex_codes(name: str) -> None:
    """What is decoded from real gradients is their sum; each worker sends two real messages."""
    code, stragglers = made_for(name)
    gradients = np.random.default_rng(1).normal(size=(code.parts, 7))
    messages = code.encode(gradients)
    assert np.iscomplexobj(messages)
    for gone in combinations(range(code.workers), stragglers):
        weights = code.decode(gone).weights
        assert (weights @ messages).real == pytest.approx(gradients.sum(axis=0), abs=1e-9)


def test_the_error_of_a_complex_code_is_that_of_its_two_real_messages() -> None:
    code, _ = made_for("cyclic-mds:workers=8,stragglers=2")
    dense = code.dense_encoding()
    for gone in combinations(range(8), 6):
        rows = np.delete(dense, gone, axis=0)
        both = np.concatenate([rows.real, rows.imag]).T
        best = np.linalg.lstsq(both, np.ones(8), rcond=1e-12)[0]
        assert code.decode(gone).error == pytest.approx(((both @ best - 1) ** 2).sum())


# --- condition ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["cyclic:workers=12,stragglers=2", "cyclic-mds:workers=12,stragglers=4", "pg:q=3"]
)
def test_condition_of_the_encoding_matrix(name: str) -> None:
    """By eigenvalues of the Gram matrix of rows whose greatest entry is between 1 and 2."""
    code = load_code(name)
    dense = code.dense_encoding()
    dense = dense * 2.0 ** -np.floor(np.log2(np.abs(dense).max(axis=1)))[:, None]
    powers = np.linalg.eigvalsh(dense @ dense.conj().T)
    rank = code.workers - (code.tolerates or 0)
    expected = np.sqrt(powers[-1] / powers[-rank])
    assert condition_number(code) == pytest.approx(expected, rel=1e-6)


def test_scaling_rows_changes_no_condition() -> None:
    dense = load_code("cyclic:workers=8,stragglers=3").dense_encoding()
    scaled = dense * 2.0 ** np.arange(-200, 200, 50)[:, None]
    whole = condition_number(GradientCode.from_matrix(dense))
    assert condition_number(GradientCode.from_matrix(scaled)) == pytest.approx(whole)
    assert condition_number(GradientCode.from_matrix(np.zeros((2, 3)))) == 1
    with pytest.raises(LimitError, match="the limit is"):
        condition_number(load_code("uncoded:workers=3000"))


# --- bad input ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("cyclic:workers=5,stragglers=5", r"^stragglers=5; expected 0 to 4 \(workers - 1\)"),
        ("cyclic:workers=5,stragglers=-1", r"^stragglers=-1; expected 0 to 4"),
        ("cyclic:workers=0,stragglers=0", r"^workers=0; expected 1 or more$"),
        ("cyclic:workers=5,stragglers=1,seed=-1", r"^seed=-1; expected a whole number"),
        ("cyclic-mds:workers=5,stragglers=5", r"^stragglers=5; expected 0 to 4"),
        ("cyclic-mds:workers=5,stragglers=2,real=2", r"^real=2; expected 1 for real weights"),
        ("rs:workers=9,load=3,parts=6", r"no multiple of 6; the nearest: load=2 or load=4$"),
        ("rs:workers=9,load=10", r"^load=10; expected 1 to parts=9$"),
        ("rs:workers=9,load=0", r"^load=0; expected 1 or more$"),
        ("ye-abbe:workers=5,stragglers=5", r"^stragglers=5; expected 0 to 4"),
        ("ye-abbe:workers=7,stragglers=2,pieces=2", r"circulant:workers=7,load=4$"),
        ("frc:workers=9,stragglers=2,parts=7", r"the nearest: parts=6 or parts=9$"),
        ("frc:workers=9,stragglers=2,parts=2", r"the nearest: parts=3$"),
        ("frc:workers=9,stragglers=2,parts=0", r"^parts=0; expected 1 or more$"),
    ],
)
def test_bad_input(name: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        load_code(name)
    assert "\n" not in str(caught.value)


def test_too_large() -> None:
    for name in (
        "cyclic:workers=90000,stragglers=44999",
        "cyclic:workers=5000,stragglers=200",
        "cyclic-mds:workers=90000,stragglers=44999",
        "rs:workers=90000,load=45000",
        "rs:workers=20000,load=10000",
        "ye-abbe:workers=10000,stragglers=1",
    ):
        with pytest.raises(LimitError, match="limit"):
            load_code(name)


def test_check_span_refuses() -> None:
    code = load_code("uncoded:workers=40")
    with pytest.raises(LimitError, match="samples=1000"):
        check_span(code, 20)
    with pytest.raises(InputError, match="stragglers=41"):
        check_span(code, 41)
    with pytest.raises(InputError, match="samples=0"):
        check_span(code, 2, samples=0)
    with pytest.raises(InputError, match="tolerance=0"):
        check_span(code, 2, tolerance=0)


def test_the_witness_of_a_failure(least_error: Callable[..., Fraction]) -> None:
    code = load_code("pg:q=2")
    found = check_span(code, 2)
    assert (found.holds, found.complete, found.sets) == (False, True, 21)
    rows = np.delete(code.dense_encoding().astype(int), found.silenced, axis=0)
    assert found.residual**2 == pytest.approx(float(least_error(rows.tolist(), 7)))
