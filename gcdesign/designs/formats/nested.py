"""Lists of blocks as the languages of other systems write them: GAP and Sage."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NoReturn

from gcdesign.designs.design import Size, check_size
from gcdesign.designs.formats.text import FREE_WORK, WORK_PER_BYTE, shown
from gcdesign.errors import InputError, LimitError

TOKEN = re.compile(
    r"(?P<space>\s+|\\\n|#[^\n]*)"
    r'|(?P<string>"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\')'
    r"|(?P<number>[0-9]+)"
    r"|(?P<name>[^\W\d]\w*)"
    r"|(?P<sign>:=|\.\.|;;|[^\w\s\"'])"
)

CLOSING = {"[": "]", "(": ")", "{": "}"}

MAX_DIGITS = 18


@dataclass
class Words:
    """The words of a text, one at a time, with the next one in sight; at the end it is empty.

    White space and comments after # are skipped.
    """

    text: str
    next: str = field(default="", init=False)
    start: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self._found = self._words()
        self._step()

    def _words(self) -> Iterator[tuple[str, int]]:
        at = 0
        while at < len(self.text):
            found = TOKEN.match(self.text, at)
            if found is None:  # a quotation mark that opens a string without an end
                self.start = at
                self.refuse("a quotation mark without its partner")
            at = found.end()
            if found.lastgroup != "space":
                yield found[0], found.start()

    def _step(self) -> None:
        self.next, self.start = next(self._found, ("", len(self.text)))

    def take(self) -> str:
        """Return the next word and go on."""
        word = self.next
        if not word:
            self.refuse("more; it ends early")
        self._step()
        return word

    def skip(self, word: str) -> bool:
        """Go on if the next word is this one; say whether it was."""
        if self.next == word:
            self._step()
            return True
        return False

    def expect(self, word: str) -> None:
        """Go on past a word that must come next."""
        if not self.skip(word):
            self.refuse(repr(word))

    def number(self) -> int:
        """Return the whole number that must come next."""
        word = self.next
        if not (word.isascii() and word.isdigit()):
            self.refuse("a whole number")
        if len(word) > MAX_DIGITS:
            self.refuse(f"a number of at most {MAX_DIGITS} digits")
        self._step()
        return int(word)

    def pass_over(self, *ends: str) -> None:
        """Go on past a value, up to one of these words outside all brackets."""
        open_: list[str] = []
        while open_ or self.next not in ends:
            word = self.take()
            if word in CLOSING:
                open_.append(CLOSING[word])
            elif open_ and word == open_[-1]:
                open_.pop()
            elif word in CLOSING.values():
                raise InputError(f"line {self.line}: {word} closes nothing")

    @property
    def line(self) -> int:
        """The line of the next word."""
        return self.text.count("\n", 0, self.start) + 1

    def refuse(self, expected: str) -> NoReturn:
        """Refuse what comes next."""
        found = shown(self.next) if self.next else "the end"
        raise InputError(f"line {self.line} has {found}; expected {expected}")


def block_lists(words: Words) -> list[list[int]]:
    """Read a list of lists of whole numbers; ``[a .. b]`` and ``[a, c .. b]`` are ranges.

    Parameters
    ----------
    words
        Where to read from.

    Raises
    ------
    InputError
        If it is anything else.
    LimitError
        If ranges make far more of it than the text holds.

    Examples
    --------
    >>> block_lists(Words("[ [ 1, 2, 4 ], [ 2 .. 5 ], [] ]"))
    [[1, 2, 4], [2, 3, 4, 5], []]
    """
    blocks: list[list[int]] = []
    budget = FREE_WORK + WORK_PER_BYTE * len(words.text)
    words.expect("[")
    while not words.skip("]"):
        blocks.append(_numbers(words, budget))
        budget -= len(blocks[-1])
        if not words.skip(","):
            words.expect("]")
            break
    check_size(Size(0, len(blocks), 0))
    return blocks


def _numbers(words: Words, budget: int) -> list[int]:
    numbers: list[int] = []
    words.expect("[")
    while not words.skip("]"):
        numbers.append(words.number())
        if words.skip(".."):
            numbers = _range(numbers, words.number(), budget)
            words.expect("]")
            break
        if not words.skip(","):
            words.expect("]")
            break
    return numbers


def _range(start: list[int], last: int, budget: int) -> list[int]:
    """Return GAP's range from the one or two numbers before the dots and the one after them."""
    step = 1 if len(start) == 1 else start[-1] - start[0]
    if len(start) > 2 or step == 0 or (last - start[-1]) % step:
        raise InputError(f"{start} .. {last} is no range")
    members = range(start[0], last + (1 if step > 0 else -1), step)
    if len(members) > budget:
        raise LimitError(f"a range of {len(members)} numbers, far more than the file holds")
    return list(members)
