"""What gcdesign, SageMath and GAP's DESIGN package are all asked to do with designs.

A task is an expression in the language of each program, which is measured; what it needs is made
beforehand by another and is called ``x``. All sides must come to the same: the parameters of what
they built, or the value. ``{0}``, ``{1}`` … stand for the members of a value. gcdesign proves from
the blocks what it built (``proved``) wherever SageMath checks it too.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

NEVER_SLOWER = 1.0
HUNDREDTH = 0.01
TWENTIETH = 0.05

Value = tuple[int, ...]


@dataclass(frozen=True)
class Task:
    """What one program does: an expression, and one that makes ``x`` for it."""

    call: str
    given: str = ""

    def filled(self, value: Value) -> tuple[str, str]:
        """Return what makes ``x``, and the task, for a value."""
        return self.given.format(*value), self.call.format(*value)


@dataclass(frozen=True)
class Case:
    """A row of the tables for each of some values.

    Attributes
    ----------
    subject
        What is done, for a reader.
    ours, sage, gap
        The tasks of the three programs; None where a program is not asked.
    values
        One row for each.
    small
        The value of a small sibling that is done first, so that imports are in place.
    target
        The greatest ratio to SageMath's time aimed at, if there is one; to GAP's it is 1.
    renamed
        Whether all sides get the blocks of PG(2,q), q the value, twice with points renamed at
        random, as ``one`` and ``other``, and the number of points ``v``.
    """

    subject: str
    ours: Task
    sage: Task | None = None
    gap: Task | None = None
    values: tuple[Value, ...] = ((),)
    small: Value = ()
    target: float | None = NEVER_SLOWER
    renamed: bool = False


def _building(
    subject: str,
    ours: str,
    sage: str,
    *values: Value,
    small: Value = (),
    gap: str = "",
    target: float = NEVER_SLOWER,
) -> Case:
    """Return a case in which all sides build the same design from nothing."""
    return Case(
        subject,
        Task(ours),
        Task(sage) if sage else None,
        Task(gap) if gap else None,
        values or ((),),
        small,
        target,
    )


GEOMETRIES = (
    _building(
        "PG(2,{0})",
        "proved('pg:q={0}')",
        "designs.projective_plane({0})",
        *((9,), (32,), (64,), (128,)),
        small=(4,),
    ),
    _building(
        "PG(2,{0}), not proved",
        "build('pg:q={0}')",
        "designs.projective_plane({0}, check=False)",
        *((32,), (64,), (128,)),
        gap="PGPointFlatBlockDesign(2,{0},1)",
        small=(4,),
    ),
    _building(
        "PG(2,{0}) in coordinates",
        "proved('pg:q={0}')",
        "designs.DesarguesianProjectivePlaneDesign({0}, point_coordinates=True)",
        (25,),
        small=(4,),
    ),
    _building(
        "AG(2,{0})",
        "build('ag:q={0}')",
        "designs.AffineGeometryDesign(2, 1, GF({0}))",
        *((32,), (49,), (64,)),
        gap="AGPointFlatBlockDesign(2,{0},1)",
        small=(4,),
        target=HUNDREDTH,
    ),
    _building(
        "PG(3,{0}), points and planes",
        "build('pg:q={0},dim=3,flats=2')",
        "designs.ProjectiveGeometryDesign(3, 2, GF({0}))",
        (9,),
        gap="PGPointFlatBlockDesign(3,{0},2)",
        small=(2,),
    ),
    _building(
        "PG(3,{0}), points and lines",
        "build('pg:q={0},dim=3,flats=1')",
        "designs.ProjectiveGeometryDesign(3, 1, GF({0}))",
        (4,),
        gap="PGPointFlatBlockDesign(3,{0},1)",
        small=(2,),
    ),
    _building(
        "Hughes plane of order {1}",
        "proved('hughes-plane:q={0}')",
        "designs.HughesPlane(Integer({1}))",
        *((3, 9), (5, 25)),
        small=(3, 9),
    ),
    _building(
        "generalised quadrangle W(2)",
        "build('symplectic-quadrangle:q=2')",
        "designs.CremonaRichmondConfiguration()",
    ),
    _building(
        "generalised quadrangle H(3,{1})",
        "build('hermitian-quadrangle:q={0}')",
        "designs.generalised_quadrangle_hermitian_with_ovoid({0})[0]",
        *((3, 9), (4, 16)),
        small=(2, 4),
    ),
    _building(
        "dual of the generalised quadrangle H(3,{1})",
        "build('dual(hermitian-quadrangle:q={0})')",
        "designs.generalised_quadrangle_with_spread({0}, {1})[0]",
        (3, 9),
        small=(2, 4),
    ),
)

STEINER = (
    _building(
        "STS({0})",
        "proved('sts:points={0}')",
        "designs.steiner_triple_system({0})",
        *((301,), (601,), (999,)),
        small=(15,),
        target=TWENTIETH,
    ),
    _building(
        "KTS({0})",
        "proved('kts:points={0}')",
        "designs.kirkman_triple_system({0})",
        *((99,), (303,)),
        small=(15,),
    ),
    _building(
        "SQS({0})",
        "build('sqs:points={0}')",
        "designs.steiner_quadruple_system({0})",
        (100,),
        small=(14,),
    ),
    _building(
        "({0},4,1)",
        "bibd({0}, 4)",
        "designs.balanced_incomplete_block_design({0}, 4)",
        *((73,), (1000,)),
        small=(40,),
    ),
    _building(
        "({0},5,1)",
        "bibd({0}, 5)",
        "designs.balanced_incomplete_block_design({0}, 5)",
        (1001,),
        small=(41,),
    ),
    _building(
        "({0},4,1), resolvable",
        "bibd({0}, 4)",
        "designs.resolvable_balanced_incomplete_block_design({0}, 4)",
        (52,),
        small=(28,),
    ),
    _building(
        "biplane with {0} points",
        "bibd({0}, {1}, 2)",
        "designs.biplane({2})",
        (56, 11, 9),
        small=(16, 6, 4),
    ),
    _building(
        "S(5,8,24)", "build('witt:points=24')", "designs.WittDesign(24)", gap="WittDesign(24)"
    ),
)

ARRAYS = (
    _building(
        "Hadamard matrix of order {0}",
        "hadamard_matrix({0})",
        "hadamard_matrix({0})",
        *((428,), (1024,)),
        small=(12,),
    ),
    _building(
        "Hadamard 2-design with {0} points",
        "proved('hadamard:order={1}')",
        "designs.HadamardDesign({0})",
        *((103, 104), (199, 200)),
        small=(11, 12),
    ),
    _building(
        "Hadamard 3-design with {0} points",
        "build('hadamard-three:order={0}')",
        "designs.Hadamard3Design({0})",
        *((104,), (200,)),
        small=(12,),
    ),
    _building(
        "{1} orthogonal Latin squares of side {0}",
        "len(orthogonal_latin_squares({0}, {1}))",
        "len(designs.mutually_orthogonal_latin_squares({1}, {0}))",
        *((20, 3), (49, 8)),
        small=(5, 2),
    ),
    _building(
        "transversal design, {0} groups of {1}",
        "build('transversal:groups={0},side={1}')",
        "designs.transversal_design({0}, {1})",
        *((5, 20), (8, 49)),
        small=(4, 5),
    ),
    _building(
        "orthogonal array, {0} columns and {1} levels",
        "len(orthogonal_array({1} ** 2, {0}, {1}))",
        "len(designs.orthogonal_arrays.build({0}, {1}))",
        *((6, 35), (8, 49)),
        small=(4, 5),
    ),
)


def _operation(subject: str, ours: str, sage: str, target: float) -> Case:
    """Return a case in which something is done to PG(2,32), which is there beforehand."""
    return Case(
        subject,
        Task(ours, "bare('pg:q={0}')"),
        Task(sage, "designs.projective_plane({0})"),
        values=((32,),),
        small=(4,),
        target=target,
    )


OPERATIONS = (
    _operation("dual of PG(2,{0})", "dual(x)", "x.dual()", HUNDREDTH),
    _operation("complement of PG(2,{0})", "complement(x)", "x.complement()", HUNDREDTH),
    _operation(
        "λ of PG(2,{0}), pairs counted from the blocks",
        "pair_count_range(x)[1]",
        "x.is_t_design(t=2, return_parameters=True)[1][3]",
        NEVER_SLOWER,
    ),
)

_ISOMORPHISM = Case(
    "PG(2,{0}) isomorphic to a renamed copy",
    Task("isomorphism(*x) is not None", "blocks_of(one), blocks_of(other)"),
    Task("x[0].is_isomorphic(x[1])", "[IncidenceStructure(v, b) for b in (one, other)]"),
    Task("IsIsomorphicBlockDesign(x[1], x[2])", "[BlockDesign(v, one), BlockDesign(v, other)]"),
    values=((8,),),
    small=(4,),
    target=None,
    renamed=True,
)
SYMMETRY = (
    Case(
        "order of the group of PG(2,{0})",
        Task("automorphism_group(x).order", "blocks_of(one)"),
        Task("x.automorphism_group().order()", "IncidenceStructure(v, one)"),
        Task("Size(AutomorphismGroup(x))", "BlockDesign(v, one)"),
        values=((9,), (16,), (25,)),
        small=(4,),
        target=None,
        renamed=True,
    ),
    _ISOMORPHISM,
    replace(_ISOMORPHISM, gap=None, values=((16,),)),
)

CASES = (*GEOMETRIES, *STEINER, *ARRAYS, *OPERATIONS, *SYMMETRY)
