"""Cyclotomic designs against plain arithmetic and the theorems on residues."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from gcdesign.designs import build, parse_spec, verify
from gcdesign.designs.cyclotomy import covered, cyclotomic_design, cyclotomic_numbers
from gcdesign.designs.fields import galois_field
from gcdesign.errors import GcdesignError


@pytest.mark.parametrize(("p", "e"), [(13, 3), (17, 4), (31, 6), (37, 4), (29, 2)])
def test_classes_against_powers(p: int, e: int) -> None:
    powers = {pow(x, e, p) for x in range(1, p)}
    design = cyclotomic_design(p, e, (0,))
    assert sorted(design.blocks()[0]) == sorted(powers)
    assert {frozenset(block) for block in design.blocks()} == {
        frozenset((x + shift) % p for x in powers) for shift in range(p)
    }


@pytest.mark.parametrize(("q", "e"), [(9, 2), (16, 3), (25, 4), (31, 5)])
def test_cyclotomic_numbers_by_counting(q: int, e: int) -> None:
    field = galois_field(q)
    numbers = np.zeros((e, e), dtype=int)
    minus_one = field.negative(np.array([1], dtype=np.int32))
    for i in range(q - 1):
        x = field.exp[i : i + 1]
        less = int(field.add(x, minus_one)[0])
        if less:
            numbers[i % e, int(field.log[less]) % e] += 1
    assert np.array_equal(cyclotomic_numbers(q, e), numbers)


@pytest.mark.parametrize("q", [7, 9, 11, 13, 16, 25])
def test_the_count_by_classes_is_the_count_of_pairs(q: int) -> None:
    seen = set()
    for e in (d for d in range(2, q) if (q - 1) % d == 0):
        minus_one = 0 if q % 2 == 0 else (q - 1) // 2 % e
        numbers = cyclotomic_numbers(q, e)
        for shifts, zero, first in product(range(1, e + 1), (0, 1), range(e)):
            classes = (0,) if first == 0 else (0, first)
            claimed = covered(numbers, classes, shifts=shifts, zero=zero, minus_one=minus_one)
            design = cyclotomic_design(q, e, classes, shifts, zero)
            least, most = verify(design).least, verify(design).most
            assert claimed == (least if least == most else None)
            seen.add(claimed is None)
    assert seen == {True, False}


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("cyclotomic:q=37,order=4,classes=0", (37, 9, 2)),  # 37 = 1 + 4·3²
        ("cyclotomic:q=101,order=4,classes=0", (101, 25, 6)),  # 101 = 1 + 4·5²
        ("cyclotomic:q=13,order=4,classes=0,zero=1", (13, 4, 1)),  # 13 = 9 + 4·1²
        ("cyclotomic:q=109,order=4,classes=0,zero=1", (109, 28, 7)),  # 109 = 9 + 4·5²
        ("cyclotomic:q=73,order=8,classes=0", (73, 9, 1)),  # 73 = 1 + 8·3² = 9 + 64·1²
        ("cyclotomic:q=25,order=3,classes=0,shifts=3", (25, 8, 7)),
        ("cyclotomic:q=27,order=2,classes=1", (27, 13, 6)),
    ],
)
def test_theorems(name: str, parameters: tuple[int, int, int]) -> None:
    design = build(parse_spec(name))
    found = verify(design)
    assert (design.v, found.block_size, found.lambda_) == parameters


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("cyclotomic:q=12,order=2,classes=0", "no prime power"),
        ("cyclotomic:q=1,order=1,classes=0", "q=1"),
        ("cyclotomic:q=13,order=5,classes=0", "order=5; expected a divisor of q - 1 = 12"),
        ("cyclotomic:q=13,order=3,classes=3", "class 3; expected numbers below order=3"),
        ("cyclotomic:q=13,order=3,classes=0+0", "expected different numbers"),
        ("cyclotomic:q=13,order=3,classes=-1", "expected different numbers"),
        ("cyclotomic:q=13,order=3,classes=0,shifts=4", "shifts=4; expected 1 to order=3"),
        ("cyclotomic:q=13,order=3,classes=0,zero=2", "zero=2; expected 0 or 1"),
        ("cyclotomic:q=100000000000,order=1,classes=0", "limit"),
    ],
)
def test_refusals(name: str, message: str) -> None:
    with pytest.raises(GcdesignError, match=message):
        build(parse_spec(name))
