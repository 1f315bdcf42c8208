"""Write the table of base blocks that comes with gcdesign.

    python scripts/make_base_blocks.py FINDS …

Each file of finds holds lines in the form of `gcdesign.designs.base_block_table`, as a search
prints them; lines of the stored table are kept. Every design is developed and all its pairs of
points are counted before it is written. Of several for the same parameters the one with the
fewest points in base blocks stays.
"""

from __future__ import annotations

import sys
from pathlib import Path

from gcdesign.designs.base_block_table import HEADER, Key, read_line, read_table, written
from gcdesign.designs.base_blocks import BaseBlocks
from gcdesign.designs.counting import pair_count_range
from gcdesign.designs.design import DesignParameters

TABLE = Path(__file__).parents[1] / "gcdesign" / "designs" / "data" / "base_blocks.txt"

Row = tuple[Key, BaseBlocks, str]


def checked(row: Row) -> Row:
    """Return a row of the table if its blocks are the design; refuse it otherwise."""
    (v, k, lambda_), family, _ = row
    design = family.design()
    b = lambda_ * v * (v - 1) // (k * (k - 1))
    r = lambda_ * (v - 1) // (k - 1)
    right = DesignParameters(v, b, r, k, lambda_)
    if design.parameters != right or pair_count_range(design) != (lambda_, lambda_):
        raise SystemExit(f"{row[0]}: the blocks have parameters {design.parameters}, not {right}")
    if family.coverage().lambda_ != lambda_:
        raise SystemExit(f"{row[0]}: the differences do not prove the design")
    return row


def cost(row: Row) -> tuple[int, int]:
    """Return the number of points in base blocks, and the copies of the group."""
    return sum(map(len, row[1].blocks)), row[1].action.copies


def main(files: list[str]) -> None:
    """Merge the stored table with files of finds and write it back."""
    rows = read_table(TABLE.read_text(encoding="utf-8")) if TABLE.exists() else []
    for name in files:
        lines = Path(name).read_text(encoding="utf-8").splitlines()
        rows += [read_line(line) for line in lines if line.strip() and not line.startswith("#")]
    best: dict[Key, Row] = {}
    for row in rows:
        if row[0] not in best or cost(row) < cost(best[row[0]]):
            best[row[0]] = row
    text = "\n".join([HEADER, *(written(*checked(best[key])) for key in sorted(best))])
    TABLE.write_text(text + "\n", encoding="utf-8")
    print(f"{len(best)} designs in {TABLE.name}")


if __name__ == "__main__":
    main(sys.argv[1:])
