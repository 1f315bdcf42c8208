"""
Orbits of the automorphism group
================================

Permutations of parts and workers that map a placement to itself show which workers are alike. An
adversary need try only one of each orbit. The Hall plane of order nine is less symmetric than the
Desarguesian one: its points and lines are not all alike.
"""

import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure

from gcdesign.designs import build, label, parse_spec
from gcdesign.designs.symmetry import automorphism_group
from gcdesign.figures.style import OTHER_STYLES, paper_style

designs = [build(parse_spec(name)) for name in ("pg:q=9", "hall-plane:q=3")]
groups = [automorphism_group(design) for design in designs]
for design, group in zip(designs, groups, strict=True):
    orbits = np.unique(group.point_orbits, return_counts=True)[1].tolist()
    print(f"{label(design)}: {group.order} automorphisms, orbits of points {orbits}")

# %%
# The incidence matrices with points and lines sorted by orbit; a colour for each pair of orbits.

with paper_style():
    figure = Figure(figsize=(7, 3.7), layout="constrained")
    for place, (design, group) in enumerate(zip(designs, groups, strict=True), start=1):
        rows = np.argsort(group.block_orbits, kind="stable")
        columns = np.argsort(group.point_orbits, kind="stable")
        row_of = np.unique(group.block_orbits[rows], return_inverse=True)[1]
        column_of = np.unique(group.point_orbits[columns], return_inverse=True)[1]
        pairs = 1 + row_of[:, None] * (column_of.max() + 1) + column_of[None, :]
        shown = design.incidence.toarray()[np.ix_(rows, columns)] * pairs
        colours = ListedColormap(["white", *(style.colour for style in OTHER_STYLES)])
        axes = figure.add_subplot(1, 2, place)
        axes.imshow(shown, cmap=colours, vmin=0, vmax=len(OTHER_STYLES), interpolation="none")
        axes.set_title(label(design))
        axes.set_xlabel("points, by orbit")
        axes.set_ylabel("lines, by orbit")
        axes.set_xticks([])
        axes.set_yticks([])
