"""The integer program of S*(η) as MPS, LP or OPB text, for any other solver to repeat."""

from __future__ import annotations

from typing import Literal

from gcdesign.adversary.asked import check_eta
from gcdesign.codes import Placement
from gcdesign.errors import InputError


def write_program(
    placement: Placement,
    eta: int,
    format_: Literal["mps", "lp", "opb"],
    *,
    workers: int | None = None,
) -> str:
    """Return min Σ y_w subject to Σ x_j ≥ η and y_w ≥ x_j for each incidence, all binary.

    Variable ``x3`` says that part 3 is lost, ``y7`` that worker 7 is silenced; in OPB, which
    numbers its variables, part j is ``x{j+1}`` and worker w is ``x{K+w+1}``.

    Parameters
    ----------
    placement
        Who holds what.
    eta
        Number of parts to lose, 0 ≤ η ≤ K.
    format_
        ``"mps"`` (free MPS), ``"lp"`` (CPLEX LP) or ``"opb"`` (pseudo-Boolean).
    workers
        With it the objective gives way to Σ y_w ≤ ``workers``: the claim S*(η) ≤ ``workers``,
        which a solver refutes to prove that S* is greater.

    Raises
    ------
    InputError
        If η or the number of workers is out of range.

    Notes
    -----
    Source: the integer program of Kadhe, Koyluoglu, Ramchandran 2019 for S*(η).

    Examples
    --------
    >>> from gcdesign.designs import build, parse_spec
    >>> placement = Placement(build(parse_spec("uncoded:workers=2")))
    >>> text = write_program(placement, 1, "lp")
    >>> [line.strip() for line in text.splitlines() if ">=" in line]
    ['lost: +1 x0 +1 x1  >= 1', 'w0_p0: -1 x0 +1 y0  >= 0', 'w1_p1: -1 x1 +1 y1  >= 0']
    >>> print(write_program(placement, 1, "opb", workers=0), end="")
    * #variable= 4 #constraint= 4
    +1 x1 +1 x2 >= 1 ;
    -1 x3 -1 x4 >= 0 ;
    -1 x1 +1 x3 >= 0 ;
    -1 x2 +1 x4 >= 0 ;
    """
    check_eta(placement, eta)
    if workers is not None and not 0 <= workers <= placement.workers:
        raise InputError(f"workers={workers}; expected 0 to N={placement.workers}")
    if format_ == "opb":
        return _opb(placement, eta, workers)
    from ortools.linear_solver.python import model_builder

    model = model_builder.Model()  # type: ignore[no-untyped-call]
    model.name = "Sstar"
    lost = [model.new_bool_var(f"x{j}") for j in range(placement.parts)]
    silenced = [model.new_bool_var(f"y{w}") for w in range(placement.workers)]
    model.add(sum(lost) >= eta, name="lost")
    for worker, y in enumerate(silenced):
        for part in placement.design.block(worker).tolist():
            model.add(y - lost[part] >= 0, name=f"w{worker}_p{part}")
    if workers is None:
        model.minimize(sum(silenced))
    else:
        model.add(sum(silenced) <= workers, name="silenced")
    text: str = model.export_to_mps_string() if format_ == "mps" else model.export_to_lp_string()
    return text


def _opb(placement: Placement, eta: int, workers: int | None) -> str:
    """Return the program in the format of the pseudo-Boolean competitions."""
    lost = [f"x{j + 1}" for j in range(placement.parts)]
    silenced = [f"x{placement.parts + w + 1}" for w in range(placement.workers)]
    lines = [f"{' '.join(f'+1 {x}' for x in lost)} >= {eta} ;"] if lost else []
    if workers is not None and silenced:
        lines.append(f"{' '.join(f'-1 {y}' for y in silenced)} >= {-workers} ;")
    for worker, y in enumerate(silenced):
        for part in placement.design.block(worker).tolist():
            lines.append(f"-1 {lost[part]} +1 {y} >= 0 ;")
    head = [f"* #variable= {len(lost) + len(silenced)} #constraint= {len(lines)}"]
    if workers is None and silenced:
        head.append(f"min: {' '.join(f'+1 {y}' for y in silenced)} ;")
    return "\n".join([*head, *lines]) + "\n"
