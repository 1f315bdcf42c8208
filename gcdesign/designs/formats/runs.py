"""Files of orthogonal and covering arrays: a row for each run, levels from 0."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Literal

from gcdesign.designs.tuples import Array


def write_runs(
    rows: Array,
    form: Literal["csv", "json"],
    *,
    kind: str,
    levels: Sequence[int],
    strength: int,
) -> bytes:
    r"""Return the file of an array.

    Parameters
    ----------
    rows
        Shape (runs, columns).
    form
        ``"csv"``, levels alone; or ``"json"``, schema ``gcdesign.array/1``, with what it is.
    kind
        ``"orthogonal"`` or ``"covering"``.
    levels
        How many levels each column has.
    strength
        How many columns are looked at together.

    Examples
    --------
    >>> import numpy as np
    >>> write_runs(np.array([[0, 1], [1, 0]]), "csv", kind="covering", levels=(2, 2), strength=2)
    b'0,1\n1,0\n'
    """
    if form == "csv":
        return "".join(f"{','.join(map(str, row))}\n" for row in rows.tolist()).encode()
    about = {
        "schema": "gcdesign.array/1",
        "kind": kind,
        "factors": len(levels),
        "levels": list(levels),
        "strength": strength,
    }
    head = json.dumps(about, indent=1).removesuffix("\n}")
    runs = ",\n  ".join(json.dumps(row) for row in rows.tolist())
    return f'{head},\n "runs": [\n  {runs}\n ]\n}}\n'.encode()
