"""How the gallery finds pictures: every new `Figure` that a script binds to a name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gcdesign.figures import render


def scrape(block: Any, block_vars: dict[str, Any], gallery_conf: dict[str, Any]) -> str:
    """Write the figures that a block of a script made, and return the lines that show them."""
    from matplotlib.figure import Figure
    from sphinx_gallery.scrapers import figure_rst

    shown: list[Any] = block_vars.setdefault("shown", [])
    paths = []
    for value in block_vars["example_globals"].values():
        if isinstance(value, Figure) and not any(value is one for one in shown):
            shown.append(value)
            path = Path(next(block_vars["image_path_iterator"]))
            path.write_bytes(render(value, "png"))
            paths.append(str(path))
    return str(figure_rst(paths, gallery_conf["src_dir"]))
