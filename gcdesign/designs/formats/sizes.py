"""How much work a provenance asks for, known before anything is built."""

from __future__ import annotations

from gcdesign.designs.design import Provenance, Size
from gcdesign.designs.registry import family


def work(provenance: Provenance) -> int:
    """Return an upper bound on the incidences that building a design touches, all steps added.

    Raises
    ------
    InputError, LimitError
        If the family has no member with these parameters, or one beyond all limits.

    Examples
    --------
    >>> from gcdesign.designs import parse_spec
    >>> work(parse_spec("pg:q=5"))
    186
    >>> work(Provenance.of("complement", parse_spec("pg:q=5")))
    1147
    """
    operations = []
    while provenance.source is not None:
        operations.append(provenance.family)
        provenance = provenance.source
    size = family(provenance.family).size_of(provenance.values)
    total = size.incidences
    for operation in reversed(operations):
        size = _after(operation, size)
        total += size.incidences
    return total


def _after(operation: str, size: Size) -> Size:
    """Return bounds on the result of an operation."""
    v, b, incidences = size
    if operation == "dual":
        return Size(b, v, incidences)
    if operation == "complement":
        return Size(v, b, v * b)  # what it looks at, whatever is left
    return size  # residual and derived keep a part
