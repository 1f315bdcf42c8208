"""
Figure 1 of the block-design paper
==================================

Kadhe, Koyluoglu and Ramchandran compare five codes by the worst squared decoding error of S
stragglers. Every point is exact: the curves follow from closed forms, which the package derives
from the blocks of each placement.
"""

from gcdesign.adversary import figure_one
from gcdesign.figures import error_figure

curves, bounds = figure_one(5)
figure = error_figure(curves, bounds, title="q = 5")

# %%
# The projective plane and the dual affine plane lose the same for every set of stragglers of one
# size. The affine plane loses nothing while one of its parallel classes is spared.
