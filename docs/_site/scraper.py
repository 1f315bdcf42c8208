"""How the gallery finds pictures: every new `Figure` that a script binds to a name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from gcdesign.figures import render


def scrape(block: Any, block_vars: dict[str, Any], gallery_conf: dict[str, Any]) -> str:
    """Write the figures that a block of a script made, and return the lines that show them."""
    from sphinx_gallery.scrapers import figure_rst

    shown: list[Any] = block_vars.setdefault("shown", [])
    paths, words = [], []
    for value in block_vars["example_globals"].values():
        if isinstance(value, Figure) and not any(value is one for one in shown):
            shown.append(value)
            path = Path(next(block_vars["image_path_iterator"]))
            path.write_bytes(render(value, "png"))
            paths.append(str(path))
            words.append(_words(value))
    return str(figure_rst(paths, gallery_conf["src_dir"], "; ".join(words)))


def _words(figure: Figure) -> str:
    """Return what a figure shows, for those who do not see it: its titles and axes."""
    axes = [one for one in figure.axes if one.get_title(loc="left") or one.get_title()]
    titles = [one.get_title() or one.get_title(loc="left") for one in axes]
    named = [f"{one.get_ylabel()} against {one.get_xlabel()}" for one in figure.axes[:1]]
    return ", ".join(" ".join(text.split()) for text in [*titles, *named] if text != " against ")
