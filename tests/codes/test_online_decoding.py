"""Algorithm 1 on line and as a table: AB = 1, and what is kept."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from gcdesign.codes import OnlineDecoder, decoding_table, load_code
from gcdesign.errors import InputError, LimitError


@pytest.mark.parametrize(
    "name",
    [
        "cyclic:workers=6,stragglers=2",
        "cyclic-mds:workers=6,stragglers=3",
        "rs:workers=6,load=3",
        "frc:workers=6,stragglers=2",
        "uncoded:workers=3",
    ],
)
def test_the_whole_table(name: str) -> None:
    code = load_code(name)
    stragglers = code.tolerates or (2 if name.startswith("frc") else 0)
    table = decoding_table(code, stragglers)
    assert table.silenced == tuple(combinations(range(code.workers), stragglers))
    assert table.matrix.shape == (len(table.silenced), code.workers)
    assert table.error < 1e-18
    product = table.matrix @ code.dense_encoding()
    assert product.real == pytest.approx(np.ones(product.shape), abs=1e-9)
    for silenced, row in zip(table.silenced, table.matrix, strict=True):
        assert not row[list(silenced)].any()


def test_the_error_of_a_table_is_the_worst() -> None:
    code = load_code("pg:q=2")
    assert decoding_table(code, 3).error == pytest.approx(1)
    assert decoding_table(code, 7).error == 7
    with pytest.raises(InputError, match="stragglers=8; expected 0 to 7"):
        decoding_table(code, 8)
    with pytest.raises(LimitError, match="OnlineDecoder"):
        decoding_table(load_code("uncoded:workers=60"), 30)


def test_rows_are_solved_once_and_kept() -> None:
    code = load_code("cyclic:workers=8,stragglers=2")
    decoder = OnlineDecoder(code, keep=2)
    first = decoder.row([1, 5])
    assert decoder.row((5, 1)) is first
    assert (decoder.solved, decoder.recalled) == (1, 1)
    decoder.row([0, 1])
    decoder.row([1, 5])  # used again: the other one goes first
    decoder.row([2, 3])
    assert decoder.row([1, 5]) is first
    assert (decoder.solved, decoder.recalled) == (3, 3)
    decoder.row([0, 1])
    assert decoder.solved == 4
    assert not first.weights.flags.writeable


def test_nothing_is_kept_if_nothing_may_be() -> None:
    decoder = OnlineDecoder(load_code("uncoded:workers=3"), keep=0)
    assert (decoder.row([0]).error, decoder.row([0]).error) == (1, 1)
    assert (decoder.solved, decoder.recalled) == (2, 0)
    with pytest.raises(InputError, match="keep=-1"):
        OnlineDecoder(load_code("uncoded:workers=3"), keep=-1)


@pytest.mark.parametrize(
    "name", ["cyclic:workers=7,stragglers=3", "rs:workers=7,load=3", "frc:workers=6,stragglers=1"]
)
@pytest.mark.parametrize("shape", [(), (4,), (2, 3)])
def test_gradients(name: str, shape: tuple[int, ...]) -> None:
    code = load_code(name)
    gradients = np.random.default_rng(2).normal(size=(code.parts, *shape))
    messages = code.encode(gradients)
    decoder = OnlineDecoder(code)
    for silenced in ([], [2], [0] if code.tolerates in (None, 1) else [0, 4]):
        spoilt = messages.copy()
        spoilt[silenced] = np.nan
        found = decoder.gradient(spoilt, silenced=silenced)
        assert found == pytest.approx(gradients.sum(axis=0))
        assert np.isrealobj(found)


def test_refusals() -> None:
    decoder = OnlineDecoder(load_code("uncoded:workers=3"))
    with pytest.raises(InputError, match="2 messages; expected 3"):
        decoder.gradient(np.ones(2), silenced=[])
    for wrong in ([3], [-1], [1, 1]):
        with pytest.raises(InputError):
            decoder.row(wrong)
