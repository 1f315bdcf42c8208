"""Questions about existence: the answer with its reason, the design, the recipe as a tree."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from gcdesign.designs.design import BlockDesign, Provenance
from gcdesign.designs.existence.answers import Answer, Exists, Impossible, Unknown
from gcdesign.designs.existence.impossible import refute
from gcdesign.designs.existence.parameters import Bibd, asked
from gcdesign.designs.existence.source import Source, sources
from gcdesign.designs.existence.theorems import theorem
from gcdesign.designs.operation_table import OPERATIONS
from gcdesign.designs.registry import parse_spec
from gcdesign.designs.values import shown_value
from gcdesign.errors import InputError


def exists(v: int, k: int, lambda_: int) -> Answer:
    """Say whether there is a 2-(v, k, λ) design, without building it.

    Parameters
    ----------
    v, k, lambda_
        Number of points, block size, number of blocks through each two points.

    Returns
    -------
    Exists, Impossible or Unknown
        With the recipe, the theorem, or what was tried.

    Raises
    ------
    InputError
        If the numbers make no question.

    Examples
    --------
    >>> exists(7, 3, 1).recipe.spec
    'pg:q=2,dim=2,flats=1'
    >>> exists(22, 7, 2).theorem
    'Bruck–Ryser–Chowla'
    """
    wanted = asked(v, k, lambda_)
    refuted = refute(wanted)
    if refuted is not None:
        return refuted
    found = _first(wanted)
    if found is not None:
        recipe, source = found
        return Exists(wanted, f"{source.name}: {source.reference}", recipe)
    by_theorem = theorem(wanted)
    if by_theorem:
        return Exists(wanted, by_theorem, None)
    names = tuple(source.name for source in sources())
    return Unknown(
        wanted,
        f"no theorem excludes it, and none of {len(names)} sources has it: {', '.join(names)}",
        names,
    )


def bibd(v: int, k: int, lambda_: int = 1, *, verify: bool = True) -> BlockDesign:
    """Return a 2-(v, k, λ) design.

    Parameters
    ----------
    v, k, lambda_
        As in `exists`.
    verify
        Whether to prove from the blocks that it is one.

    Raises
    ------
    InputError
        If there is no such design, or none is known; the message says why.

    Examples
    --------
    >>> bibd(9, 3, 2).parameters.as_tuple()
    (9, 24, 8, 3, 2)
    """
    answer = exists(v, k, lambda_)
    if isinstance(answer, Exists):
        return answer.build(verify=verify)
    if isinstance(answer, Impossible):
        raise InputError(f"there is no {answer.wanted} design: {answer.reason}")
    raise InputError(f"no {answer.wanted} design is known here: {answer.reason}")


def explain(recipe: Provenance) -> str:
    """Return a recipe as a tree, one step a line, what it is made of indented below.

    Examples
    --------
    >>> print(explain(parse_spec("residual(pg:q=3,block=0)")))
    residual, block=0
      pg:q=3
    """
    return "\n".join(_lines(recipe, 0))


def _lines(recipe: Provenance, depth: int) -> Iterator[str]:
    indent = "  " * depth
    if recipe.source is None:
        yield indent + recipe.spec
        return
    designs = OPERATIONS[recipe.family].designs(recipe.values)
    given = [(name, value) for name, value in recipe.parameters if name not in designs]
    settings = [f"{name}={shown_value(value)}" for name, value in given]
    yield indent + ", ".join([recipe.family, *settings])
    yield from _lines(recipe.source, depth + 1)
    for name in designs:
        yield from _lines(parse_spec(str(recipe.values[name])), depth + 1)


def known(v: int, k: int, lambda_: int) -> Provenance | None:
    """Return a recipe of a 2-(v, k, λ) design, or None; what sources ask for their parts."""
    if k < 2 or k > v or lambda_ < 1:
        return None
    wanted = Bibd(v, k, lambda_)
    if not wanted.divides:
        return None
    found = _first(wanted)
    return found[0] if found else None


@lru_cache(maxsize=1 << 16)
def _first(wanted: Bibd) -> tuple[Provenance, Source] | None:
    """Return the first proposal of any source, and whose it is."""
    if refute(wanted) is not None:
        return None
    if 2 * wanted.k > wanted.v and wanted.k < wanted.v - 1:
        found = _first(wanted.complement)
        return found and (Provenance.of("complement", found[0]), found[1])
    for source in sources():
        for recipe in source.propose(wanted, known):
            return recipe, source
    return None
