"""The programs that gcdesign is held against: each in an environment of its own.

``python benchmarks/peers.py install`` makes a virtual environment for each, in the folder that
``--folder`` or the variable ``GCDESIGN_PEERS`` names, or else in the user's cache directory;
``python benchmarks/peers.py`` lists what is there. GAP comes with the system (Debian: ``gap-core``
and ``gap-design``). What is missing is left out of the benchmarks, and the page says so.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

VARIABLE = "GCDESIGN_PEERS"
SCRIPT = "python benchmarks/peers.py install"


@dataclass(frozen=True)
class Peer:
    """A program with an environment of its own.

    Attributes
    ----------
    label
        What it is called in the tables.
    packages
        What pip is asked for; the first one's version is the program's.
    size
        Megabytes on disk, roughly.
    """

    label: str
    packages: tuple[str, ...]
    size: int


PEERS = {
    "sage": Peer(
        "SageMath",
        (
            "passagemath-graphs",
            "passagemath-combinat",
            "passagemath-groups",
            "passagemath-gap",
            "passagemath-bliss",
            "passagemath-schemes",
            "networkx",
        ),
        2800,
    ),
    "highs": Peer("HiGHS", ("highspy",), 120),
    "scip": Peer("SCIP", ("pyscipopt",), 130),
    "gurobi": Peer("Gurobi", ("gurobipy",), 100),
}

GAP = "GAP"
VERSIONS_OF_GAP = """
Print(GAPInfo.Version, " ", InstalledPackageVersion("design"), "\\n");
QUIT;
"""


def folder() -> Path:
    """Return the folder of the environments."""
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named).expanduser()
    cache = os.environ.get("XDG_CACHE_HOME")
    return (Path(cache) if cache else Path.home() / ".cache") / "gcdesign-peers"


def python_of(name: str) -> Path:
    """Return the interpreter of a peer, whether or not it is there."""
    return folder() / name / "bin" / "python"


def version_of(name: str) -> str | None:
    """Return the version of a peer, or None where it is not installed."""
    package = PEERS[name].packages[0].replace("-", "_")
    found = sorted((folder() / name).glob(f"lib/python*/site-packages/{package}-*.dist-info"))
    return found[-1].name.removesuffix(".dist-info").rpartition("-")[2] if found else None


def gap_version() -> str | None:
    """Return GAP's version with its DESIGN package's, or None where one is missing."""
    if shutil.which("gap") is None:
        return None
    done = subprocess.run(
        ["gap", "-q", "-A"], input=VERSIONS_OF_GAP, stdout=subprocess.PIPE, text=True, check=True
    )
    version, _, design = done.stdout.strip().partition(" ")
    return None if design == "fail" else f"{version} with DESIGN {design}"


def versions() -> dict[str, str | None]:
    """Return the versions of all peers, None for those that are missing."""
    found = {peer.label: version_of(name) for name, peer in PEERS.items()}
    return {**found, GAP: gap_version()}


def is_missing(name: str) -> bool:
    """Whether a peer is missing; says so on standard output if it is."""
    missing = (gap_version() if name == "gap" else version_of(name)) is None
    if missing:
        print(f"{name}: not installed, nothing to compare with; {hint(name)}", flush=True)
    return missing


def hint(name: str) -> str:
    """Return how to install a peer."""
    if name == "gap":
        return "install GAP with its DESIGN package (Debian: gap-core, gap-design)"
    return f"{SCRIPT} {name}"


def install(names: Sequence[str]) -> None:
    """Make the environments of some peers, with the newest versions that pip finds."""
    for name in names:
        peer, home = PEERS[name], folder() / name
        print(f"{peer.label}: about {peer.size:,} MB in {home}", flush=True)
        if not python_of(name).exists():
            venv.create(home, with_pip=True, symlinks=True)
        command = [str(python_of(name)), "-m", "pip", "install", "--quiet", "--upgrade"]
        subprocess.run([*command, *peer.packages], check=True)


def main() -> None:
    """Read the options and do what they say."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("action", nargs="?", choices=("install", "list"), default="list")
    parser.add_argument("names", nargs="*", metavar="PEER", help=f"{', '.join(PEERS)}; all")
    parser.add_argument("--folder", help=f"where the environments are (else ${VARIABLE})")
    options = parser.parse_args()
    if options.folder:
        os.environ[VARIABLE] = options.folder
    unknown = sorted(set(options.names) - set(PEERS))
    if unknown:
        parser.error(f"no peer is called {unknown[0]!r}; expected: {', '.join(PEERS)}")
    if options.action == "install":
        try:
            install(options.names or list(PEERS))
        except subprocess.CalledProcessError:
            sys.exit("pip could not install it; what it said is above")
    for label, version in versions().items():
        print(f"{label}: {version or 'not installed'}")


if __name__ == "__main__":
    main()
