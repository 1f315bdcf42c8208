"""
A Hadamard matrix and its designs
=================================

A Hadamard matrix has entries 1 and −1 and orthogonal rows. With a first row and column of ones,
the rest is a symmetric 2-design, and the rows and their negatives are a resolvable 3-design.
"""

import numpy as np
from matplotlib.figure import Figure

from gcdesign import verify
from gcdesign.designs import build, parse_spec
from gcdesign.designs.hadamard import hadamard_matrix, hadamard_recipe
from gcdesign.figures import incidence_figure
from gcdesign.figures.style import paper_style

order = 20
matrix = hadamard_matrix(order)
assert (matrix @ matrix.T == order * np.eye(order)).all()
print(hadamard_recipe(order))

with paper_style():
    square = Figure(figsize=(2.6, 2.6), layout="constrained")
    axes = square.add_subplot()
    axes.imshow(matrix, cmap="gray_r", vmin=-1, vmax=1)
    axes.set_title(f"Hadamard matrix of order {order}")
    axes.set_xticks([])
    axes.set_yticks([])

# %%
# The symmetric design: any two of its blocks share equally many points.

symmetric = build(parse_spec(f"hadamard:order={order}"))
print(symmetric.parameters, "2-design:", verify(symmetric).holds)
half, quarter = order // 2, order // 4
title = f"2-({order - 1}, {half - 1}, {quarter - 1}) design"
two = incidence_figure(symmetric, title=title)

# %%
# The 3-design: complementary blocks are a parallel class, so no set of stragglers that spares one
# pair of workers loses anything.

extended = build(parse_spec(f"hadamard-three:order={order}"))
print(extended.parameters, "3-design:", verify(extended, t=3).holds)
three = incidence_figure(extended, title=f"3-({order}, {half}, {quarter - 1}) design")
