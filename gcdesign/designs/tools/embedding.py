"""Embedding of quasi-residual designs in symmetric designs."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from gcdesign.designs.design import BlockDesign
from gcdesign.designs.tools.extension import Completion
from gcdesign.designs.tools.solving import Clock, Limits, solve, solver_name
from gcdesign.designs.verify import verify
from gcdesign.errors import InputError, SolverError

MAX_PRODUCTS = 400_000
"""Most pairs of blocks, times new points, that the solver is given."""


def embed_as_residual(design: BlockDesign, *, limits: Limits | None = None) -> Completion:
    """Look for a symmetric design that leaves this one when a block is taken away.

    A quasi-residual 2-(v, k, λ) design has r = k + λ. The symmetric design has r new points, which
    are one more block, and λ of them are added to each old block so that any two blocks meet in
    λ points.

    Parameters
    ----------
    design
        A quasi-residual 2-design.
    limits
        Time, threads and seed.

    Returns
    -------
    Completion
        Its design has the new block first, on the points v, …, v + r − 1, and then the old blocks.

    Raises
    ------
    InputError
        If the design is not quasi-residual.

    Notes
    -----
    Source: for λ = 1 (affine planes) it always is; for λ = 2 too, M. Hall, W. S. Connor 1954; for
    λ = 3 not always, K. N. Bhattacharya 1944: two blocks of his 2-(16, 6, 3) design meet in 4.

    Examples
    --------
    >>> from gcdesign.designs import affine_geometry
    >>> embed_as_residual(affine_geometry(3)).design.parameters.as_tuple()
    (13, 13, 4, 4, 1)
    """
    _, _, r, k, lambda_ = design.parameters.as_tuple()
    if not (r and k and lambda_) or r != k + lambda_:
        raise InputError(f"{design.parameters} is not quasi-residual; expected r = k + λ")
    blocks = [set(block) for block in design.blocks()]
    meets = {
        pair: len(blocks[pair[0]] & blocks[pair[1]]) for pair in combinations(range(design.b), 2)
    }
    worst = max(meets, key=meets.__getitem__)
    if meets[worst] > lambda_:
        reason = f"blocks {worst[0]} and {worst[1]} meet in {meets[worst]} > λ = {lambda_} points"
        return Completion("impossible", reason)
    if len(meets) * r > MAX_PRODUCTS:
        return Completion("unknown", f"{design.b} blocks are too many for {solver_name()}")
    clock = (limits or Limits()).clock()
    return _by_solver(design, meets, r, lambda_, clock)


def _by_solver(
    design: BlockDesign, meets: dict[tuple[int, int], int], r: int, lambda_: int, clock: Clock
) -> Completion:
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    added = [[model.new_bool_var("") for _ in range(r)] for _ in range(design.b)]
    for row in added:
        model.add(sum(row) == lambda_)
    through: list[list[int]] = [[] for _ in range(design.v)]
    for number, block in enumerate(design.blocks()):
        for point in block:
            through[point].append(number)
    for point in range(design.v):
        for new in range(r):
            model.add(sum(added[block][new] for block in through[point]) == lambda_)
    for (one, other), common in meets.items():
        _meet(model, added[one], added[other], lambda_ - common)
    for new in range(lambda_):  # the new points may be numbered so
        model.add(added[0][new] == 1)
    solved = solve(model, [variable for row in added for variable in row], clock=clock)
    if solved.status == "impossible":
        return Completion("impossible", f"{solver_name()} finished its search without one")
    if solved.status == "unknown":
        return Completion("unknown", f"the time was too short for {solver_name()}")
    rows = design.blocks()
    for place in solved.chosen:
        rows[place // r].append(design.v + place % r)
    first = list(range(design.v, design.v + r))
    larger = BlockDesign.from_blocks([first, *rows], points=design.v + r)
    if larger.v != larger.b or verify(larger).lambda_ != lambda_:
        raise SolverError(f"{solver_name()} gave no symmetric design: please report this design")
    return Completion("exists", f"found by {solver_name()}", larger)


def _meet(model: Any, one: list[Any], other: list[Any], count: int) -> None:
    """Demand that two sets of new points have so many in common."""
    if count == 0:
        for x, y in zip(one, other, strict=True):
            model.add_bool_or([~x, ~y])
        return
    both = []
    for x, y in zip(one, other, strict=True):
        z = model.new_bool_var("")
        model.add_implication(z, x)
        model.add_implication(z, y)
        model.add_bool_or([z, ~x, ~y])
        both.append(z)
    model.add(sum(both) == count)
