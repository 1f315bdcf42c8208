"""The integer program of S*(η) as MPS or LP text, for any other solver to repeat."""

from __future__ import annotations

from typing import Literal

from gcdesign.adversary.asked import check_eta
from gcdesign.codes import Placement


def write_program(placement: Placement, eta: int, format_: Literal["mps", "lp"]) -> str:
    """Return min Σ y_w subject to Σ x_j ≥ η and y_w ≥ x_j for each incidence, all binary.

    Variable ``x3`` says that part 3 is lost, ``y7`` that worker 7 is silenced.

    Parameters
    ----------
    placement
        Who holds what.
    eta
        Number of parts to lose, 0 ≤ η ≤ K.
    format_
        ``"mps"`` (free MPS) or ``"lp"`` (CPLEX LP).

    Raises
    ------
    InputError
        If η is out of range.

    Notes
    -----
    Source: the integer program of Kadhe, Koyluoglu, Ramchandran 2019 for S*(η).

    Examples
    --------
    >>> from gcdesign.designs import build, parse_spec
    >>> text = write_program(Placement(build(parse_spec("uncoded:workers=2"))), 1, "lp")
    >>> [line.strip() for line in text.splitlines() if ">=" in line]
    ['lost: +1 x0 +1 x1  >= 1', 'w0_p0: -1 x0 +1 y0  >= 0', 'w1_p1: -1 x1 +1 y1  >= 0']
    """
    check_eta(placement, eta)
    from ortools.linear_solver.python import model_builder

    model = model_builder.Model()  # type: ignore[no-untyped-call]
    model.name = "Sstar"
    lost = [model.new_bool_var(f"x{j}") for j in range(placement.parts)]
    silenced = [model.new_bool_var(f"y{w}") for w in range(placement.workers)]
    model.add(sum(lost) >= eta, name="lost")
    for worker, y in enumerate(silenced):
        for part in placement.design.block(worker).tolist():
            model.add(y - lost[part] >= 0, name=f"w{worker}_p{part}")
    model.minimize(sum(silenced))
    text: str = model.export_to_mps_string() if format_ == "mps" else model.export_to_lp_string()
    return text
