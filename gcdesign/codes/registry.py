"""The registry of code families: the placements of `designs`, and codes with weights.

A family of codes is declared as a family of designs is: a module in a package of families,
with the family's name for its file name, that defines ``FAMILY``, a `CodeFamily`. The
constructor of a family of designs returns a `BlockDesign`, whose code is all ones; that of a
family of codes returns a `GradientCode` with weights. The functions here know both, so that a
name in place means the same to every command.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from gcdesign.codes.code import GradientCode
from gcdesign.designs import family, family_names
from gcdesign.designs import registry as designs_registry
from gcdesign.designs.design import Provenance, Size
from gcdesign.designs.operation_table import OPERATIONS
from gcdesign.designs.registry import Declaration, Family, modules_of
from gcdesign.designs.values import ParameterValue, head_of
from gcdesign.errors import InputError, nearest

PACKAGES = ("gcdesign.codes.families",)
"""Packages whose modules each declare one family of codes with weights."""


@dataclass(frozen=True, kw_only=True)
class CodeFamily(Declaration):
    """The declaration of a family of codes whose encoding matrix holds other entries than 1.

    Attributes
    ----------
    construct
        Takes the parameters by keyword and returns the code, with its placement, weights,
        complete provenance and number of stragglers that it was made for.
    size
        Takes the same and returns the size of the placement without building it.
    """

    construct: Callable[..., GradientCode]
    size: Callable[..., Size]

    def build(self, values: Mapping[str, ParameterValue]) -> GradientCode:
        """Construct the member with these parameters.

        Raises
        ------
        InputError
            If a parameter is unknown, missing or out of its domain.
        """
        self.check(values)
        return self.construct(**values)


def code_family_names() -> list[str]:
    """Return the names of all families of codes with weights, sorted, importing none."""
    return sorted(modules_of(PACKAGES))


def all_names() -> list[str]:
    """Return the names of all families, of designs and of codes, sorted, importing none."""
    return sorted([*family_names(), *code_family_names()])


def declared(name: str) -> Family | CodeFamily:
    """Return one family, of designs or of codes, importing only its own module.

    Raises
    ------
    InputError
        If there is no such family; the message names the nearest, or all.
    """
    if name in family_names():
        return family(name)
    modules = modules_of(PACKAGES)
    if name not in modules:
        raise InputError(f"no family is called {name!r}; {nearest(name, all_names())}")
    found: Any = import_module(modules[name]).FAMILY
    assert isinstance(found, CodeFamily)
    return found


def code_families() -> Iterator[CodeFamily]:
    """Yield every family of codes with weights, importing all of them."""
    for name in code_family_names():
        found = declared(name)
        assert isinstance(found, CodeFamily)
        yield found


def parse_code(text: str) -> Provenance:
    """Parse a name in place of either kind of family, ``family:name=value,name=value``.

    Raises
    ------
    InputError
        If the text is malformed or names an unknown family; values are not yet judged.

    Examples
    --------
    >>> parse_code("cyclic:workers=9,stragglers=2").parameters
    (('workers', 9), ('stragglers', 2))
    """
    name, opening, settings = head_of(text)
    if opening == "(" and name in OPERATIONS:
        return designs_registry.parse_spec(text)
    return declared(name).parse(settings, text=text)


def code_size(provenance: Provenance) -> Size:
    """Return the numbers of parts, workers and incidences of a member of either kind of family.

    Raises
    ------
    InputError
        If there is no such family, or a parameter is unknown or missing.
    """
    if provenance.family not in code_family_names():
        return designs_registry.size_of(provenance)
    found = declared(provenance.family)
    found.check(provenance.values)
    return found.size(**provenance.values)


def build_code(provenance: Provenance) -> GradientCode:
    """Build the code that a provenance describes; the code of a design is all ones.

    Raises
    ------
    InputError
        If its parameters are wrong, or it does not lead back to a family.

    Examples
    --------
    >>> build_code(parse_code("pg:q=2")).label
    'PG(2,2)'
    >>> build_code(parse_code("cyclic:workers=9,stragglers=2")).provenance.spec
    'cyclic:workers=9,stragglers=2,seed=0'
    """
    if provenance.family not in code_family_names():
        return GradientCode.from_design(designs_registry.build(provenance))
    found = declared(provenance.family)
    assert isinstance(found, CodeFamily)
    return found.build(provenance.values)
