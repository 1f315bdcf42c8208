"""
Placements side by side
=======================

A row is a worker, a column is a part. What an adversary can do is in these patterns.
"""

from matplotlib.figure import Figure

from gcdesign.designs import build, label, parse_spec
from gcdesign.figures.style import paper_style

names = [
    "pg:q=3",
    "ag:q=3",
    "dual-ag:q=3",
    "frc:workers=12,stragglers=2",
    "circulant:workers=13,load=4",
    "symplectic-quadrangle:q=2",
    "witt:points=12",
    "regular:workers=13,load=4,seed=1",
]
designs = [build(parse_spec(name)) for name in names]

with paper_style():
    figure = Figure(figsize=(7, 3.9), layout="constrained")
    for place, design in enumerate(designs, start=1):
        axes = figure.add_subplot(2, 4, place)
        axes.imshow(design.incidence.toarray(), cmap="gray_r", aspect="auto", interpolation="none")
        axes.set_title(f"{label(design)}\nN = {design.b}, K = {design.v}", fontsize=8)
        axes.set_xticks([])
        axes.set_yticks([])
