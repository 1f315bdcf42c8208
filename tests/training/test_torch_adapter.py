"""Coded gradients of PyTorch modules are those of automatic differentiation, added up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from gcdesign.errors import InputError
from gcdesign.training import Scheme, make_scheme
from gcdesign.training.torch_adapter import CodedGradients

if TYPE_CHECKING:
    import torch
else:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")

SCHEMES = (
    ("cyclic", (1, 4)),
    ("frc", (0, 3)),
    ("cyclic-mds", (2, 5)),  # complex weights
    ("rs:workers=6,load=3", (0, 4)),
    ("partial-cyclic:alpha=4", (1, 2)),  # two messages
)


class Setting:
    """A module with a parameter that is not trained and one that no loss depends on, and data."""

    def __init__(self, scheme: Scheme) -> None:
        torch.manual_seed(3)
        layers = torch.nn.Linear(4, 5), torch.nn.Tanh(), torch.nn.Linear(5, 1)
        self.module = torch.nn.Sequential(*layers).double()
        self.module.register_parameter("idle", torch.nn.Parameter(torch.ones(2).double()))
        layers[0].bias.requires_grad = False
        self.samples = torch.randn(scheme.parts * 3, 4).double().tensor_split(scheme.parts)

    def loss(self, part: int) -> Any:
        return (self.module(self.samples[part]) ** 3).sum()

    def whole(self, parts: int) -> list[Any]:
        self.module.zero_grad()
        sum(self.loss(part) for part in range(parts)).backward()
        trained = [p for p in self.module.parameters() if p.requires_grad]
        return [torch.zeros_like(p) if p.grad is None else p.grad.clone() for p in trained]


@pytest.mark.parametrize(("name", "silent"), SCHEMES, ids=str)
def test_the_decoded_gradient_is_that_of_the_whole(name: str, silent: tuple[int, ...]) -> None:
    scheme = make_scheme(name, workers=6, stragglers=2)
    setting = Setting(scheme)
    coded = CodedGradients(setting.module, scheme)
    expected = setting.whole(scheme.parts)
    setting.module.zero_grad()
    messages = {
        (worker, number): coded.message(worker, setting.loss, number=number)
        for worker in range(6)
        for number in range(scheme.messages)
        if worker not in silent or (scheme.messages == 2 and number == 0)
    }
    assert all(p.grad is None for p in setting.module.parameters())
    decoded = coded.decode(messages)
    assert decoded.error < 1e-12
    for parameter, wanted in zip(coded.parameters, expected, strict=True):
        assert torch.allclose(parameter.grad, wanted, rtol=1e-9, atol=1e-9)


def test_a_message_is_the_sum_that_the_code_says() -> None:
    scheme = make_scheme("cyclic", workers=5, stragglers=2)
    setting = Setting(scheme)
    coded = CodedGradients(setting.module, scheme)
    assert scheme.code is not None
    row = scheme.code.dense_encoding()[3]
    wanted = np.zeros(coded.size)
    for part in range(5):
        gradients = torch.autograd.grad(setting.loss(part), coded.parameters, allow_unused=True)
        flat = [
            np.zeros(p.numel()) if g is None else g.numpy().ravel()
            for p, g in zip(coded.parameters, gradients, strict=True)
        ]
        wanted += row[part] * np.concatenate(flat)
    assert np.allclose(coded.message(3, setting.loss).numpy(), wanted)


def test_what_does_not_fit_is_refused() -> None:
    scheme = make_scheme("naive", workers=2)
    frozen = torch.nn.Linear(2, 1).requires_grad_(False)
    with pytest.raises(InputError, match="no parameter that requires a gradient"):
        CodedGradients(frozen, scheme)
    coded = CodedGradients(torch.nn.Linear(2, 1), scheme)
    with pytest.raises(InputError, match="a message of 4 numbers; this module has 3 parameters"):
        coded.decode({(0, 0): torch.ones(4), (1, 0): torch.ones(4)})
