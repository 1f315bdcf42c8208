"""How Sphinx makes the documentation site of this folder.

``python -m sphinx -W --keep-going -n -b html docs docs/_build/html``
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE / "_site"), str(HERE.parent / "scripts")]

import docstrings  # noqa: E402
from docutils import nodes  # noqa: E402
from generate import source_read, write_pages  # noqa: E402
from names import public_names  # noqa: E402
from sphinx.domains.python import PyObject  # noqa: E402

from gcdesign import __version__  # noqa: E402

project = "gcdesign"
author = "the gcdesign authors"
project_copyright = author
version = release = __version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx_copybutton",
    "sphinx_gallery.gen_gallery",
    "sphinxcontrib.bibtex",
]
exclude_patterns = ["_build", "_site", "_static", "gallery/GALLERY_HEADER.rst"]
nitpicky = True

html_theme = "furo"
html_title = f"gcdesign {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False

myst_heading_anchors = 4
bibtex_bibfiles = ["references.bib"]

toc_object_entries_show_parents = "hide"
default_role = "py:obj"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
python_maximum_signature_line_length = 88

copybutton_exclude = ".linenos, .gp, .go"

sphinx_gallery_conf = {
    "examples_dirs": "../examples/gallery",
    "gallery_dirs": "gallery",
    "filename_pattern": r"\.py$",
    "image_scrapers": ("scraper.scrape",),
    "reset_modules": (),
    "remove_config_comments": True,
    "show_memory": False,
    "min_reported_time": 1_000,
    "download_all_examples": False,
    "show_signature": False,
    "abort_on_example_error": True,
}


def find_name(app: Any, env: Any, node: Any, contnode: Any) -> Any:
    """Link a name to where it is documented; see `names`."""
    if node.get("refdomain") != "py":
        return None
    objects = env.domains["py"].objects
    names = public_names(frozenset(name for name, one in objects.items() if not one.aliased))
    target, module = node["reftarget"], node.get("py:module")
    public = names.page_of(target, module)
    if public is not None:
        one = objects[public]
        where = app.builder.get_relative_uri(node["refdoc"], one.docname) + "#" + one.node_id
        return nodes.reference("", "", contnode, refuri=where, internal=True, reftitle=public)
    known = names.exists(target, module, node.get("py:class"))
    return contnode if known else None


def setup(app: Any) -> None:
    """Connect what is made when the site is built."""
    for kind in PyObject.doc_field_types:
        if kind.name == "variable":
            kind.label = "Attributes"
    app.connect("builder-inited", lambda _: write_pages())
    app.connect("source-read", source_read)
    app.connect("autodoc-process-docstring", docstrings.read)
    app.connect("autodoc-process-signature", docstrings.signature)
    app.connect("missing-reference", find_name)
