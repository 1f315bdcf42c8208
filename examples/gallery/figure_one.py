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
# size. The affine plane loses nothing while one of its parallel classes is spared, and with q + 1
# classes an adversary can touch them all with q + 1 stragglers.

for curve in curves:
    first = next(s for s, error in zip(curve.stragglers, curve.lower, strict=True) if error > 0)
    print(f"{curve.label}: the first loss is {curve.lower[first]}, with {first} stragglers")
