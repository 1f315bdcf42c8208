"""Walking through trees of cases, however deep, and naming the node where one fails."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from gcdesign.checker.case import Case
from gcdesign.checker.reading import Json
from gcdesign.checker.verdicts import CertificateError, Refused

State = TypeVar("State")
Path = tuple["Path", str] | None
"""How a node was reached: the path of its parent and the step from there."""

LONGEST = 40
"""Steps of a place that are shown; of more the middle is left out."""


def walk(
    case: Case,
    tree: Json,
    start: State,
    visit: Callable[[Json, State], Iterable[tuple[Json, State, str]]],
) -> None:
    """Visit every node of the tree in the proof's member ``tree``.

    ``visit`` checks a node with what is known there, and gives its children: their values, what
    is known there, and the step to them. The places in what it raises are relative to the node.
    """
    stack: list[tuple[Json, State, Path]] = [(tree, start, None)]
    while stack:
        value, state, path = stack.pop()
        try:
            for child, known, step in visit(value, state):
                stack.append((child, known, (path, step)))
        except CertificateError as error:
            place = f"{case.place}.tree{_steps(path)}{error.place}"
            raise Refused(place, error.reason) from None


def _steps(path: Path) -> str:
    steps = []
    while path is not None:
        path, step = path
        steps.append(step)
    steps.reverse()
    if len(steps) > LONGEST:
        steps[LONGEST // 2 : -LONGEST // 2] = ["…"]
    return "".join(steps)
