"""The one registry of families: every family is declared once, in a module of its own.

A family module defines ``FAMILY``, a `Family`, and lies in a package of families; its file
name is the family's name with ``_`` for ``-``. Nothing else has to be told about it: names in
place, `gcdesign build`, the reference pages and the tests all read the declaration.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType

from gcdesign.designs.design import BlockDesign, Provenance, Size
from gcdesign.designs.near import Near
from gcdesign.designs.operation_table import OPERATIONS
from gcdesign.designs.values import (
    Parameter,
    ParameterValue,
    head_of,
    parse_settings,
    settings_text,
    shown_value,
    split_settings,
)
from gcdesign.errors import GcdesignError, InputError, nearest

__all__ = [
    "PACKAGES",
    "Declaration",
    "Family",
    "Parameter",
    "build",
    "families",
    "family",
    "family_names",
    "label",
    "modules_of",
    "parse_spec",
    "point_transitive",
    "size_of",
    "title",
]

PACKAGES = ("gcdesign.designs.families",)
"""Packages whose modules each declare one family of block designs."""


@dataclass(frozen=True, kw_only=True)
class Declaration:
    """What every family declares, of designs and of codes.

    Attributes
    ----------
    name
        Name in the registry, in names in place and on the command line.
    summary
        One line: what the design or the code is.
    source
        Where the construction, or its use as a gradient code, is from.
    parameters
        In the order in which names in place print them.
    label
        Takes the complete parameters by keyword and returns a short title, ``"PG(2,5)"``.
    example
        Parameters of a small member, for help texts, pictures and tests.
    domain
        One line: which parameters have a member.
    near
        Yields names in place of members with about so many blocks and at most so large a load,
        for `gcdesign recommend`; None if the family is not to be proposed.
    """

    name: str
    summary: str
    source: str
    parameters: tuple[Parameter, ...]
    label: Callable[..., str]
    example: Mapping[str, ParameterValue]
    domain: str = ""
    near: Near | None = None

    @property
    def example_spec(self) -> str:
        """The name in place of the example, ``"pg:q=5"``."""
        return f"{self.name}:{settings_text(tuple(self.example.items()))}"

    def title(self, values: Mapping[str, ParameterValue]) -> str:
        """Return the label of the member with these, complete, parameters.

        Raises
        ------
        InputError
            If a parameter is unknown or missing.
        """
        self.check(values, complete=True)
        return str(self.label(**values))

    def check(self, values: Mapping[str, ParameterValue], *, complete: bool = False) -> None:
        """Refuse parameters that are unknown, of the wrong kind, or missing."""
        known = {p.name: p for p in self.parameters}
        for name, value in values.items():
            if name not in known:
                raise InputError(f"{self.name} has no parameter {name!r}; {nearest(name, known)}")
            if not known[name].kind.holds(value):
                raise InputError(f"{name}={value!r}; expected {known[name].kind.expected}")
        missing = [
            p.name for p in self.parameters if (complete or not p.optional) and p.name not in values
        ]
        if missing:
            raise InputError(f"{self.name} needs {missing[0]}: for example {self.example_spec}")

    def parse(self, settings: str, *, text: str) -> Provenance:
        """Parse ``name=value,name=value``; names and values are not yet judged.

        Parameters
        ----------
        settings
            The part of a name in place after the colon.
        text
            The whole name, for messages.

        Raises
        ------
        InputError
            If a setting is malformed or given twice.
        """
        kinds = {parameter.name: parameter.kind for parameter in self.parameters}
        values = parse_settings(settings, kinds, where=text)
        return Provenance(self.name, tuple(values.items()))


@dataclass(frozen=True, kw_only=True)
class Family(Declaration):
    """The declaration of a family of designs.

    Attributes
    ----------
    construct
        Takes the parameters by keyword and returns the design, its provenance set.
    size
        Takes the same and returns the size of that design without building it.
    point_transitive
        Whether some group of automorphisms carries every point to every other.
    """

    construct: Callable[..., BlockDesign]
    size: Callable[..., Size]
    point_transitive: bool = False

    def build(self, values: Mapping[str, ParameterValue]) -> BlockDesign:
        """Construct the member with these parameters.

        Raises
        ------
        InputError
            If a parameter is unknown, missing or out of its domain.
        """
        self.check(values)
        return self.construct(**values)

    def size_of(self, values: Mapping[str, ParameterValue]) -> Size:
        """Return the size of the member with these parameters; errors as `build`."""
        self.check(values)
        return self.size(**values)


@lru_cache(maxsize=8)
def modules_of(packages: tuple[str, ...]) -> Mapping[str, str]:
    """Return the module of each family in some packages, by name, without importing any.

    The folders are listed once, which takes longer than building a small design.
    """
    found = {
        entry.name.replace("_", "-"): f"{package}.{entry.name}"
        for package in packages
        for entry in iter_modules(import_module(package).__path__)
        if not entry.name.startswith("_")
    }
    return MappingProxyType(found)


def family_names() -> list[str]:
    """Return the names of all families, sorted, without importing any of them."""
    return sorted(modules_of(PACKAGES))


def family(name: str) -> Family:
    """Return one family by name, importing only its own module.

    Raises
    ------
    InputError
        If there is no such family; the message names the nearest, or all.
    """
    modules = modules_of(PACKAGES)
    if name not in modules:
        raise InputError(f"no family is called {name!r}; {nearest(name, sorted(modules))}")
    found: Family = import_module(modules[name]).FAMILY
    return found


def families() -> Iterator[Family]:
    """Yield every family, importing all of them."""
    return (family(name) for name in family_names())


def parse_spec(text: str) -> Provenance:
    """Parse a name in place: ``family:name=value,…``, or ``operation(name in place,…)``.

    Raises
    ------
    InputError
        If the text is malformed or names an unknown family; values are not yet judged.

    Examples
    --------
    >>> parse_spec("pg:q=3,dim=3").parameters
    (('q', 3), ('dim', 3))
    >>> parse_spec("residual(pg:q=3,block=2)").spec
    'residual(pg:q=3,block=2)'
    """
    name, opening, rest = head_of(text)
    if opening == "(" and name in OPERATIONS:
        return _parse_operation(name, rest, text)
    return family(name).parse(rest, text=text)


def _parse_operation(name: str, rest: str, text: str) -> Provenance:
    """Parse what stands between an operation's parentheses: a design, then own settings."""
    inner = rest.rstrip()
    if not inner.endswith(")"):
        raise InputError(f"{text!r} does not end with the parenthesis of {name}")
    pieces = split_settings(inner[:-1], text)
    kinds = {parameter.name: parameter.kind for parameter in OPERATIONS[name].parameters}
    end = len(pieces)
    while end > 1 and pieces[end - 1].partition("=")[0].strip() in kinds:
        end -= 1
    source = ",".join(pieces[:end]).strip()
    if source.startswith("(") and source.endswith(")"):
        source = source[1:-1]
    values = parse_settings(",".join(pieces[end:]), kinds, where=text)
    return Provenance(name, tuple(values.items()), parse_spec(source))


