"""A convolutional network in the style of LeNet, by PyTorch."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import isqrt
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gcdesign.errors import InputError
from gcdesign.training.problems.problem import Vector
from gcdesign.training.problems.softmax import Softmax

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

INSTALL = "pip install 'gcdesign[torch]'"
LEAST_SIDE = 8
WIDE = 20
"""Images of at least this side have convolutions of 5 × 5, as LeNet; smaller ones of 3 × 3."""

PIECE = 512
"""Images that are judged at once."""


@dataclass(frozen=True, eq=False)
class LeNet(Softmax):
    """Two convolutions with tanh and pooling, then three full layers, on square images.

    The features are the pixels of an image, row after row; what is beyond the largest square
    number, such as a constant 1, is not looked at. Needs PyTorch.

    Attributes
    ----------
    seed
        Seed of the parameters that training starts from.

    Raises
    ------
    InputError
        If the images are too small; and, when the network is first made, if PyTorch cannot be
        used.

    Notes
    -----
    Source: LeCun, Bottou, Bengio, Haffner 1998, with average pooling and softmax. In double
    precision, so that a decoded gradient is as exact as the code.
    """

    seed: int = 0

    name = "lenet"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.side < LEAST_SIDE:
            raise InputError(
                f"{self.data.features.shape[1]} features, images of {self.side} × {self.side}; "
                f"expected {LEAST_SIDE} × {LEAST_SIDE} at least"
            )

    @property
    def side(self) -> int:
        """The side of the images, in pixels."""
        return isqrt(int(self.data.features.shape[1]))

    @cached_property
    def module(self) -> Module:
        """The network, with the parameters that training starts from."""
        try:
            import torch
        except ImportError as error:
            raise InputError(f"PyTorch cannot be used: {error}; {INSTALL}") from None
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(self.seed)
            return _layers(self.side, self.classes).double()

    @property
    def size(self) -> int:
        """Number of parameters p."""
        return sum(parameter.numel() for parameter in self.module.parameters())

    @cached_property
    def _start(self) -> Vector:
        from torch.nn.utils import parameters_to_vector

        start: Vector = parameters_to_vector(self.module.parameters()).detach().numpy().copy()
        return start

    def start(self) -> Vector:
        """Return PyTorch's usual random parameters, by the seed."""
        return self._start.copy()

    def sum_of_gradients(self, point: Vector, features: Any, targets: NDArray[Any]) -> Vector:
        """Return the sum over samples, by automatic differentiation."""
        import torch
        from torch.nn.functional import cross_entropy

        self._load(point)
        rows = targets if targets.ndim == 2 else self.labels(targets)
        scores = self.module(self._images(features))
        loss = cross_entropy(scores, torch.from_numpy(np.ascontiguousarray(rows)), reduction="sum")
        found = torch.autograd.grad(loss, list(self.module.parameters()))
        gradient: Vector = torch.cat([piece.reshape(-1) for piece in found]).numpy()
        return gradient

    def _scores(self, parameters: Vector, features: Any) -> NDArray[np.float64]:
        import torch

        self._load(parameters)
        pieces = [features[k : k + PIECE] for k in range(0, features.shape[0], PIECE)]
        with torch.no_grad():
            scored = [self.module(self._images(piece)).numpy() for piece in pieces]
        scores: NDArray[np.float64] = np.concatenate(scored)
        return scores

    def _load(self, point: Vector) -> None:
        import torch
        from torch.nn.utils import vector_to_parameters

        self._start  # noqa: B018 - before the module's own parameters are overwritten
        with torch.no_grad():
            vector_to_parameters(torch.from_numpy(point.copy()), self.module.parameters())

    def _images(self, features: Any) -> Tensor:
        """Return the pixels as images of one channel, shape (n, 1, side, side)."""
        import torch

        dense = features if isinstance(features, np.ndarray) else features.toarray()
        pixels = np.ascontiguousarray(dense[:, : self.side**2], dtype=np.float64)
        return torch.from_numpy(pixels).reshape(-1, 1, self.side, self.side)


def _layers(side: int, classes: int) -> Module:
    from torch import nn

    kernel, padding = (5, 2) if side >= WIDE else (3, 1)
    inner = 0 if side >= WIDE else 1
    small = (side // 2 - (kernel - 1) + 2 * inner) // 2
    return nn.Sequential(
        nn.Conv2d(1, 6, kernel, padding=padding),
        nn.Tanh(),
        nn.AvgPool2d(2),
        nn.Conv2d(6, 16, kernel, padding=inner),
        nn.Tanh(),
        nn.AvgPool2d(2),
        nn.Flatten(),
        nn.Linear(16 * small * small, 120),
        nn.Tanh(),
        nn.Linear(120, 84),
        nn.Tanh(),
        nn.Linear(84, classes),
    )
