"""Write the man pages in ``man``, from what the commands declare. Run it after changing help.

Usage: python scripts/make_man_pages.py
"""

from __future__ import annotations

from pathlib import Path

import gcdesign
from gcdesign.cli.main import cli
from gcdesign.cli.manual import man_page, pages
from gcdesign.cli.page import PageGroup

FOLDER = Path(__file__).parents[1] / "man"


def written() -> dict[str, str]:
    """Return the text of every page, by the name of its file."""
    assert isinstance(cli, PageGroup)
    return {
        "-".join(("gcdesign", *words)) + ".1": man_page(
            words, command, version=gcdesign.__version__
        )
        for words, command in pages(cli)
    }


def main() -> None:
    """Write them, and remove those of commands that are gone."""
    FOLDER.mkdir(exist_ok=True)
    texts = written()
    for path in FOLDER.glob("*.1"):
        if path.name not in texts:
            path.unlink()
    for name, text in texts.items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    print(f"{len(texts)} pages in {FOLDER}")


if __name__ == "__main__":
    main()
