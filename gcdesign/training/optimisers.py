"""How a gradient changes the model: gradient descent, and Nesterov's accelerated one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gcdesign.errors import InputError
from gcdesign.training.vectors import add_scaled

Vector = NDArray[np.float64]
State = dict[str, Vector]
"""All that a run has to remember of its optimiser: arrays by name, ``"model"`` among them."""


class Optimiser(ABC):
    """Turns gradients into models; immutable, its state is handed in and out."""

    def start(self, parameters: Vector) -> State:
        """Return the state before the first step."""
        return {"model": parameters.astype(np.float64, copy=True)}

    def point(self, state: State, step: int) -> Vector:
        """Return where the gradient of this step is wanted."""
        return state["model"]

    @abstractmethod
    def update(self, state: State, step: int, gradient: Vector) -> State:
        """Return the state after a step, given the gradient at its point."""


@dataclass(frozen=True)
class Rate:
    """A step size: c₁/(t + c₂) in step t = 0, 1, …, or c₁ in every step.

    Attributes
    ----------
    scale
        c₁, above 0.
    offset
        c₂, above 0; None for a constant rate.
    """

    scale: float
    offset: float | None = None

    def __post_init__(self) -> None:
        if not (np.isfinite(self.scale) and self.scale > 0):
            raise InputError(f"rate={self.scale}; expected a step size above 0")
        if self.offset is not None and not (np.isfinite(self.offset) and self.offset > 0):
            raise InputError(f"offset={self.offset}; expected c2 above 0 in c1/(t + c2)")

    def at(self, step: int) -> float:
        """Return the rate of one step.

        Examples
        --------
        >>> Rate(900, 90).at(0), Rate(0.1).at(7)
        (10.0, 0.1)
        """
        return self.scale if self.offset is None else self.scale / (step + self.offset)


@dataclass(frozen=True)
class GradientDescent(Optimiser):
    """w ← w − η_t g; with a problem in mini-batches, stochastic gradient descent."""

    rate: Rate

    def update(self, state: State, step: int, gradient: Vector) -> State:
        """Return the model a step further against the gradient."""
        model = state["model"].copy()
        add_scaled(model, gradient, -self.rate.at(step))
        return {"model": model}


@dataclass(frozen=True)
class Nesterov(Optimiser):
    """Nesterov's accelerated gradient with θ_t = 2/(t + 2).

    y = (1 − θ)b + θu, b⁺ = y − η g, u = b + (b⁺ − b)/θ with b = u at the start: from one step to
    the next y = b⁺ + t/(t + 3) · (b⁺ − b).

    Attributes
    ----------
    rate
        η.
    lookahead
        Where the gradient is taken: at y as Nesterov has it, or at b as the experiments of
        Tandon et al. do in their published code.

    Notes
    -----
    Source: Tandon, Lei, Dimakis, Karampatziakis 2017, section 5, and the code published with it.
    """

    rate: Rate
    lookahead: bool = False

    def start(self, parameters: Vector) -> State:
        """Return the state before the first step: b = u."""
        return super().start(parameters) | {"momentum": parameters.astype(np.float64, copy=True)}

    def _ahead(self, state: State, step: int) -> Vector:
        theta = 2 / (step + 2)
        ahead = theta * state["momentum"]
        add_scaled(ahead, state["model"], 1 - theta)
        return ahead

    def point(self, state: State, step: int) -> Vector:
        """Return b, or y with ``lookahead``."""
        return self._ahead(state, step) if self.lookahead else state["model"]

    def update(self, state: State, step: int, gradient: Vector) -> State:
        """Return b⁺ and its u."""
        model = self._ahead(state, step)
        add_scaled(model, gradient, -self.rate.at(step))
        further = (step + 2) / 2
        momentum = further * model
        add_scaled(momentum, state["model"], 1 - further)
        return {"model": model, "momentum": momentum}
