"""One step of density evolution as a function of one number, and its largest fixed point.

f(x) = c λ(1 − Σ_i ρ̃_i (1 − x)^(i−1)) rises with x. Started at 1, the iterates fall to the largest
fixed point. Plain iteration is slow where the slope there is near 1; the steps here are longer
and still never pass a fixed point, since they use a lower bound on the slope in between.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gcdesign.codes.ldgm.ensemble import Poisson
from gcdesign.designs.ensembles.degrees import Degrees

MAX_STEPS = 100_000
"""Steps after which the search gives up; dozens are usual."""

Reals = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Recursion:
    """The step x ↦ c λ(y(x)) with y(x) = 1 − Σ_i ρ̃_i (1 − x)^(i−1).

    Attributes
    ----------
    copies
        The parts' degrees, which give λ and L.
    arriving
        Shape (terms,): ρ̃_i, the share of edges at workers of degree i that answer.
    powers
        Shape (terms,): the degrees i less 1.
    channel
        The factor c: 1 for LDGM codes, the chance of erasure for LDPC codes.
    """

    copies: Degrees | Poisson
    arriving: Reals
    powers: NDArray[np.int64]
    channel: float = 1.0

    def message(self, x: float) -> float:
        """Return y(x), the chance that an edge brings its part nothing."""
        value = 1.0 - float(self.arriving @ np.power(1.0 - x, self.powers))
        return min(max(value, 0.0), 1.0)

    def step(self, x: float) -> float:
        """Return f(x)."""
        return self.channel * self.copies.edge_value(self.message(x))

    def message_slope(self, x: float) -> float:
        """Return y'(x)."""
        powers = np.power(1.0 - x, np.maximum(self.powers - 1, 0))
        return float((self.arriving * self.powers) @ powers)

    def slope(self, x: float) -> float:
        """Return f'(x)."""
        return self.channel * self.copies.edge_slope(self.message(x)) * self.message_slope(x)

    def trace(self, start: float, length: int, tolerance: float) -> tuple[list[float], list[float]]:
        """Return x_0, x_1, … by plain iteration until they settle, and y_1, y_2, … of them."""
        values, messages = [start], []
        while len(values) < length:
            messages.append(self.message(values[-1]))
            values.append(self.channel * self.copies.edge_value(messages[-1]))
            if values[-2] - values[-1] <= tolerance:
                break
        return values, messages

    def fixed_point(self, start: float) -> float:
        """Return the largest fixed point up to ``start``, where f(start) ≤ start.

        Between a and b, f' ≥ m = c λ'(y(a)) y'(b), since λ' rises and y' falls. So f(x) < x for
        all x in [a, b] above b − (b − f(b))/(1 − m): such a step passes no fixed point.
        """
        b = start
        for _ in range(MAX_STEPS):
            value = self.step(b)
            gap = b - value
            if gap <= 4e-17 + 2e-16 * b:
                return value
            slope = self.slope(b)
            a = max(0.0, b - gap / (1 - slope)) if slope < 1 else b / 2
            least = self.channel * self.copies.edge_slope(self.message(a)) * self.message_slope(b)
            further = max(a, b - gap / (1 - least)) if least < 1 else a
            b = min(value, further)
        return b
