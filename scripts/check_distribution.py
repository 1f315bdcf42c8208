"""Check a built sdist and wheel: what is in them, what must not be, and what they say.

Usage: python -m build && python scripts/check_distribution.py dist
"""

from __future__ import annotations

import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from email.message import Message
from email.parser import BytesParser
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).parents[1]
LARGEST = {".whl": 3_000_000, ".gz": 6_000_000}
"""Bytes; a larger file means that something came in by mistake."""

DOCUMENTS = (
    "LICENSE",
    "README.md",
    "CHANGELOG.md",
    "CITATION.cff",
    "CONTRIBUTING.md",
    "SECURITY.md",
)
ROOMS = ("gcdesign", "man", "tests", "docs", "examples", "benchmarks", "scripts", "changelog.d")
STRAY = {".pyc", ".pyo", ".so", ".orig", ".rej", ".swp", ".nbi", ".nbc", ".log"}
STRAY_FOLDERS = {"__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".venv", "dist"}


def package_files() -> set[str]:
    """Return the files that belong to the package, as a source checkout has them."""
    return {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "gcdesign").rglob("*")
        if path.is_file() and not is_stray(path.relative_to(ROOT).as_posix())
    }


def is_stray(name: str) -> bool:
    """Whether this is a file that no distribution should hold."""
    path = PurePosixPath(name)
    return path.suffix in STRAY or bool(STRAY_FOLDERS & set(path.parts))


def wheel_problems(path: Path, project: dict[str, object]) -> Iterator[str]:
    """Yield what is wrong with a wheel."""
    with zipfile.ZipFile(path) as wheel:
        names = [name for name in wheel.namelist() if not name.endswith("/")]
        about = f"gcdesign-{project['version']}"
        metadata = BytesParser().parsebytes(wheel.read(f"{about}.dist-info/METADATA"))
        scripts = wheel.read(f"{about}.dist-info/entry_points.txt").decode()
    pages = {f"{about}.data/data/share/man/man1/{page.name}" for page in (ROOT / "man").iterdir()}
    records = {
        f"{about}.dist-info/{name}"
        for name in ("METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE")
    }
    expected = package_files() | pages | records
    yield from (f"missing: {name}" for name in sorted(expected - set(names)))
    yield from (f"stray: {name}" for name in sorted(set(names) - expected))
    if "gcdesign/py.typed" not in names:
        yield "missing: gcdesign/py.typed, so its types are ignored"
    if "gcdesign = gcdesign.cli:main" not in scripts:
        yield "entry_points.txt: the command gcdesign is not declared"
    yield from metadata_problems(metadata, project)


def sdist_problems(path: Path, project: dict[str, object]) -> Iterator[str]:
    """Yield what is wrong with an sdist."""
    top = f"gcdesign-{project['version']}/"
    with tarfile.open(path) as sdist:
        members = {one.name: one for one in sdist.getmembers() if one.isfile()}
        information = sdist.extractfile(f"{top}PKG-INFO")
        assert information is not None
        metadata = BytesParser().parsebytes(information.read())
    names = {name.removeprefix(top) for name in members}
    yield from (f"outside {top}: {name}" for name in members if not name.startswith(top))
    yield from (f"missing: {name}" for name in sorted(package_files() - names))
    yield from (f"missing: {name}" for name in DOCUMENTS if name not in names)
    for room in ROOMS:
        if not any(name.startswith(f"{room}/") for name in names):
            yield f"missing: all of {room}"
    yield from (f"stray: {name}" for name in sorted(filter(is_stray, names)))
    yield from metadata_problems(metadata, project)


def metadata_problems(metadata: Message, project: dict[str, object]) -> Iterator[str]:
    """Yield where the metadata differ from pyproject.toml, or say too little."""
    wanted = {
        "Name": project["name"],
        "Version": project["version"],
        "Summary": project["description"],
        "License-Expression": project["license"],
        "Requires-Python": project["requires-python"],
    }
    for key, value in wanted.items():
        if metadata[key] != value:
            yield f"metadata: {key} is {metadata[key]!r}, not {value!r}"
    if "# gcdesign" not in str(metadata.get_payload()):
        yield "metadata: the README is not the description"
    if len(metadata.get_all("Requires-Dist") or []) < len(list(project["dependencies"])):  # type: ignore[call-overload]
        yield "metadata: a dependency is missing"


def version_problems(version: str) -> Iterator[str]:
    """Yield the files whose version is another than pyproject.toml's."""
    places = {
        "CITATION.cff": f"\nversion: {version}\n",
        "man/gcdesign.1": f'"gcdesign {version}"',
    }
    for name, text in places.items():
        if text not in (ROOT / name).read_text(encoding="utf-8"):
            yield f"{name}: its version is not {version}"


def problems(folder: Path) -> Iterator[str]:
    """Yield all that is wrong with what was built into a folder."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    yield from version_problems(project["version"])
    checks = {".whl": wheel_problems, ".gz": sdist_problems}
    for suffix, check in checks.items():
        found = sorted(folder.glob(f"*{suffix}"))
        if len(found) != 1:
            yield f"{folder}: {len(found)} files end in {suffix}; expected one"
            continue
        size = found[0].stat().st_size
        print(f"{found[0].name}: {size} bytes")
        if size > LARGEST[suffix]:
            yield f"{found[0].name}: more than {LARGEST[suffix]} bytes"
        yield from (f"{found[0].name}: {one}" for one in check(found[0], project))


def main() -> int:
    """Print what is wrong; the exit code is 1 if something is."""
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    found = list(problems(Path(sys.argv[1])))
    for problem in found:
        print(problem)
    print("all in order" if not found else f"{len(found)} problems")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
