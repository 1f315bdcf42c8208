"""Designs developed from base blocks that the user gives."""

from __future__ import annotations

import re

from gcdesign.designs.actions import Action, Multiplier
from gcdesign.designs.base_blocks import BaseBlocks
from gcdesign.designs.design import BlockDesign, Provenance, Size, check_size
from gcdesign.designs.registry import Family, Parameter
from gcdesign.designs.rings import Ring
from gcdesign.designs.values import BLOCKS, GROUP, LIST
from gcdesign.errors import InputError, LimitError

MAX_POINTS = 200_000
"""Largest number of points on which a multiplier is written out."""

_BLOCKS = re.compile(r"[0-9]{1,7}(?:[+/][0-9]{1,7})*")


def construct(
    group: str,
    blocks: str,
    copies: int = 1,
    fixed: int = 0,
    unit: int | None = None,
    slots: tuple[int, ...] | None = None,
) -> BlockDesign:
    """Return the design that a group develops from base blocks.

    Parameters
    ----------
    group
        The additive group of a ring: Z_n, the field F_q, or a product such as Z2xF9.
    blocks
        Base blocks such as ``"0+1+4/0+2+7"``. Element x of copy c is the point c·m + x for a
        group of order m, and fixed point j is the point f·m + j.
    copies, fixed
        The numbers f of copies and of fixed points.
    unit, slots
        A multiplier: it multiplies by the unit and takes slot i, a copy or a fixed point, to
        ``slots[i]``. Where the unit is not given it is the one of the ring, and every slot stays
        where slots are not given.

    Raises
    ------
    InputError
        If the group does not exist, or a block or the multiplier does not fit.
    LimitError
        If the design is too large.

    Notes
    -----
    Source: Bose 1939. Whether it is a 2-design is for the blocks to say.

    Examples
    --------
    >>> construct("Z13", "0+1+4/0+2+7").parameters.as_tuple()
    (13, 26, 6, 3, 1)
    >>> construct("Z7", "0+1+3+7/1+2+4", fixed=1).b
    14
    """
    family = _family(group, blocks, copies, fixed, unit, slots or ())
    return family.design(specification(family))


def _family(
    group: str, blocks: str, copies: int, fixed: int, unit: int | None, slots: tuple[int, ...]
) -> BaseBlocks:
    ring = Ring.parse(group)
    unit = ring.one if unit is None else unit
    if not _BLOCKS.fullmatch(blocks):
        raise InputError(f"blocks={blocks:.40}; expected blocks such as 0+1+4/0+2+7")
    base = tuple(tuple(map(int, block.split("+"))) for block in blocks.split("/"))
    check_size(Size(copies * ring.order + fixed, len(base), 0), name=f"developed:group={group}")
    if copies * ring.order + fixed > MAX_POINTS:
        raise LimitError(f"developed:group={group} has more than {MAX_POINTS} points")
    trivial = unit == ring.one and slots in ((), tuple(range(copies + fixed)))
    action = Action(ring, copies, fixed, () if trivial else (Multiplier(unit, slots),))
    family = BaseBlocks(action, base)
    points = sum(map(len, base)) * ring.order
    check_size(Size(action.v, len(base) * ring.order, points), name=f"developed:group={group}")
    return family


def size_of(
    group: str,
    blocks: str,
    copies: int = 1,
    fixed: int = 0,
    unit: int | None = None,
    slots: tuple[int, ...] | None = None,
) -> Size:
    """Return the size of the design; errors as in `construct`."""
    family = _family(group, blocks, copies, fixed, unit, slots or ())
    return Size(family.action.v, family.b, family.incidences)


def label(
    group: str,
    blocks: str,
    copies: int,
    fixed: int,
    unit: int,
    slots: tuple[int, ...],
) -> str:
    """Return ``"2 base blocks over Z13"``."""
    number = blocks.count("/") + 1
    where = f"{copies} × {group}" if copies > 1 else group
    where += f" + {fixed}" if fixed else ""
    return f"{number} base block{'s' if number > 1 else ''} over {where}"


def specification(family: BaseBlocks) -> Provenance:
    """Return the name in place of a family of base blocks with at most one multiplier.

    Examples
    --------
    >>> specification(BaseBlocks(Action(Ring.parse("Z7")), ((0, 1, 3),))).spec
    'developed:group=Z7,blocks=0+1+3,copies=1,fixed=0,unit=1,slots=0'
    """
    action = family.action
    if len(action.multipliers) > 1:
        raise InputError("a name in place holds one multiplier; expected at most one")
    multiplier = action.multipliers[0] if action.multipliers else Multiplier(action.ring.one)
    blocks = "/".join("+".join(map(str, block)) for block in family.blocks)
    return Provenance.of(
        "developed",
        group=str(action.ring),
        blocks=blocks,
        copies=action.copies,
        fixed=action.fixed,
        unit=multiplier.unit,
        slots=multiplier.slots or tuple(range(action.copies + action.fixed)),
    )


FAMILY = Family(
    name="developed",
    summary="what a group makes of base blocks that you give",
    source="Bose 1939",
    parameters=(
        Parameter("group", "Z13, F9, Z2xZ6: Z_n, the field of q elements, a product", kind=GROUP),
        Parameter("blocks", "base blocks such as 0+1+4/0+2+7", kind=BLOCKS),
        Parameter("copies", "copies of the group (default 1)", optional=True),
        Parameter("fixed", "fixed points (default 0)", optional=True),
        Parameter("unit", "multiplier, a unit of the ring (default: its one)", optional=True),
        Parameter("slots", "what it does to copies and fixed points", True, LIST),
    ),
    construct=construct,
    size=size_of,
    label=label,
    example={"group": "Z13", "blocks": "0+1+4/0+2+7"},
    domain="blocks of increasing points, a unit of the ring",
)
