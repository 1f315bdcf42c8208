"""Provenance in a file is a claim: parse it, bound what checking it costs, and check it.

A file of a few bytes may name a family member of half a billion incidences. Nothing is
built before its size is known to fit the file that names it.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any

import numpy as np

from gcdesign.designs.design import BlockDesign, Provenance
from gcdesign.designs.formats.sizes import work
from gcdesign.designs.formats.text import FREE_WORK, WORK_PER_BYTE, shown
from gcdesign.designs.operation_table import OPERATIONS
from gcdesign.designs.registry import Parameter, build, family, family_names
from gcdesign.designs.values import MAX_NESTING, ParameterValue
from gcdesign.errors import InputError, LimitError

REMEDY = "remove 'provenance' to read the blocks as a plain design"


def parse_provenance(value: Any) -> Provenance:
    """Read the JSON form of a provenance, as written by `Provenance.to_json`.

    Raises
    ------
    InputError
        If it has another form, or names a family or an operation that does not exist.

    Examples
    --------
    >>> parse_provenance({"family": "dual", "parameters": {},
    ...                   "of": {"family": "pg", "parameters": {"q": 3}}}).spec
    'dual(pg:q=3)'
    """
    steps: list[tuple[str, dict[str, ParameterValue]]] = []
    more = True
    while more:
        if len(steps) > MAX_NESTING:
            raise InputError(f"provenance has more than {MAX_NESTING} operations; {REMEDY}")
        name, parameters = _step(value)
        steps.append((name, parameters))
        more = "of" in value
        if more and name not in OPERATIONS:
            raise InputError(f"provenance: the family {name} is made of nothing; drop its 'of'")
        value = value.get("of")
    provenance = None
    for name, parameters in reversed(steps):
        provenance = Provenance(name, tuple(parameters.items()), provenance)
    assert provenance is not None  # there is at least one step
    return provenance


def _step(value: Any) -> tuple[str, dict[str, ParameterValue]]:
    """Return the name and the parameters of one step, after judging their types and names."""
    if not isinstance(value, dict) or not {"family", "parameters"} <= value.keys():
        raise InputError("provenance: expected an object with 'family' and 'parameters'")
    extra = value.keys() - {"family", "parameters", "of"}
    if extra:
        raise InputError(f"provenance: unknown key {shown(min(extra))}")
    name, parameters = value["family"], value["parameters"]
    if not isinstance(name, str) or name not in {*OPERATIONS, *family_names()}:
        near = get_close_matches(str(name)[:100], [*family_names(), *OPERATIONS], n=3, cutoff=0.0)
        raise InputError(
            f"provenance: no family or operation of this version is called {shown(name)}; "
            f"the nearest: {', '.join(near)}; {REMEDY}"
        )
    if not isinstance(parameters, dict):
        raise InputError(f"provenance: the parameters of {name} are no object")
    accepted = {parameter.name: parameter for parameter in _parameters(name)}
    for key in parameters:
        if key not in accepted:
            known = ", ".join(accepted) or "none"
            raise InputError(f"provenance: {name} has no parameter {shown(key)}; expected: {known}")
    return name, {key: _value(accepted[key], value) for key, value in parameters.items()}


def _parameters(name: str) -> tuple[Parameter, ...]:
    if name in OPERATIONS:
        return OPERATIONS[name].parameters
    return family(name).parameters


def _value(parameter: Parameter, value: Any) -> ParameterValue:
    """Return the value of one parameter after judging its type."""
    read = parameter.kind.from_json(value)
    if read is None:
        expected = parameter.kind.expected_json
        raise InputError(f"provenance: {parameter.name} is {shown(value)}; expected {expected}")
    return read


def confirm(claim: Provenance, design: BlockDesign, *, file_size: int) -> Provenance:
    """Return the full provenance of a design, after comparing it with what it claims to be.

    Operations on a design of unknown origin cannot be rebuilt and are taken as given.

    Parameters
    ----------
    claim
        What the file says.
    design
        The blocks of the file.
    file_size
        Its length in bytes, which bounds the work that is spent on the comparison.

    Raises
    ------
    InputError
        If the claim is false or names no design.
    LimitError
        If checking the claim would cost far more than reading the file.

    Examples
    --------
    >>> from gcdesign.designs import parse_spec, projective_geometry
    >>> confirm(parse_spec("pg:q=2"), projective_geometry(2), file_size=200).spec
    'pg:q=2,dim=2,flats=1'
    """
    origin = claim
    while origin.source is not None:
        origin = origin.source
    if origin.family in OPERATIONS:
        return claim
    try:
        _check_work(claim, file_size)
        claimed = build(claim)
    except InputError as error:
        raise InputError(f"provenance cannot be rebuilt: {error}; {REMEDY}") from None
    except LimitError as error:
        raise LimitError(f"provenance cannot be rebuilt: {error}; {REMEDY}") from None
    difference = _first_difference(design, claimed)
    if difference:
        raise InputError(f"the file claims to be {claim.spec:.200}, but {difference}; {REMEDY}")
    assert claimed.provenance is not None  # set by every family and every operation
    return claimed.provenance


def _first_difference(design: BlockDesign, claimed: BlockDesign) -> str:
    """Say where a design departs from what it claims to be; empty if it does not."""
    if design.v != claimed.v:
        return f"that has v={claimed.v}, not {design.v}"
    if design.b != claimed.b:
        return f"that has b={claimed.b}, not {design.b}"
    if design != claimed:
        number = next(
            i for i in range(design.b) if not np.array_equal(design.block(i), claimed.block(i))
        )
        return f"block {number} differs"
    given, known = design.block_classes, claimed.block_classes
    if given is not None and known is not None and not np.array_equal(given, known):
        return f"the class of block {int(np.flatnonzero(given != known)[0])} differs"
    return ""


def _check_work(claim: Provenance, file_size: int) -> None:
    """Refuse a claim whose rebuilding would touch far more incidences than the file can hold."""
    needed, allowed = work(claim), FREE_WORK + WORK_PER_BYTE * file_size
    if needed > allowed:
        raise LimitError(
            f"{claim.spec:.200} goes through {shown(needed)} incidences; for a file of "
            f"{file_size} bytes the limit is {allowed}"
        )
