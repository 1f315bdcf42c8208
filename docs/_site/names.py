"""Names in docstrings and signatures, as links to where the site documents them.

Things are documented under their public names, ``gcdesign.codes.Placement``, while annotations name
the module that defines them, or only the last part. A name that exists but is documented nowhere
(the standard library, numpy, inner modules) is shown plain; one that does not exist is a warning.
"""

from __future__ import annotations

import ast
import builtins
import importlib
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import gcdesign


class PublicNames:
    """What the site documents, by any name that may be used for it.

    Parameters
    ----------
    documented
        Full public names, such as ``"gcdesign.codes.Placement"``.
    """

    def __init__(self, documented: frozenset[str]) -> None:
        self._full = documented
        self._by_object: dict[int, str] = {}
        self._by_last: dict[str, str] = {}
        for name in sorted(self._full, key=lambda name: (-name.count("."), name)):
            found = imported(name)
            if found is not None:
                self._by_object[id(found)] = name
            self._by_last[name.rpartition(".")[2]] = name

    def page_of(self, name: str, module: str | None) -> str | None:
        """Return the public name of what a name means, or None if it has no page."""
        for one in (name, f"gcdesign.{name}", f"{module}.{name}"):
            if one in self._full:
                return one
            found = imported(one)
            if found is not None and id(found) in self._by_object:
                return self._by_object[id(found)]
        holder, _, last = name.rpartition(".")
        if last in getattr(imported(holder), "__dataclass_fields__", ()):
            return self.page_of(holder, module)
        return None if holder else self._by_last.get(name)

    def exists(self, name: str, module: str | None, within: str | None) -> bool:
        """Whether a name is something, here or in another package.

        Parameters
        ----------
        name
            What is named.
        module, within
            The module of the docstring, and its class.
        """
        whole = re.sub("^np\\.", "numpy.", name)
        candidates = (whole, f"gcdesign.{name}", f"{module}.{name}", f"{module}.{within}.{name}")
        if any(imported(one) is not None for one in candidates) or name in _all_names():
            return True
        holder = imported(f"{module}.{within}") if within else None
        return name in getattr(holder, "__dataclass_fields__", ())


public_names = cache(PublicNames)


@cache
def imported(name: str) -> Any:
    """Return what a dotted name stands for, or None."""
    if hasattr(builtins, name):
        return getattr(builtins, name)
    module, _, attribute = name.rpartition(".")
    try:
        return importlib.import_module(name)
    except (ImportError, ValueError):
        parent = imported(module) if module else None
    return None if parent is None else getattr(parent, attribute, None)


@cache
def _all_names() -> frozenset[str]:
    """Return the names of all modules, and all that they bind, for type checking too."""
    names: set[str] = set()
    for path in Path(gcdesign.__file__).parent.rglob("*.py"):
        names.add(path.stem)
        names.update(_bound(ast.parse(path.read_text("utf-8")).body))
    return frozenset(names)


def _bound(statements: Iterable[ast.stmt]) -> Iterator[str]:
    """Yield the names that statements of a module bind."""
    for statement in statements:
        match statement:
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                yield from (alias.asname or alias.name for alias in names)
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
                yield name
            case ast.Assign(targets=targets):
                yield from (target.id for target in targets if isinstance(target, ast.Name))
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield name
            case ast.If(body=body, orelse=orelse):
                yield from _bound([*body, *orelse])
