"""Parallel classes and resolutions: one, all, or a proof that there is none."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from typing import Literal

import numpy as np

from gcdesign.designs.design import BlockDesign, constant
from gcdesign.designs.tools.exact_cover import Covers, exact_covers
from gcdesign.designs.tools.invariant_resolution import invariant_resolution
from gcdesign.designs.tools.solving import Clock, Limits, solve, solver_name
from gcdesign.designs.verify import is_resolved
from gcdesign.errors import SolverError

MAX_CLASSES = 60_000
"""Parallel classes that are listed before the solver is asked instead."""

LISTING_SECONDS, COVERING_SECONDS = 10.0, 20.0
"""Time for listing the classes, and for putting a resolution together from them."""

MAX_VARIABLES = 400_000
"""Largest number of pairs of a block and a class that the solver is given."""


@dataclass(frozen=True)
class ResolutionSearch:
    """Whether the blocks fall into parallel classes.

    Attributes
    ----------
    status
        ``"exists"``, ``"impossible"`` (proved) or ``"unknown"``.
    reason
        How that is known, or what was tried.
    design
        The design with its ``block_classes``, numbered by their first blocks, if there are any.
    """

    status: Literal["exists", "impossible", "unknown"]
    reason: str
    design: BlockDesign | None = None


def parallel_classes(
    design: BlockDesign, *, most: int | None = None, limits: Limits | None = None
) -> Covers:
    """List the parallel classes: sets of blocks that hold every point exactly once.

    Examples
    --------
    >>> from gcdesign.designs import projective_geometry
    >>> spreads = parallel_classes(projective_geometry(2, 3, 1))
    >>> len(spreads.found), spreads.complete
    (56, True)
    """
    clock = (limits or Limits()).clock()
    return exact_covers(design, most=most, deadline=clock.deadline)


def all_resolutions(
    design: BlockDesign, *, most: int | None = None, limits: Limits | None = None
) -> list[BlockDesign] | None:
    """List the resolutions, each as a design with block classes, or None if the time is too short.

    Copies of a repeated block are told apart.

    Examples
    --------
    >>> from gcdesign.designs import affine_geometry
    >>> len(all_resolutions(affine_geometry(3)))
    1
    """
    clock = (limits or Limits()).clock()
    classes = exact_covers(design, deadline=clock.deadline)
    if not classes.complete:
        return None
    options = BlockDesign.from_blocks(classes.found, points=design.b)
    covers = exact_covers(options, most=most, deadline=clock.deadline)
    if not covers.complete and (most is None or len(covers.found) < most):
        return None
    return [_resolved(design, [classes.found[i] for i in cover]) for cover in covers.found]


def find_resolution(design: BlockDesign, *, limits: Limits | None = None) -> ResolutionSearch:
    """Look for a resolution until there is one, or a proof that there is none, or no time is left.

    Counting comes first. Then the parallel classes are listed, and a resolution is an exact cover
    of the blocks by classes. Where there are too many, resolutions that an automorphism keeps are
    tried, and at last the solver places the blocks in classes.

    Parameters
    ----------
    design
        Any design; resolutions that it knows already are taken.
    limits
        Time, threads and seed.

    Examples
    --------
    >>> from gcdesign.designs import affine_geometry, projective_geometry
    >>> find_resolution(affine_geometry(4)).design.parallel_classes[0]
    (0, 1, 2, 3)
    >>> find_resolution(projective_geometry(3)).reason
    'the block size k = 4 does not divide v = 13'
    """
    if is_resolved(design):
        return ResolutionSearch("exists", "the design comes with it", design)
    if not (design.v and design.b):
        every = _resolved(design, [list(range(design.b))] if design.b else [])
        return ResolutionSearch("exists", "there are no points or no blocks", every)
    reason = _counted_out(design)
    if reason:
        return ResolutionSearch("impossible", reason)
    clock = (limits or Limits()).clock()
    deadline = clock.within(LISTING_SECONDS)
    classes = exact_covers(design, most=MAX_CLASSES, deadline=deadline)
    if classes.complete:
        return _from_classes(design, classes, clock)
    return _with_automorphism(design, clock)


def _counted_out(design: BlockDesign) -> str:
    """Return why no resolution is possible, by counting alone; empty if that shows nothing."""
    from gcdesign.designs.existence.parameters import Bibd
    from gcdesign.designs.existence.resolvable import resolvability

    r, k = constant(design.replication_numbers), constant(design.block_sizes)
    if not design.block_sizes.min():
        return f"block {int(np.argmin(design.block_sizes))} is empty"
    if r is None:
        return "points lie in different numbers of blocks"
    if k and design.v % k:
        return f"the block size k = {k} does not divide v = {design.v}"
    lambda_ = design.parameters.lambda_
    if k and lambda_ and 2 <= k < design.v:
        answer = resolvability(Bibd(design.v, k, lambda_))
        return answer.reason if answer.answer == "no" else ""
    return ""


def _from_classes(design: BlockDesign, classes: Covers, clock: Clock) -> ResolutionSearch:
    """Put a resolution together from all parallel classes."""
    count = len(classes.found)
    used = np.zeros(design.b, dtype=bool)
    used[[block for found in classes.found for block in found]] = True
    if not used.all():
        reason = f"block {int(np.argmin(used))} is in no parallel class, of which there are {count}"
        return ResolutionSearch("impossible", reason)
    options = BlockDesign.from_blocks(classes.found, points=design.b)
    covers = exact_covers(options, most=1, deadline=clock.within(COVERING_SECONDS))
    if covers.found:
        found = _resolved(design, [classes.found[i] for i in covers.found[0]])
        return ResolutionSearch("exists", f"exact cover by {count} parallel classes", found)
    if covers.complete:
        reason = f"no exact cover of the blocks by all {count} parallel classes"
        return ResolutionSearch("impossible", reason)
    return _with_automorphism(design, clock)


def _with_automorphism(design: BlockDesign, clock: Clock) -> ResolutionSearch:
    """Look for a resolution that an automorphism keeps, and ask the solver if there is none."""
    if find_spec("pynauty") is not None:
        classes = invariant_resolution(design, clock)
        if classes is not None:
            found = _resolved(design, classes)
            return ResolutionSearch("exists", "a few classes and their images", found)
    return _by_solver(design, clock)


def _by_solver(design: BlockDesign, clock: Clock) -> ResolutionSearch:
    """Place each block in one of r classes; those through point 0 are in different ones."""
    from ortools.sat.python import cp_model

    r = int(design.replication_numbers[0])
    if design.b * r > MAX_VARIABLES:
        reason = f"too many parallel classes to list, and {design.b} blocks are too many to place"
        return ResolutionSearch("unknown", reason)
    model = cp_model.CpModel()
    places = [[model.new_bool_var("") for _ in range(r)] for _ in range(design.b)]
    for row in places:
        model.add_exactly_one(row)
    through: list[list[int]] = [[] for _ in range(design.v)]
    for block, points in enumerate(design.blocks()):
        for point in points:
            through[point].append(block)
    for blocks in through:
        for number in range(r):
            model.add_exactly_one([places[block][number] for block in blocks])
    for number, block in enumerate(through[0]):
        model.add(places[block][number] == 1)
    flat = [place for row in places for place in row]
    solved = solve(model, flat, clock=clock)
    if solved.status == "impossible":
        return ResolutionSearch("impossible", f"{solver_name()} finished its search without one")
    if solved.status == "unknown":
        return ResolutionSearch("unknown", f"the time was not enough for {solver_name()}")
    classes: list[list[int]] = [[] for _ in range(r)]
    for place in solved.chosen:
        classes[place % r].append(place // r)
    return ResolutionSearch("exists", f"found by {solver_name()}", _resolved(design, classes))


def _resolved(design: BlockDesign, classes: list[list[int]]) -> BlockDesign:
    """Return the design with these classes, after a check, numbered by their first blocks."""
    labels = np.full(design.b, -1, dtype=np.int32)
    for number, blocks in enumerate(sorted(sorted(blocks) for blocks in classes)):
        labels[blocks] = number
    resolved = BlockDesign.from_arrays(
        design.v,
        design.indptr,
        design.indices,
        provenance=design.provenance,
        block_classes=labels,
    )
    if not is_resolved(resolved):
        raise SolverError("what was found is no resolution: please report this design")
    return resolved
