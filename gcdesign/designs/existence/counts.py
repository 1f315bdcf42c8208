"""How many designs there are up to isomorphism, where the literature has counted them."""

from __future__ import annotations

import json
from functools import lru_cache
from pkgutil import get_data
from typing import NamedTuple

from gcdesign.designs.existence.parameters import Bibd


class Count(NamedTuple):
    """A number of pairwise non-isomorphic designs, and who counted."""

    number: int
    source: str


def nonisomorphic(wanted: Bibd) -> Count | None:
    """Return how many non-isomorphic designs there are, or None if no count is recorded here.

    Examples
    --------
    >>> nonisomorphic(Bibd(13, 3, 1))
    Count(number=2, source='De Pasquale 1899')
    """
    return _counts().get(wanted)


@lru_cache(maxsize=1)
def _counts() -> dict[Bibd, Count]:
    text = get_data("gcdesign.designs", "data/nonisomorphic.json")
    assert text is not None  # part of the package
    return {
        Bibd(v, k, lambda_): Count(number, source)
        for v, k, lambda_, number, source in json.loads(text)["counts"]
    }
