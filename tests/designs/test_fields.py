"""GF(q) against galois, sympy, schoolbook arithmetic and the axioms of a field."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Sequence
from importlib.resources import files
from typing import Any

import galois
import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from gcdesign.designs import fields, projective_geometry, verify
from gcdesign.designs.fields import (
    MAX_ORDER,
    Elements,
    Field,
    galois_field,
    is_prime,
    nearest_prime_powers,
    prime_factors,
    prime_power,
    primitive_polynomial,
    primitive_root,
)
from gcdesign.errors import InputError, LimitError

SMALL = (4, 8, 9, 16, 25, 27)
LARGER = (49, 64, 121, 125, 128, 243, 256, 343)
ORDERS = (2, 3, 4, 5, 7, 8, 9, 16, 25, 27, 31, 49, 64, 81, 125, 256, 343, 1009, 4096)


def oracle(q: int) -> Any:
    """Return GF(q) of galois, uncompiled: compiling takes a second for each characteristic."""
    return galois.GF(q, compile="python-calculate")


def whole(array: Any) -> list[int]:
    return [int(x) for x in np.asarray(array).ravel()]


def schoolbook(a: int, b: int, p: int, low: Sequence[int]) -> int:
    """Multiply polynomials over GF(p) digit by digit, then divide by x^e + Σ low[i] x^i."""
    e = len(low)
    digits = [[n // p**i % p for i in range(e)] for n in (a, b)]
    product = [0] * (2 * e - 1)
    for i, j in itertools.product(range(e), repeat=2):
        product[i + j] += digits[0][i] * digits[1][j]
    for top in range(2 * e - 2, e - 1, -1):
        for i, c in enumerate(low):
            product[top - e + i] -= product[top] * c
    return sum(product[i] % p * p**i for i in range(e))


def stored() -> dict[int, list[int]]:
    text = files("gcdesign.designs").joinpath("data/primitive_polynomials.json").read_text("utf-8")
    return {int(q): low for q, low in json.loads(text)["polynomials"].items()}


@pytest.fixture(autouse=True)
def _fresh_fields() -> Iterator[None]:
    yield
    galois_field.cache_clear()


def test_stored_are_the_proper_prime_powers_to_4096() -> None:
    powers = [
        q
        for q in range(2, 4097)
        if len(f := sympy.factorint(q)) == 1 and next(iter(f.values())) > 1
    ]
    assert sorted(stored()) == powers


def test_every_stored_polynomial_is_that_of_galois() -> None:
    for q, low in stored().items():
        ((p, e),) = sympy.factorint(q).items()
        oracle(p)
        try:
            polynomial = galois.conway_poly(p, e)
        except LookupError:
            polynomial = galois.primitive_poly(p, e)
        assert [*low, 1] == whole(polynomial.coefficients(order="asc")), q
        assert primitive_polynomial(p, e) == tuple(low)


@pytest.mark.parametrize("q", SMALL)
def test_full_tables_are_those_of_galois(q: int) -> None:
    a, b = np.divmod(np.arange(q * q, dtype=np.int32), np.int32(q))
    gf, field = oracle(q), galois_field(q)
    assert whole(field.add(a, b)) == whole(gf(a) + gf(b))
    assert whole(field.multiply(a, b)) == whole(gf(a) * gf(b))
    assert whole(field.negative(a[::q])) == whole(-gf(a[::q]))


@pytest.mark.parametrize("q", LARGER)
def test_samples_are_those_of_galois(q: int) -> None:
    a, b = np.random.default_rng(q).integers(q, size=(2, 300), dtype=np.int32)
    gf, field = oracle(q), galois_field(q)
    assert whole(field.add(a, b)) == whole(gf(a) + gf(b))
    assert whole(field.multiply(a, b)) == whole(gf(a) * gf(b))
    units = np.unique(a[a > 0])
    assert [field.inverse(u) for u in units.tolist()] == whole(gf(1) / gf(units))


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_products_are_those_of_schoolbook_arithmetic(data: st.DataObject) -> None:
    q = data.draw(st.sampled_from([*ORDERS, 2187, 2401, 3125, 3721]))
    a, b = data.draw(st.integers(0, q - 1)), data.draw(st.integers(0, q - 1))
    ((p, e),) = sympy.factorint(q).items()
    product = galois_field(q).multiply(np.int32(a), np.int32(b))  # type: ignore[arg-type]
    assert int(product) == schoolbook(a, b, p, primitive_polynomial(p, e))


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_axioms(data: st.DataObject) -> None:
    field = galois_field(data.draw(st.sampled_from(ORDERS)))
    elements = st.integers(0, field.order - 1).map(lambda n: np.array([n], dtype=np.int32))
    a, b, c = (data.draw(elements) for _ in range(3))

    def same(left: Elements, right: Elements) -> bool:
        return 0 <= int(left[0]) < field.order and left.tolist() == right.tolist()

    zero, one = np.array([0], dtype=np.int32), np.array([1], dtype=np.int32)
    assert same(field.add(a, b), field.add(b, a))
    assert same(field.add(field.add(a, b), c), field.add(a, field.add(b, c)))
    assert same(field.add(a, zero), a)
    assert same(field.add(a, field.negative(a)), zero)
    assert same(field.multiply(a, b), field.multiply(b, a))
    assert same(field.multiply(field.multiply(a, b), c), field.multiply(a, field.multiply(b, c)))
    assert same(field.multiply(a, one), a)
    assert same(field.multiply(a, zero), zero)
    left = field.multiply(a, field.add(b, c))
    assert same(left, field.add(field.multiply(a, b), field.multiply(a, c)))
    assert same(field.scale(int(b[0]), a), field.multiply(a, b))
    if a[0]:
        inverse = np.array([field.inverse(int(a[0]))], dtype=np.int32)
        assert same(field.multiply(a, inverse), one)


@pytest.mark.parametrize("q", ORDERS)
def test_powers_of_the_generator_are_all_units(q: int) -> None:
    field = galois_field(q)
    assert sorted(field.exp[: q - 1].tolist()) == list(range(1, q))
    assert field.exp[: q - 1].tolist() == field.exp[q - 1 : 2 * (q - 1)].tolist()
    assert field.log[field.exp[: q - 1]].tolist() == list(range(q - 1))


def test_add_and_multiply_broadcast() -> None:
    for q in (2, 5, 8, 9):
        field = galois_field(q)
        column, row = np.arange(q, dtype=np.int32)[:, None], np.arange(q, dtype=np.int32)[None, :]
        assert field.add(column, row).shape == (q, q)
        assert field.multiply(column, row).shape == (q, q)
        assert field.multiply(column, row).dtype == np.int32
        assert field.add(column, row).dtype == np.int32


def test_tables_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="read-only"):
        galois_field(9).exp[0] = 2


def test_prime_power_agrees_with_sympy() -> None:
    for q in range(-5, 5000):
        factors = sympy.factorint(q) if q > 1 else {}
        expected = next(iter(factors.items())) if len(factors) == 1 else None
        assert prime_power(q) == expected, q


@settings(deadline=None)
@given(st.integers(1, 10**9))
def test_prime_factors_agree_with_sympy(n: int) -> None:
    assert prime_factors(n) == sorted(sympy.factorint(n))


def test_primitive_roots_agree_with_sympy() -> None:
    for p in sympy.primerange(2000):
        assert primitive_root(p) == sympy.primitive_root(p)


def test_nearest_prime_powers() -> None:
    powers = [q for q in range(2, 2200) if len(sympy.factorint(q)) == 1]
    for q in (-3, 0, 1, 6, 10, 12, 14, 21, 22, 1000, 2047):
        below = [n for n in powers if n < q][-1:]
        assert nearest_prime_powers(q) == (*below, next(n for n in powers if n > q))


@pytest.mark.parametrize("q", [-3, 0, 1, 6, 10, 36, 100])
def test_no_field_of_that_order(q: int) -> None:
    with pytest.raises(InputError, match=rf"^q={q} is no prime power, .*; the nearest: \d"):
        galois_field(q)


@pytest.mark.parametrize("q", [MAX_ORDER + 1, 10**12, 2**200])
def test_too_large_a_field(q: int) -> None:
    with pytest.raises(LimitError, match=f"larger than the limit {MAX_ORDER}"):
        galois_field(q)


def test_beyond_the_stored_table_galois_is_asked() -> None:
    """GF(17³) is beyond it: the polynomial, and so every product, is that of galois."""
    q = 17**3
    oracle(17)
    gf, field = oracle(q), galois_field(q)
    assert [*primitive_polynomial(17, 3), 1] == whole(gf.irreducible_poly.coefficients(order="asc"))
    a, b = np.random.default_rng(q).integers(q, size=(2, 50), dtype=np.int32)
    assert whole(field.multiply(a, b)) == whole(gf(a) * gf(b))


def test_elements_are_polynomials_not_residues() -> None:
    """In GF(4), GF(8) and GF(9) neither sums nor products are those modulo q."""
    for q in (4, 8, 9):
        a, b = np.divmod(np.arange(q * q, dtype=np.int32), np.int32(q))
        field = galois_field(q)
        assert field.add(a, b).tolist() != ((a + b) % q).tolist()
        assert field.multiply(a, b).tolist() != ((a * b) % q).tolist()
        assert (field.multiply(a, b)[(a > 0) & (b > 0)] > 0).all()


def test_a_product_depends_on_the_polynomial() -> None:
    """255 · 2 is 227 modulo 0x11D, the polynomial used here, and 229 modulo 0x11B."""
    assert primitive_polynomial(2, 8) == tuple(0x1D >> i & 1 for i in range(8))
    field = galois_field(256)
    assert int(field.multiply(np.int32(255), np.int32(2))) == 227  # type: ignore[arg-type]
    assert schoolbook(255, 2, 2, [0x1D >> i & 1 for i in range(8)]) == 227
    assert schoolbook(255, 2, 2, [0x1B >> i & 1 for i in range(8)]) == 229


@pytest.mark.parametrize(
    ("p", "e", "other"), [(2, 3, (1, 0, 1)), (3, 2, (2, 1)), (2, 4, (1, 0, 0, 1))]
)
def test_another_primitive_polynomial_gives_the_same_parameters(
    monkeypatch: pytest.MonkeyPatch, p: int, e: int, other: tuple[int, ...]
) -> None:
    q = p**e
    usual = projective_geometry(q)
    assert primitive_polynomial(p, e) != other
    monkeypatch.setattr(fields, "primitive_polynomial", lambda p, e: other)
    galois_field.cache_clear()
    plane = projective_geometry(q)
    assert plane.parameters == usual.parameters
    assert verify(plane).lambda_ == 1


def test_a_field_is_made_once() -> None:
    assert isinstance(galois_field(8), Field)
    assert galois_field(8) is galois_field(8)


@given(st.integers(-5, 10**6))
def test_primes_and_prime_powers_are_sympys(n: int) -> None:
    assert is_prime(n) == (n > 1 and sympy.isprime(n))
    factors = sympy.factorint(n) if n > 1 else {}
    expected = next(iter(factors.items())) if len(factors) == 1 else None
    assert prime_power(n) == expected


@given(st.integers(2, 10**6), st.integers(1, 4))
def test_large_powers(n: int, e: int) -> None:
    p = int(sympy.nextprime(n))
    assert prime_power(p**e) == (p, e)
    assert prime_power(p**e * int(sympy.nextprime(p))) is None


@pytest.mark.parametrize("n", [2**61 - 1, 2**89 - 1, 10**18 + 9, 3825123056546413051, 2**67 - 1])
def test_large_numbers_are_judged_as_by_sympy(n: int) -> None:
    # 3825123056546413051 passes Miller and Rabin to the first nine primes, and is composite.
    assert is_prime(n) == sympy.isprime(n)
