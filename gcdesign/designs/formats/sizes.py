"""How much work a provenance asks for, known before anything is built."""

from __future__ import annotations

from gcdesign.designs.design import Provenance
from gcdesign.designs.operation_table import OPERATIONS
from gcdesign.designs.registry import family, parse_spec, size_of


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
    steps = []
    while provenance.source is not None:
        steps.append(provenance)
        provenance = provenance.source
    size = family(provenance.family).size_of(provenance.values)
    total = size.incidences
    for step in reversed(steps):
        operation = OPERATIONS[step.family]
        values = operation.checked(step.values)
        named = {name: parse_spec(str(values[name])) for name in operation.designs(values)}
        total += sum(map(work, named.values()))
        size = operation.size(size, **{**values, **{n: size_of(p) for n, p in named.items()}})
        total += size.incidences
    return total
