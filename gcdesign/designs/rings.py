"""Rings whose additive groups designs are developed over: products of Z_n and GF(q).

The ring gives the group its multipliers: multiplying by a unit is an automorphism of the
additive group. Z13 is cyclic, F9 elementary abelian, Z2xZ6 and F9xZ5 are products.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from math import gcd, prod

import numpy as np
from numpy.typing import NDArray

from gcdesign.designs.fields import galois_field, prime_power
from gcdesign.errors import InputError, LimitError

MAX_ORDER = 1 << 20
"""Largest order of a ring."""

Elements = NDArray[np.int64]

_FACTOR = re.compile(r"(Z|F)([0-9]{1,7})")


@dataclass(frozen=True)
class Ring:
    """A direct product of rings Z_n and fields GF(q).

    Element x of a product is one number: with factors of orders n_1, n_2, … and components
    x_1, x_2, … it is x_1 + n_1 x_2 + n_1 n_2 x_3 + …; a component in GF(q) is numbered as in
    `gcdesign.designs.fields`. Only the additive group decides whether a family of base blocks
    is a design, so addition works on the digits of a number for the orders of cyclic summands.

    Parameters
    ----------
    factors
        Each factor as (``"Z"`` or ``"F"``, order).

    Examples
    --------
    >>> ring = Ring.parse("F9xZ5")
    >>> ring.order, ring.moduli, str(ring)
    (45, (3, 3, 5), 'F9xZ5')
    >>> ring.subtract(np.array([0, 44]), np.array([1, 44])).tolist()
    [2, 0]
    """

    factors: tuple[tuple[str, int], ...]

    def __post_init__(self) -> None:
        if not self.factors or any(order < 1 for _, order in self.factors):
            raise InputError(f"group {self}; expected factors such as Z13, F9 or Z2xZ6")
        if self.order > MAX_ORDER:
            raise LimitError(f"group {self} has order {self.order}; the limit is {MAX_ORDER}")
        for kind, order in self.factors:
            if kind == "F" and prime_power(order) is None:
                raise InputError(f"F{order} in the group {self}; {order} is no prime power")

    @classmethod
    def parse(cls, text: str) -> Ring:
        """Read the written form, ``"Z13"`` or ``"F9xZ5"``.

        Raises
        ------
        InputError
            If the text is malformed or a field does not exist.
        LimitError
            If the order is above `MAX_ORDER`.
        """
        matches = [_FACTOR.fullmatch(part) for part in text.split("x")]
        factors = tuple((match[1], int(match[2])) for match in matches if match)
        if len(factors) != len(matches):
            raise InputError(f"group {text!r}; expected factors such as Z13, F9 or Z2xZ6")
        return cls(factors)

    def __str__(self) -> str:
        return "x".join(f"{kind}{order}" for kind, order in self.factors)

    @cached_property
    def order(self) -> int:
        """The number of elements."""
        return prod(order for _, order in self.factors)

    @cached_property
    def moduli(self) -> tuple[int, ...]:
        """The orders of cyclic summands of the additive group, least significant digit first."""
        moduli: list[int] = []
        for kind, order in self.factors:
            p, e = (prime_power(order) or (1, 0)) if kind == "F" else (order, 1)
            moduli += [p] * e
        return tuple(moduli)

    def subtract(self, a: Elements, b: Elements) -> Elements:
        """Return a − b, element by element, with broadcasting."""
        if len(self.moduli) == 1:
            return (a - b) % self.order
        total = np.zeros(np.broadcast(a, b).shape, dtype=np.int64)
        place = 1
        for n in self.moduli:
            total += (a // place - b // place) % n * place
            place *= n
        return total

    def add(self, a: Elements, b: Elements) -> Elements:
        """Return a + b, element by element, with broadcasting."""
        return self.subtract(a, self.subtract(np.zeros(1, dtype=np.int64), b))

    def components(self, x: int) -> tuple[int, ...]:
        """Return the component of an element in each factor."""
        result = []
        for _, order in self.factors:
            x, component = divmod(x, order)
            result.append(component)
        return tuple(result)

    def element(self, components: tuple[int, ...]) -> int:
        """Return the element with these components."""
        result, place = 0, 1
        for component, (_, order) in zip(components, self.factors, strict=True):
            result += component * place
            place *= order
        return result

    def is_unit(self, x: int) -> bool:
        """Whether multiplying by an element is a permutation."""
        return 0 <= x < self.order and all(
            component > 0 if kind == "F" else gcd(component, order) == 1
            for component, (kind, order) in zip(self.components(x), self.factors, strict=True)
        )

    @cached_property
    def one(self) -> int:
        """The unit element."""
        return self.element(tuple(1 % order for _, order in self.factors))

    def times(self, x: int) -> Elements:
        """Return the table of x · y for every element y, shape (order,)."""
        result = np.zeros(self.order, dtype=np.int64)
        every = np.arange(self.order, dtype=np.int64)
        place = 1
        for component, (kind, order) in zip(self.components(x), self.factors, strict=True):
            digits = every // place % order
            if kind == "F":
                products = galois_field(order).times(component)[digits].astype(np.int64)
            else:
                products = digits * component % order
            result += products * place
            place *= order
        return result

    def multiplicative_order(self, x: int) -> int:
        """Return the least n ≥ 1 with xⁿ = 1, for a unit x.

        Examples
        --------
        >>> Ring.parse("Z13").multiplicative_order(3)
        3
        """
        table = self.times(x)
        power, exponent = x, 1
        while power != self.one:
            power, exponent = int(table[power]), exponent + 1
        return exponent
