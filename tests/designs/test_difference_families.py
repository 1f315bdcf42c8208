"""Difference sets and families by theorem: every small member against plain counting."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
import sympy

from gcdesign.designs import build, exists, label, parse_spec
from gcdesign.designs.tools import p_rank
from gcdesign.errors import GcdesignError, InputError, LimitError


def counted(spec: str) -> tuple[int, int, int | None, int | None]:
    """Return v, b, k and λ of a named design, from plain sets."""
    design = build(parse_spec(spec))
    blocks = design.blocks()
    pairs = Counter(pair for block in blocks for pair in combinations(block, 2))
    counts = {pairs[pair] for pair in combinations(range(design.v), 2)}
    sizes = {len(set(block)) for block in blocks}
    assert label(design)
    k = sizes.pop() if len(sizes) == 1 else None
    return design.v, design.b, k, counts.pop() if len(counts) == 1 else None


def prime_powers(least: int, most: int) -> list[int]:
    return [q for q in range(least, most + 1) if len(sympy.factorint(q)) == 1]


@pytest.mark.parametrize("q", [3, 5, 7, 9, 11])
def test_twin_primes(q: int) -> None:
    v = q * (q + 2)
    assert counted(f"twin-primes:q={q}") == (v, v, (v - 1) // 2, (v - 3) // 4)


@pytest.mark.parametrize(
    ("spec", "parameters"),
    [
        ("mcfarland:q=2", (16, 16, 6, 2)),
        ("mcfarland:q=3", (45, 45, 12, 3)),
        ("mcfarland:q=4", (96, 96, 20, 4)),
        ("mcfarland:q=5", (175, 175, 30, 5)),
        ("mcfarland:q=2,dim=3", (64, 64, 28, 12)),
        ("spence:dim=2", (36, 36, 15, 6)),
        ("spence:dim=3", (351, 351, 126, 45)),
        ("menon:u=1", (4, 4, 1, 0)),
        ("menon:u=2", (16, 16, 6, 2)),
        ("menon:u=3", (36, 36, 15, 6)),
        ("menon:u=4", (64, 64, 28, 12)),
        ("menon:u=6", (144, 144, 66, 30)),
        ("menon:u=8", (256, 256, 120, 56)),
        ("menon:u=9", None),
    ],
)
def test_hyperplanes_and_products(spec: str, parameters: tuple[int, int, int, int] | None) -> None:
    if parameters is None:
        with pytest.raises(InputError, match=r"^u=9; expected 2\^a 3\^b"):
            build(parse_spec(spec))
    else:
        assert counted(spec) == parameters


def test_radical_families() -> None:
    found = []
    for k in (3, 4, 5, 6, 7, 9):
        for q in prime_powers(k * (k - 1) + 1, 130):
            try:
                design = build(parse_spec(f"radical:q={q},size={k}"))
            except GcdesignError:
                continue
            assert design.parameters.as_tuple() == (
                q, q * (q - 1) // (k * (k - 1)), (q - 1) // (k - 1), k, 1
            )  # fmt: skip
            found.append((k, q))
    # k = 3 always (Netto); the rest as listed by Bose 1939 and Wilson 1972.
    assert {q for k, q in found if k == 3} == {q for q in prime_powers(7, 130) if q % 6 == 1}
    assert {(4, 13), (4, 25), (4, 73), (5, 41), (5, 61), (9, 73)} <= set(found)
    assert (4, 37) not in found


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("twin-primes:q=13", r"^q=13; expected q and q \+ 2 to be odd prime powers"),
        ("twin-primes:q=2", r"^q=2; expected q and q \+ 2"),
        ("mcfarland:q=6", "no prime power"),
        ("mcfarland:q=3,dim=1", r"^dim=1; a geometry with blocks needs dimension 2"),
        ("spence:dim=1", r"^dim=1; a geometry with blocks needs dimension 2"),
        ("menon:u=5", r"^u=5; expected 2\^a 3\^b"),
        ("menon:u=0", r"^u=0; expected 2\^a 3\^b"),
        ("radical:q=14,size=3", "no prime power"),
        ("radical:q=17,size=4", r"^q=17, size=4; expected k ≥ 3 and q ≡ 1 mod k\(k − 1\)"),
        ("radical:q=37,size=4", r"^q=37, size=4; the differences of one block were not found"),
        ("radical:q=2011,size=3", r"^q=2011; expected at most 2000"),
    ],
)
def test_refused(spec: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        build(parse_spec(spec))


@pytest.mark.parametrize("spec", ["mcfarland:q=49,dim=4", "spence:dim=16", "menon:u=4096"])
def test_too_large(spec: str) -> None:
    with pytest.raises(GcdesignError, match="the limit is"):
        build(parse_spec(spec))


@pytest.mark.parametrize(
    ("parameters", "recipe"),
    [
        ((351, 126, 45), "spence:dim=3"),
        ((576, 276, 132), "menon:u=12"),
        ((640, 72, 8), "mcfarland:q=8,dim=2"),
        ((288, 42, 6), None),  # McFarland's series with q = 6, which is no prime power
    ],
)
def test_existence_knows_them(parameters: tuple[int, int, int], recipe: str | None) -> None:
    found = getattr(exists(*parameters), "recipe", None)
    assert (found.spec if found else None) == recipe


@pytest.mark.parametrize(
    ("q", "m", "choice", "rank"),
    [
        (2, 5, "", 13),
        (2, 7, "", 33),
        (2, 8, "", 28),
        (3, 5, "", 40),
        (2, 5, ",power=4", 7),
        (2, 7, ",middle=2,power=1", 9),
    ],
)
def test_gordon_mills_welch(q: int, m: int, choice: str, rank: int) -> None:
    """Symmetric designs with the parameters of hyperplanes, told apart from them by their rank.

    Hyperplanes over GF(2) have the rank m + 2, those of PG(5,3) the rank C(7,2) + 1 = 22.
    """
    design = build(parse_spec(f"gmw:q={q},dim={m}{choice}"))
    v, k, index = ((q**e - 1) // (q - 1) for e in (m + 1, m, m - 1))
    assert design.block(1).tolist() == sorted((x + 1) % v for x in design.block(0).tolist())
    differences = Counter((x - y) % v for x in design.block(0) for y in design.block(0) if x != y)
    assert (design.v, design.b, len(design.block(0))) == (v, v, k)
    assert set(differences.values()) == {index}
    assert len(differences) == v - 1
    assert p_rank(design, q) == rank


def test_refused_gordon_mills_welch() -> None:
    for name, words in (
        ("gmw:q=2,dim=4", "no field between"),
        ("gmw:q=2,dim=3", "no field between"),
        ("gmw:q=2,dim=5,middle=4", "divisor of dim"),
        ("gmw:q=2,dim=5,power=7", "no factor of 2\\^3"),
        ("gmw:q=6,dim=5", "prime power"),
        ("gmw:q=2,dim=15", "the limit is 16384"),
    ):
        with pytest.raises((InputError, LimitError), match=words):
            build(parse_spec(name))
