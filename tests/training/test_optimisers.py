"""Optimisers against their recurrences written out, and against the known minimum."""

from __future__ import annotations

import numpy as np
import pytest

from gcdesign.errors import InputError
from gcdesign.training import GradientDescent, Nesterov, Optimiser, Rate

CURVATURE = np.diag([4.0, 0.02])
TARGET = np.array([1.0, -2.0])


def path(optimiser: Optimiser, steps: int) -> np.ndarray:
    """Follow the gradient of ½(w − w*)ᵀC(w − w*) from 0."""
    state = optimiser.start(np.zeros(2))
    models = []
    for step in range(steps):
        point = optimiser.point(state, step)
        state = optimiser.update(state, step, CURVATURE @ (point - TARGET))
        models.append(state["model"])
    return np.array(models)


def test_gradient_descent_takes_steps_c1_over_t_plus_c2() -> None:
    found = path(GradientDescent(Rate(2.0, 5.0)), 4)
    w = np.zeros(2)
    for t, model in enumerate(found):
        w = w - 2 / (t + 5) * (CURVATURE @ (w - TARGET))
        assert np.allclose(model, w)


@pytest.mark.parametrize("lookahead", [False, True])
def test_accelerated_steps_follow_the_published_recurrence(lookahead: bool) -> None:
    found = path(Nesterov(Rate(0.2), lookahead=lookahead), 30)
    b = u = np.zeros(2)
    for i, model in enumerate(found):
        theta = 2 / (i + 2)
        y = (1 - theta) * b + theta * u
        gradient = CURVATURE @ ((y if lookahead else b) - TARGET)
        new = y - 0.2 * gradient
        b, u = new, b + (new - b) * (1 / theta)
        assert np.allclose(model, b)


def test_acceleration_pays() -> None:
    def away(optimiser: Optimiser) -> float:
        return float(np.linalg.norm(path(optimiser, 120)[-1] - TARGET))

    assert away(Nesterov(Rate(0.2), lookahead=True)) < 0.5 * away(GradientDescent(Rate(0.2)))


@pytest.mark.parametrize(
    ("scale", "offset", "message"),
    [(0.0, None, "rate=0.0"), (float("nan"), None, "rate=nan"), (1.0, 0.0, "offset=0.0")],
)
def test_senseless_rates_are_refused(scale: float, offset: float | None, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Rate(scale, offset)
