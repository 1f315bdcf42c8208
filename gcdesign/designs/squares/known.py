"""Lower bounds on the number of orthogonal Latin squares from the literature, sides up to 100."""

from __future__ import annotations

from gcdesign.designs.fields import prime_power
from gcdesign.errors import InputError

_KNOWN = (
    "  -   -   1   2   3   4   1   6   7   8   2  10   5  12   4   4  15  16   5  18 "
    "  4   5   3  22   7  24   4  26   5  28   4  30  31   5   4   5   8  36   4   5 "
    "  7  40   5  42   5   6   4  46   8  48   6   5   5  52   5   6   7   7   5  58 "
    "  5  60   5   6  63   7   5  66   5   6   6  70   7  72   5   7   6   6   6  78 "
    "  9  80   8  82   6   6   6   6   7  88   6   7   6   6   6   6   7  96   6   8 "
    "  8 "
)


def known_squares(side: int) -> int:
    """Return how many mutually orthogonal Latin squares of a side up to 100 are known to exist.

    For a prime power q and for side 6 it is the exact number; elsewhere a lower bound.

    Raises
    ------
    InputError
        If the side is not from 2 to 100.

    Notes
    -----
    Source: Colbourn and Dinitz, Handbook of Combinatorial Designs, 2nd edition, Table III.3.87,
    with Todorov 2012 for side 14 and Abel 2015 for side 18.

    Examples
    --------
    >>> [known_squares(n) for n in (6, 10, 12, 14, 49)]
    [1, 2, 5, 4, 48]
    """
    if not 2 <= side <= 100:
        raise InputError(f"side={side}; the table has sides from 2 to 100")
    return side - 1 if prime_power(side) else int(_KNOWN.split()[side])
