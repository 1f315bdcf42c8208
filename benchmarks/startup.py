"""CPU time of whole commands, against the bare import of the libraries that they need.

Each pair is the installed console script and a ``python -c`` of the same environment.
"""

from __future__ import annotations

import sys
import sysconfig
import tempfile
from functools import partial
from pathlib import Path

from measuring import Row, alternate, print_rows, process_cpu, row

SAMPLES = 21
SOLVER = "import click, numpy, scipy.sparse; from ortools.sat.python import cp_model"

CASES = (
    ("--help", "import click", 1.5),
    ("build pg --q 5 --force", "import click, numpy", 1.4),
    ("build pg --q 9 --force", "import click, numpy", 1.4),
    ("attack pg:q=5 --eta 3", SOLVER, 1.5),
)
"""Arguments of gcdesign, the imports they are held against, and the greatest ratio aimed at."""


def console_script() -> str:
    """Return the path of the installed ``gcdesign`` of this environment.

    Raises
    ------
    FileNotFoundError
        If gcdesign is not installed here.
    """
    script = Path(sysconfig.get_path("scripts")) / "gcdesign"
    if not script.exists():
        raise FileNotFoundError(f"no gcdesign beside {sys.executable}: pip install -e . first")
    return str(script)


def measure(samples: int = SAMPLES) -> list[Row]:
    """Measure all commands; what they build goes to a temporary folder."""
    script = console_script()
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for arguments, imports, target in CASES:
            ours = [script, *arguments.split()]
            theirs = [sys.executable, "-c", imports]
            pairs = alternate(
                partial(process_cpu, ours, folder=folder),
                partial(process_cpu, theirs, folder=folder),
                samples=samples,
            )
            shown = arguments.removesuffix(" --force")
            rows.append(
                row(
                    "start-up",
                    f"`gcdesign {shown}`",
                    f'`python -c "{imports}"`',
                    "ms CPU",
                    pairs,
                    target=target,
                )
            )
            print_rows(rows[-1:])
    return rows


if __name__ == "__main__":
    measure()
