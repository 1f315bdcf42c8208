"""What a source of designs declares, and the list of all sources.

A source is one module in `gcdesign.designs.existence.sources` that defines ``SOURCE``, a
`Source`. Nothing else has to be told about it: every question goes through all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module

from gcdesign.designs.design import Provenance
from gcdesign.designs.existence.parameters import Bibd
from gcdesign.designs.registry import modules_of

Known = Callable[[int, int, int], Provenance | None]
"""Takes (v, k, λ) and returns a recipe of such a design, or None if none is known."""

PACKAGES = ("gcdesign.designs.existence.sources",)


@dataclass(frozen=True, kw_only=True)
class Source:
    """One source of designs.

    Attributes
    ----------
    name
        Short name, for answers.
    reference
        Where the construction is from.
    propose
        Takes the parameters, which are admissible and have k ≤ v/2, and `Known`; yields recipes
        of designs with exactly these parameters, the cheapest first. It builds nothing. Every
        recipe that it yields must build: what it proposes counts as existing.

        It may ask `Known` for designs with the same v and k and a smaller λ, with the same v and
        larger blocks of at most v/2 points, with fewer points, and for symmetric designs, unless
        the parameters are those of a symmetric design themselves. So no question comes back.
    cost
        Sources of lower cost are asked first: 0 for classical designs, 1 for other constructions
        and tables, 2 for what is made of one other design, 3 and more for what is made of several.
    """

    name: str
    reference: str
    propose: Callable[[Bibd, Known], Iterable[Provenance]]
    cost: int = 0


@lru_cache(maxsize=1)
def sources() -> tuple[Source, ...]:
    """Return all sources, those of lowest cost first."""
    found: list[Source] = [import_module(name).SOURCE for name in modules_of(PACKAGES).values()]
    return tuple(sorted(found, key=lambda source: (source.cost, source.name)))
