"""Every example in README, CONTRIBUTING and docs runs, and prints what the page shows."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

import pytest
import run_documents
from run_documents import ROOT, Block, blocks, is_guide, run_page, shows

FOLDERS = (".", "docs", "docs/howto", "docs/background", "docs/api")
"""Where pages are; the site has more of them, which are made when it is built."""

PAGES = sorted(page for folder in FOLDERS for page in (ROOT / folder).glob("*.md"))
WITH_CODE = [page for page in PAGES if re.search(r"^```(sh|python)$", page.read_text(), re.M)]


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.fixture
def environment(request: pytest.FixtureRequest, page: Path) -> Mapping[str, str]:
    """The environment of a page's commands: one with ``mpiexec``, where the page calls it."""
    plain = {key: value for key, value in os.environ.items() if "COLOR" not in key}
    if not is_guide(page) or "mpiexec" not in page.read_text("utf-8"):
        return {**plain, "OPENBLAS_NUM_THREADS": "1"}
    command, settings = request.getfixturevalue("mpi_command")(1)
    found: dict[str, str] = settings["env"]
    return {**found, "PATH": f"{Path(command[0]).parent}{os.pathsep}{found['PATH']}"}


@pytest.mark.parametrize("page", WITH_CODE, ids=name)
def test_the_examples_of_a_page(page: Path, environment: Mapping[str, str]) -> None:
    assert run_page(page, environment).complaints == []


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.M | re.S)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        file, _, anchor = target.partition("#")
        if file.startswith(("http:", "https:")):
            continue
        other = (page.parent / file).resolve() if file else page
        if other.parent == ROOT / "docs" / "gallery":  # made of a script when the site is built
            other = ROOT / "examples" / "gallery" / f"{other.stem}.py"
        assert other.exists(), target
        assert not anchor or anchor in anchors(other), target


def anchors(page: Path) -> set[str]:
    titles = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.M)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


def test_every_guide_is_in_a_list() -> None:
    for folder in ("howto", "background"):
        index = (ROOT / "docs" / folder / "index.md").read_text("utf-8")
        others = {page.name for page in (ROOT / "docs" / folder).glob("*.md")} - {"index.md"}
        assert others == set(re.findall(r"\]\(([\w-]+\.md)\)", index))
    readme = (ROOT / "README.md").read_text("utf-8")
    for page in ("docs/tutorial.md", "docs/howto/index.md", "docs/background/index.md"):
        assert f"({page})" in readme


RIGHT = """
```sh
half=2
echo $((half + half))
```

prints

```text
4
```

<!-- file: one.txt -->
```csv
1
```

```python
from pathlib import Path
print(Path("one.txt").read_text() + "2")
# 1 2
x = 3
```

```text
…
2
```

```sh
echo "$half" && cat one.txt
```

```text
2
1
```

<!-- ci: needs a-program-that-nobody-has -->
```sh
a-program-that-nobody-has
```

```text
what it would print
```

```python
>>> x
3
```
"""


def complaints_about(text: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Run a text as a guide."""
    monkeypatch.setattr(run_documents, "is_guide", lambda _: True)
    page = folder / "page.md"
    page.write_text(text, encoding="utf-8")
    return run_page(page, os.environ).complaints


def test_a_right_page_passes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert complaints_about(RIGHT, tmp_path, monkeypatch) == []


@pytest.mark.parametrize(
    ("right", "wrong", "line"),
    [
        ("\n4\n", "\n5\n", 10),
        ("# 1 2", "# 1 3", 21),
        ("…\n2", "…\n3", 26),
        ('"$half" &&', '"$half" && false &&', 31),
        (">>> x\n3", ">>> x\n4", 49),
        ("half=2\n", "", 9),
    ],
)
def test_what_is_wrong_is_told(
    right: str, wrong: str, line: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert right in RIGHT
    told = complaints_about(RIGHT.replace(right, wrong), tmp_path, monkeypatch)
    assert told
    assert told[0].startswith(f"page.md, line {line}: ")


def test_an_exception_is_not_swallowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ZeroDivisionError):
        complaints_about("```python\n1 / 0\n```\n", tmp_path, monkeypatch)


def test_blocks_and_what_they_show() -> None:
    found = blocks("a\n\n<!-- ci: skip -->\n```sh\nx\n```\n\n```text\ny\n```\n")
    assert found == [Block("sh", "x\n", 5, "ci: skip"), Block("text", "y\n", 9, "")]
    assert found[0].left_out(None)
    assert not Block("sh", "", 1, "ci: needs sh").left_out(None)
    assert shows("a  b in 0.01 s\n…\n", "a    b in 7.25 s\nc\nd\n")
    assert not shows("a\n…\n", "b\n")
    assert shows("a  …  2\n", "a     0.123  2\n")
    assert shows("in step …: dead\n", "in step 12: dead\n")
    assert not shows("in step …: dead\n", "in step 12; dead\n")
    assert not shows("a  …  2\n", "a  1  3  2\n")