def build(provenance: Provenance) -> BlockDesign:
    """Build the design that a provenance describes: a family, or operations on one.

    Raises
    ------
    InputError
        If the provenance does not lead back to a family, or its parameters are wrong.

    Examples
    --------
    >>> build(parse_spec("dual-ag:q=3")).parameters.as_tuple()
    (12, 9, 3, 4, None)
    >>> build(parse_spec("complement(residual(pg:q=3))")).parameters.as_tuple()
    (9, 12, 8, 6, 5)
    """
    operation = OPERATIONS.get(provenance.family)
    if operation is None:
        return family(provenance.family).build(provenance.values)
    if provenance.source is None:
        raise InputError(f"{provenance.family} of a design of unknown origin cannot be rebuilt")
    values = operation.checked(provenance.values)
    others = {name: build(parse_spec(str(values[name]))) for name in operation.designs(values)}
    return operation.apply(build(provenance.source), **{**values, **others})


def size_of(provenance: Provenance) -> Size:
    """Return the size of a member of a family; for an operation, bounds on what it makes.

    Raises
    ------
    InputError
        As `build`.

    Examples
    --------
    >>> size_of(parse_spec("dual(pg:q=3)"))
    Size(v=13, b=13, incidences=52)
    """
    operation = OPERATIONS.get(provenance.family)
    if operation is None:
        return family(provenance.family).size_of(provenance.values)
    if provenance.source is None:
        raise InputError(f"{provenance.family} of a design of unknown origin cannot be rebuilt")
    values = operation.checked(provenance.values)
    others = {name: size_of(parse_spec(str(values[name]))) for name in operation.designs(values)}
    return operation.size(size_of(provenance.source), **{**values, **others})


def label(design: BlockDesign) -> str:
    """Return a short title, ``"PG(2,5)"``, ``"dual of AG(2,3)"``, or the size of a plain design."""
    return (
        title(design.provenance) if design.provenance else f"design with v={design.v}, b={design.b}"
    )


def title(provenance: Provenance | None) -> str:
    """Return the short title of the design that a provenance describes."""
    if provenance is None:
        return "a given design"
    if provenance.family not in OPERATIONS:
        return family(provenance.family).title(provenance.values)
    designs = OPERATIONS[provenance.family].designs(provenance.values)
    at = "".join(
        f" with {title(parse_spec(str(value)))}"
        if name in designs
        else f" at {name} {shown_value(value)}"
        for name, value in provenance.parameters
    )
    return f"{provenance.family} of {title(provenance.source)}{at}"


def point_transitive(design: BlockDesign) -> bool:
    """Whether the design's family promises a group that is transitive on its points.

    A provenance is a claim, so the family's design is built again, if it is of the same size,
    and compared.
    """
    provenance = design.provenance
    if provenance is None or provenance.family in OPERATIONS:
        return False
    declared, values = family(provenance.family), provenance.values
    if not declared.point_transitive:
        return False
    try:
        size = declared.size_of(values)
        return size == Size(design.v, design.b, design.incidences) and (
            declared.build(values) == design
        )
    except GcdesignError:
        return False
