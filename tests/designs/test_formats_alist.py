"""alist files: what MacKay's programs and others write, and what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gcdesign.designs import BlockDesign, projective_geometry
from gcdesign.designs.formats import read_file
from gcdesign.designs.formats.alist import read_alist, write_alist
from gcdesign.errors import InputError, LimitError

HAMMING = Path(__file__).parents[1] / "data" / "hamming-7-4.alist"
IRREGULAR = BlockDesign.from_blocks([[0, 3], [], [3]], points=6)


def unpadded(text: str) -> str:
    """Return an alist without its zeros, line by line."""
    head, lists = text.splitlines()[:4], text.splitlines()[4:]
    return "\n".join(head + [" ".join(word for word in x.split() if word != "0") for x in lists])


def refusal(text: str | bytes, error: type[Exception] = InputError) -> str:
    with pytest.raises(error) as caught:
        read_alist(text.encode() if isinstance(text, str) else text, name="bad")
    message = str(caught.value)
    assert type(caught.value) is error
    assert message.startswith("bad: ")
    assert "\n" not in message
    return message


def test_a_parity_check_matrix_of_the_hamming_code() -> None:
    code = read_file(HAMMING)
    assert isinstance(code, BlockDesign)
    matrix = code.dense_incidence()
    columns = {tuple(column) for column in matrix.T.tolist()}
    assert matrix.shape == (3, 7)
    assert len(columns) == 7  # all columns but 0: what a Hamming code is
    assert (0, 0, 0) not in columns


def test_exact_text() -> None:
    assert write_alist(IRREGULAR).decode().splitlines() == [
        "6 3",
        "2 2",
        "1 0 0 2 0 0",
        "2 0 1",
        *("1 0", "0 0", "0 0", "1 3", "0 0", "0 0"),
        *("1 4", "0 0", "4 0"),
    ]


@given(st.integers(0, 5), st.lists(st.sets(st.integers(0, 4)), max_size=6))
@settings(max_examples=60, deadline=None)
def test_with_and_without_zeros(more: int, blocks: list[set[int]]) -> None:
    design = BlockDesign.from_blocks(blocks, points=5 + more)
    text = write_alist(design).decode()
    assert read_alist(text.encode(), name="x") == design
    assert read_alist(unpadded(text).encode(), name="x") == design
    assert read_alist(text.replace("\n", "\r\n").encode(), name="x") == design


def test_numbers_in_any_order_within_a_list() -> None:
    rows = [row[::-1] for row in (projective_geometry(2).indices.reshape(7, 3) + 1).tolist()]
    lines = write_alist(projective_geometry(2)).decode().splitlines()[:11]
    text = "\n".join([*lines, *(" ".join(map(str, row)) for row in rows)])
    assert read_alist(text.encode(), name="x") == projective_geometry(2)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "the file is empty"),
        ("3 2 x", "line 1 holds 'x'; an alist is whole numbers only"),
        ("3 2\n1 -1", "line 2 holds '-1'"),
        ("3 2\n" + "9" * 19, "line 2 holds '9999"),
        ("3", "ends early: 4 numbers should be K, N and the two weights, but 1 follow"),
        ("3 2 1 2 1 1", "3 numbers should be the weights of the columns, but 2 follow"),
        ("1 1 2 1 1 1 1 1", "the greatest column weight is said to be 2, but is 1"),
        ("2 1 1 1 1 1 1 1 1 1", "columns add up to 2, those of the rows to 1"),
        ("1 1 1 1 1 1 1", "1 numbers are in the lists; the weights ask for 2"),
        ("1 1 1 1 1 1 1 1 1", "3 numbers are in the lists"),
        ("1 1 1 1 1 1 2 1", "column 1 names 2; expected 1 to 1"),
        ("1 1 1 1 1 1 1 0", "row 1 names 0; expected 1 to 1"),
        ("2 2 1 1 1 1 1 1 1 2 2 1", "another matrix than those of the rows"),
        ("2 2 1 2 1 1 2 0 1 1 1 1 0 0", "block 0 holds point 0 twice"),
        ("2 2 1 2 1 1 2 0 1 1 1 2 2 0", "a list is longer than its weight"),
    ],
)
def test_refused(text: str, expected: str) -> None:
    assert expected in refusal(text)


def test_declared_sizes_take_no_memory() -> None:
    assert "the limit is 10000000" in refusal("999999999999 1 1 1", LimitError)
    assert "ends early" in refusal("10000000 10000000 1 1 1")
    refusal(f"1 2 2 {10**17} 2 {10**17} {10**17} 1")


def test_numbers_agree_with_numpy() -> None:
    plane = projective_geometry(3)
    numbers = np.array(write_alist(plane).split(), dtype=int)
    lists = numbers[4 + 13 + 13 :].reshape(26, 4) - 1
    assert lists[13:].tolist() == plane.blocks()
