"""CPU time of whole commands, against bare imports, and against the bare interpreter.

Each pair is the installed console script and a ``python -c`` of the same environment. The light
commands are held against the import of the libraries that they need; then every command, with a
question of the smallest kind, against an interpreter that does nothing.
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


SMALLEST = (
    "build pg --q 2 --force",
    "design 7 3",
    "catalogue --max-v 10",
    "families pg",
    "transform dual pg:q=2 --force",
    "info pg:q=2",
    "check pg:q=2",
    "group pg:q=2",
    "isomorphic pg:q=2 sts:points=7",
    "resolve ag:q=3",
    "sets pg:q=2 --arc 2",
    "extend pg:q=2",
    "draw pg:q=2 -o plane.svg --force",
    "export pg:q=2 -o plane.mtx --force",
    "attack pg:q=2 --eta 3 --certificate plane.cert.json --force",
    "verify plane.cert.json",
    "decode pg:q=2 --silenced 0",
    "curve pg:q=2",
    "formula pg",
    "recommend --workers 7 --load 3 --stragglers 2",
    "report pg:q=2 -o plane.html --force",
    "ldgm evolve --variable-degree 3 --generator-degrees 0.5x+0.5x^2 --mu 2",
    "berrut bound --parts 4 --workers 10 --returned 0,3,4,9",
    "simulate --scheme cyclic --stragglers 1 --steps 2",
    "train --help",
    "trace show times.csv",
    "reproduce",
    "doctor",
    "completion bash",
)
"""A small question for each command; ``train`` needs more than a process."""

COMMAND_SAMPLES = 3
TRACE = "step,worker,time\n0,0,1.0\n0,1,2.0\n"


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


def compared(
    arguments: str, reference: str, folder: Path, samples: int, target: float | None = None
) -> Row:
    """Measure one command against ``python -c`` with some statement."""
    ours = [console_script(), *arguments.split()]
    theirs = [sys.executable, "-c", reference]
    pairs = alternate(
        partial(process_cpu, ours, folder=folder),
        partial(process_cpu, theirs, folder=folder),
        samples=samples,
    )
    shown = arguments.removesuffix(" --force")
    subject, against = f"`gcdesign {shown}`", f'`python -c "{reference}"`'
    line = row("startup", subject, against, "ms CPU", pairs, target=target)
    print_rows([line])
    return line


def print_left_out() -> None:
    """Print which commands have no question here."""
    from gcdesign.cli.main import COMMANDS

    left = sorted(set(COMMANDS) - {question.split()[0] for question in SMALLEST})
    if left:
        print(f"startup: no question for {', '.join(left)}", flush=True)


def measure(samples: int = SAMPLES) -> list[Row]:
    """Measure all commands; what they write goes to a temporary folder."""
    print_left_out()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "times.csv").write_text(TRACE)
        rows = [
            compared(arguments, imports, folder, samples, target)
            for arguments, imports, target in CASES
        ]
        return rows + [
            compared(arguments, "pass", folder, COMMAND_SAMPLES) for arguments in SMALLEST
        ]


if __name__ == "__main__":
    measure()
