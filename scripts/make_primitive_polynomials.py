"""Write gcdesign/designs/data/primitive_polynomials.json from galois, once.

Run it from the checkout: ``python scripts/make_primitive_polynomials.py``. The tests hold the
stored table against galois, so it never needs to be run again unless the range changes.
"""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path

import galois

from gcdesign.designs.fields import prime_power

LARGEST_ORDER = 4096
TARGET = Path(__file__).parents[1] / "gcdesign" / "designs" / "data" / "primitive_polynomials.json"


def coefficients(p: int, e: int) -> list[int]:
    """Return the e low coefficients, constant first, of galois' primitive polynomial."""
    try:
        polynomial = galois.conway_poly(p, e)
    except LookupError:
        polynomial = galois.primitive_poly(p, e)
    return [int(c) for c in polynomial.coefficients(order="asc")][:-1]


def main() -> None:
    """Write the table for every q = p^e ≤ `LARGEST_ORDER` with e ≥ 2."""
    orders = {q: pe for q in range(4, LARGEST_ORDER + 1) if (pe := prime_power(q)) and pe[1] > 1}
    document: dict[str, str] = {
        "schema": "gcdesign.primitive-polynomials/1",
        "source": f"galois {version('galois')}: conway_poly, else primitive_poly",
        "coefficients": "constant first, monic leading coefficient omitted",
    }
    polynomials = {q: coefficients(p, e) for q, (p, e) in orders.items()}
    rows = ",\n".join(f'  "{q}": {json.dumps(c)}' for q, c in polynomials.items())
    head = json.dumps(document, indent=1).rstrip("\n}")
    TARGET.write_text(f'{head},\n "polynomials": {{\n{rows}\n }}\n}}\n')


if __name__ == "__main__":
    main()
