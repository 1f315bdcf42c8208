"""Check an installed gcdesign as a newcomer meets it: its commands, away from any checkout.

Run it with the Python of the environment, warnings are errors there:

    /somewhere/bin/python scripts/check_installed.py
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from importlib.metadata import distribution
from pathlib import Path

import gcdesign

COMMANDS = (
    "build pg --q 5",
    "attack --eta 3",
    "curve pg:q=3 ag:q=3 -o curve.svg",
    "draw pg:q=3 -o matrix.pdf",
    "report pg:q=2",
    "attack pg:q=3 --profile --certificate pg3.cert.json",
    "verify pg3.cert.json",
    "formula pg",
    "doctor",
)
"""What is done in an empty folder, in this order, with warnings as errors."""


def run(arguments: list[str], folder: Path) -> str:
    """Run gcdesign; return what it printed, or raise `SystemExit` that says what went wrong."""
    command = [sys.executable, "-W", "error", "-m", "gcdesign", *arguments]
    answer = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    shown = f"gcdesign {' '.join(arguments)}"
    if answer.returncode or "Warning" in answer.stderr or "Traceback" in answer.stderr:
        raise SystemExit(f"{shown}: exit code {answer.returncode}\n{answer.stdout}{answer.stderr}")
    print(f"ok: {shown}")
    return answer.stdout


def main() -> None:
    """Run the commands, and the help of all others; look at where they came from."""
    checkout = Path(__file__).resolve().parents[1]
    if checkout in Path(gcdesign.__file__).resolve().parents and ".venv" not in gcdesign.__file__:
        raise SystemExit(f"{gcdesign.__file__} is the checkout, not an installed package")
    from gcdesign.cli.main import COMMANDS as NAMES

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for command in COMMANDS:
            printed = run(command.split(), folder)
            if command == "attack --eta 3":
                assert printed.startswith("S*(3) = 15   exact"), printed
        for command in ("", *NAMES):
            run([*command.split(), "--help"], folder)
    pages = [file for file in distribution("gcdesign").files or [] if file.suffix == ".1"]
    assert len(pages) > len(NAMES), "the man pages are not installed"
    print(f"gcdesign {gcdesign.__version__} on Python {sys.version.split()[0]}: all in order")


if __name__ == "__main__":
    main()
