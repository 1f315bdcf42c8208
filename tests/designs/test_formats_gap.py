"""GAP's DESIGN package as an independent reader of the files that are written."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from gcdesign.designs import BlockDesign, affine_geometry, projective_geometry
from gcdesign.designs.formats import encode

# GAP counts points from 1. It reads the file by itself and prints what it understood.
SCRIPT = """
if LoadPackage("design") <> true then Print("no design package\\n"); QUIT_GAP(); fi;
SizeScreen([4096, 24]);
lines := Filtered(SplitString(StringFile("{path}"), "\\n"), line -> line[1] <> '#');
blocks := List(lines, line -> List(SplitString(line, " "), Int) + 1);
D := BlockDesign({v}, blocks);
Print("@blocks ", D.blocks, "\\n");
Print("@lambdas ", AllTDesignLambdas(D), "\\n");
Print("@structure ", TSubsetStructure(D, 2).lambdas, "\\n");
Print("@group ", Size(AutomorphismGroup(D)), "\\n");
QUIT;
"""


def gap(design: BlockDesign, folder: Path) -> dict[str, object]:
    """Return what GAP finds in the list of blocks of a design."""
    program = shutil.which("gap")
    if program is None:
        pytest.skip("GAP is not installed (Debian: gap-core gap-design)")
    path, script = folder / "x.blocks", folder / "x.g"
    path.write_bytes(encode(design, "blocks"))
    script.write_text(SCRIPT.format(path=path, v=design.v))
    done = subprocess.run(
        [program, "-q", "-A", "-r", str(script)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    if "no design package" in done.stdout:
        pytest.skip("the GAP package design is not installed (Debian: gap-design)")
    answers = "".join(done.stdout.split()).split("@")[1:]  # GAP breaks long lines
    found = {}
    for name in ("blocks", "lambdas", "structure", "group"):
        text = next(answer for answer in answers if answer.startswith(name))
        found[name] = json.loads(text.removeprefix(name))
    return found


@pytest.mark.parametrize(
    ("design", "lambdas", "group"),
    [
        (projective_geometry(5), [31, 6, 1], 372_000),
        (affine_geometry(3), [12, 4, 1], 432),
    ],
    ids=["PG(2,5)", "AG(2,3)"],
)
def test_gap_finds_the_same_design(
    design: BlockDesign, lambdas: list[int], group: int, tmp_path: Path
) -> None:
    found = gap(design, tmp_path)
    assert found["blocks"] == sorted([p + 1 for p in block] for block in design.blocks())
    assert found["lambdas"] == lambdas
    assert found["structure"] == lambdas[2:]
    assert found["group"] == group
