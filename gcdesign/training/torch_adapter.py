"""Gradient coding for PyTorch modules: coded gradients in, decoded ``.grad`` out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from gcdesign.errors import InputError
from gcdesign.training.scheme import Decoded, Message

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

    from gcdesign.training.problems.problem import Problem
    from gcdesign.training.scheme import Scheme

    Loss = Callable[[int], Tensor]
    """Returns the loss of the module on one part of the data, summed over its samples."""


class CodedGradients:
    """What a worker sends of a module's gradient, and how that is decoded into the module.

    The gradient that is decoded is that of the sum of all parts' losses. A part must give the
    same gradient on every worker that holds it: random layers such as dropout need the same seed
    there, and layers that gather statistics over a batch see one part at a time.

    Parameters
    ----------
    module
        The module; its parameters that require gradients count, in their order.
    scheme
        Who sends what, as `gcdesign.training.make_scheme` returns it.

    Raises
    ------
    InputError
        If no parameter requires a gradient.

    Notes
    -----
    Source: Tandon, Lei, Dimakis, Karampatziakis 2017, of which this is the encoding and decoding.
    """

    def __init__(self, module: Module, scheme: Scheme) -> None:
        self.scheme = scheme
        self.parameters = [p for p in module.parameters() if p.requires_grad]
        if not self.parameters:
            raise InputError("the module has no parameter that requires a gradient")
        self.size = sum(parameter.numel() for parameter in self.parameters)

    def message(self, worker: int, loss: Loss, *, number: int = 0) -> Tensor:
        """Return what a worker sends: one row, computed by a single backward pass.

        Codes with complex weights take two passes. ``.grad`` is not touched.

        Parameters
        ----------
        worker
            The worker, from 0.
        loss
            The loss of the module, as it is now, on a part.
        number
            Which message, for schemes that have several in a step.
        """
        import torch

        source = _Autograd(self, loss)
        sender = self.scheme.worker(cast("Problem", self), worker, source=source)
        return torch.from_numpy(sender.answer(0, np.empty(0), number))

    def decode(self, messages: Mapping[Message, Tensor]) -> Decoded:
        """Write the decoded gradient into ``.grad`` of the parameters.

        Parameters
        ----------
        messages
            What arrived, by worker and number: as many as make the scheme's collector ready.

        Returns
        -------
        Which messages were used, with which weights, and the squared decoding error.

        Raises
        ------
        InputError
            If a message has another length than this module's.
        """
        import torch

        decoded = self.scheme.decode(messages)
        total = torch.zeros(self.size, dtype=self.parameters[0].dtype)
        for message, weight in zip(decoded.messages, decoded.weights.tolist(), strict=True):
            values = messages[message]
            if values.numel() != self.size:
                raise InputError(
                    f"a message of {values.numel()} numbers; this module has {self.size} parameters"
                )
            total += (values * weight).real if self.scheme.is_complex else values * weight
        pieces = total.split([parameter.numel() for parameter in self.parameters])
        for parameter, piece in zip(self.parameters, pieces, strict=True):
            parameter.grad = piece.view_as(parameter).to(parameter.device, parameter.dtype)
        return decoded


class _Autograd:
    """Combinations of the parts' gradients by automatic differentiation."""

    def __init__(self, coded: CodedGradients, loss: Loss) -> None:
        self._coded, self._loss = coded, loss

    def combination(
        self,
        step: int,
        point: NDArray[np.float64],
        parts: NDArray[np.int64],
        weights: NDArray[Any],
    ) -> NDArray[Any]:
        """Return Σ_j weights_j × (gradient of the loss of parts_j), at the module as it is."""
        losses = [self._loss(part) for part in parts.tolist()]
        if np.iscomplexobj(weights):
            real = self._backward(losses, weights.real, keep=True)
            return real + 1j * self._backward(losses, weights.imag)
        return self._backward(losses, weights)

    def _backward(
        self, losses: list[Tensor], weights: NDArray[np.float64], *, keep: bool = False
    ) -> NDArray[Any]:
        import torch

        parameters = self._coded.parameters
        if not losses:
            return np.zeros(self._coded.size)
        total = sum(weight * loss for weight, loss in zip(weights.tolist(), losses, strict=True))
        found = torch.autograd.grad(total, parameters, retain_graph=keep, allow_unused=True)
        rows = [
            (torch.zeros_like(parameter) if gradient is None else gradient).reshape(-1)
            for parameter, gradient in zip(parameters, found, strict=True)
        ]
        gradient: NDArray[Any] = torch.cat(rows).detach().cpu().numpy()
        return gradient
