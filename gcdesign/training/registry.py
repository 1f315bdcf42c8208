"""Schemes by name: those declared in `gcdesign.training.schemes`, and every gradient code.

A scheme that is more than a gradient code is declared in a module of its own in that package,
with the scheme's name for its file name, that defines ``SCHEME``, a `SchemeKind`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module

from gcdesign.codes import load_code
from gcdesign.codes.registry import all_names, declared
from gcdesign.codes.sources import is_name_in_place, is_there
from gcdesign.designs.registry import modules_of
from gcdesign.errors import InputError
from gcdesign.training.linear import CodeScheme
from gcdesign.training.scheme import Scheme

PACKAGES = ("gcdesign.training.schemes",)
"""Packages whose modules each declare one scheme."""


@dataclass(frozen=True)
class Request:
    """What is asked of a scheme beside its name.

    Attributes
    ----------
    workers
        Number of workers N.
    stragglers
        Number S of workers that are not waited for, or that may be slow.
    seed
        Seed of random codes.
    options
        What stands behind the name, ``name:option=value,option=value``.
    """

    workers: int
    stragglers: int = 0
    seed: int = 0
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class SchemeKind:
    """The declaration of a scheme.

    Attributes
    ----------
    name
        Its name on the command line.
    summary
        One line: what it does.
    source
        Where it is from.
    make
        Makes the scheme for a request, whose options are among those named here.
    options
        The options that it takes, with one line of help each.
    """

    name: str
    summary: str
    source: str
    make: Callable[[Request], Scheme]
    options: Mapping[str, str]


def scheme_names() -> list[str]:
    """Return the names of all declared schemes, sorted, importing none."""
    return sorted(modules_of(PACKAGES))


def scheme_kind(name: str) -> SchemeKind:
    """Return the declaration of one scheme, importing only its own module."""
    found: SchemeKind = import_module(modules_of(PACKAGES)[name]).SCHEME
    return found


def make_scheme(
    name: str, *, workers: int | None = None, stragglers: int = 0, seed: int = 0
) -> Scheme:
    """Return the scheme that a name stands for.

    Parameters
    ----------
    name
        A declared scheme (``"naive"``, ``"partial-cyclic:alpha=2"``); a family of codes, whose
        workers, stragglers and seed are filled in (``"cyclic"``); any code in place or in a file
        (``"pg:q=3"``, ``"my-code.mtx"``).
    workers
        Number of workers N; a code in place or in a file has its own.
    stragglers
        Number S of workers that are not waited for.
    seed
        Seed of random codes.

    Raises
    ------
    InputError
        If there is no such scheme, or its parameters do not fit.

    Examples
    --------
    >>> make_scheme("naive", workers=4).label
    'naive (N=4)'
    >>> make_scheme("cyclic", workers=12, stragglers=2).label
    'cyclic repetition (N=12, S=2)'
    >>> make_scheme("pg:q=3", stragglers=2).parts
    13
    """
    head, _, settings = name.partition(":")
    if head in scheme_names():
        if workers is None:
            raise InputError(f"scheme {name} needs a number of workers")
        if workers < 1:
            raise InputError(f"workers={workers}; expected 1 or more")
        kind = scheme_kind(head)
        return kind.make(Request(workers, stragglers, seed, _options(kind, settings, name)))
    if not has_own_workers(name):
        name = _filled_in(head, workers, stragglers, seed)
    code = load_code(name)
    if workers is not None and workers != code.workers:
        raise InputError(f"{code.label} has {code.workers} workers, and {workers} are asked for")
    return CodeScheme(code, stragglers)


def has_own_workers(name: str) -> bool:
    """Whether a scheme's name is that of one code, with a number of workers of its own.

    Raises
    ------
    InputError
        If it is the name of nothing.
    """
    head, colon, _ = name.partition(":")
    if head in scheme_names() or (head in all_names() and not colon):
        return False
    if not (is_name_in_place(name) or (name and is_there(name))):
        raise InputError(
            f"no scheme is called {name!r}; expected {', '.join(scheme_names())}, a family of "
            "codes, a code in place such as pg:q=3, or a file"
        )
    return True


def _options(kind: SchemeKind, settings: str, text: str) -> dict[str, str]:
    options: dict[str, str] = {}
    for piece in filter(None, settings.split(",")):
        key, equals, value = (word.strip() for word in piece.partition("="))
        if key not in kind.options or not equals or not value or key in options:
            expected = ", ".join(f"{option}=…" for option in kind.options) or "no options"
            raise InputError(f"scheme {text!r}: {piece!r}; expected {expected}, each once")
        options[key] = value
    return options


def _filled_in(family: str, workers: int | None, stragglers: int, seed: int) -> str:
    """Return the name in place of a family's member with these workers and stragglers."""
    given = {"workers": workers, "stragglers": stragglers, "seed": seed}
    known = [parameter.name for parameter in declared(family).parameters]
    settings = [f"{key}={given[key]}" for key in known if given.get(key) is not None]
    return f"{family}:{','.join(settings)}"
