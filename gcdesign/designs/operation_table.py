"""Every operation on designs, declared once: its name, parameters and how large its results are.

Names in place such as ``residual(pg:q=5,block=2)`` and ``union(pg:q=2,other=(pg:q=2))``, files
with a provenance and `gcdesign transform` read these declarations. An operation's parameter has
a name that no family's parameter has, so that a name in place is read in one way only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import comb

from gcdesign.designs import classes, joining, operations, weighting
from gcdesign.designs.design import BlockDesign, Size
from gcdesign.designs.planes.derivation import derivation
from gcdesign.designs.values import DESIGN, LIST, Parameter, ParameterValue
from gcdesign.errors import InputError

BLOCK = Parameter("block", "number of the block (default 0)", optional=True)
POINT = Parameter("point", "number of the point (default 0)", optional=True)
MEETS = Parameter("meets", "numbers of points in which they meet", kind=LIST)
OTHER = Parameter("other", "a second design, a name in place", kind=DESIGN)


@dataclass(frozen=True)
class Operation:
    """One operation: what it is called, what it takes, what it makes.

    Attributes
    ----------
    name
        Its name in names in place and on the command line.
    summary
        One line: what it does.
    apply
        Takes a design and the parameters by keyword; a design parameter arrives built.
    size
        Takes the size of the design, and the same with sizes in place of designs; returns bounds
        on what the operation touches, so that a claim is judged before it is built.
    parameters
        In the order in which names print them.
    """

    name: str
    summary: str
    apply: Callable[..., BlockDesign]
    size: Callable[..., Size]
    parameters: tuple[Parameter, ...] = ()

    def checked(self, values: Mapping[str, ParameterValue]) -> Mapping[str, ParameterValue]:
        """Return the parameters if the operation takes them.

        Raises
        ------
        InputError
            If one is unknown, of the wrong kind, or missing.
        """
        known = {parameter.name: parameter for parameter in self.parameters}
        for name, value in values.items():
            if name not in known:
                raise InputError(f"{self.name} does not take the parameters {name}")
            if not known[name].kind.holds(value):
                raise InputError(f"{name}={value!r}; expected {known[name].kind.expected}")
        for parameter in self.parameters:
            if not parameter.optional and parameter.name not in values:
                raise InputError(f"{self.name} needs {parameter.name}: {parameter.help}")
        return values

    def designs(self, values: Mapping[str, ParameterValue]) -> list[str]:
        """Return the names of those given parameters that are designs."""
        return [p.name for p in self.parameters if p.kind is DESIGN and p.name in values]


def _same(size: Size, **_: object) -> Size:
    return size


def _dual(size: Size) -> Size:
    return Size(size.b, size.v, size.incidences)


def _complement(size: Size) -> Size:
    return Size(size.v, size.b, size.v * size.b)  # what it looks at, whatever is left


def _union(size: Size, other: Size) -> Size:
    return Size(size.v, size.b + other.b, size.incidences + other.incidences)


def _multiple(size: Size, times: int) -> Size:
    return Size(size.v, size.b * abs(times), size.incidences * abs(times))


def _supplement(size: Size) -> Size:
    k = -(-size.incidences // max(size.b, 1))
    subsets = comb(size.v, min(k, size.v)) if size.v < 1000 else 1 << 62
    return Size(size.v, subsets, subsets * k)


def _fill(size: Size, other: Size) -> Size:
    filled = min(size.b, size.incidences // max(other.v, 1))
    return Size(
        size.v, size.b + filled * other.b, size.incidences + filled * (other.incidences + other.v)
    )


def _wallis(size: Size) -> Size:
    order = size.incidences // max(size.v, 1) + 1  # one more than there are classes
    return Size(order * size.v, order * size.v, order * size.incidences * size.v)


def _class_unions(size: Size, other: Size) -> Size:
    return Size(size.v, size.b * other.b, size.incidences * max(other.incidences, 1))


def _meeting(size: Size, meets: object) -> Size:
    return Size(size.b, size.b, size.b * size.b)


def _between(size: Size, pair: object, meets: object) -> Size:
    return Size(size.b, size.b, size.incidences)  # the table itself is judged when it is made


_DECLARED = (
    Operation("dual", "points and blocks change places", operations.dual, _dual),
    Operation(
        "complement",
        "each block becomes the points that it misses",
        operations.complement,
        _complement,
    ),
    Operation("residual", "drop one block and its points", operations.residual, _same, (BLOCK,)),
    Operation(
        "derived",
        "keep the points of one block, and what the others meet there",
        operations.derived,
        _same,
        (BLOCK,),
    ),
    Operation(
        "union", "the blocks of two designs on the same points", joining.union, _union, (OTHER,)
    ),
    Operation(
        "multiple",
        "every block several times",
        joining.multiple,
        _multiple,
        (Parameter("times", "how often, 1 or more"),),
    ),
    Operation("supplement", "the k-subsets that are no blocks", joining.supplement, _supplement),
    Operation(
        "fill",
        "each block of as many points as another design becomes a copy of it",
        joining.fill,
        _fill,
        (OTHER,),
    ),
    Operation(
        "weight",
        "each point becomes several, and one new point completes their groups",
        weighting.weight,
        weighting.weight_size,
        (Parameter("times", "how many, 1 or more"),),
    ),
    Operation(
        "completed",
        "a new point on the blocks of each parallel class, and the block of new points",
        weighting.completed,
        weighting.completed_size,
    ),
    Operation(
        "grouped",
        "a point and the blocks through it go; their points become groups",
        weighting.grouped,
        _same,
        (POINT,),
    ),
    Operation(
        "point-derived",
        "the blocks through one point, without it",
        joining.point_derived,
        _same,
        (POINT,),
    ),
    Operation(
        "point-residual", "the blocks that miss one point", joining.point_residual, _same, (POINT,)
    ),
    Operation(
        "restriction",
        "keep some points: blocks become what they have of them",
        joining.restriction,
        _same,
        (Parameter("kept", "the points that stay, such as 0+1+3", kind=LIST),),
    ),
    Operation(
        "wallis",
        "parallel classes of an affine design over a Latin square: a symmetric design",
        classes.wallis,
        _wallis,
    ),
    Operation(
        "class-unions",
        "unite blocks of each parallel class as another design says",
        classes.class_unions,
        _class_unions,
        (OTHER,),
    ),
    Operation(
        "meeting",
        "blocks become points: a block holds those that it meets in given numbers",
        classes.meeting,
        _meeting,
        (MEETS,),
    ),
    Operation(
        "between",
        "blocks through one point only and through another only, by how they meet",
        classes.between,
        _between,
        (Parameter("pair", "the two points, such as 0+1", kind=LIST), MEETS),
    ),
    Operation(
        "derivation",
        "lines of a plane that meet one in a derivation set become Baer subplanes",
        derivation,
        _same,
        (BLOCK, Parameter("slopes", "the points of the set, such as 0+1+3+77", kind=LIST)),
    ),
)

OPERATIONS: dict[str, Operation] = {operation.name: operation for operation in _DECLARED}
"""Every operation by its name."""
