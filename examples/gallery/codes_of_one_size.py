"""
Codes with the same workers and the same load
=============================================

Thirteen workers, thirteen parts, four parts a worker: which placement loses least? No one of them
is best everywhere.
"""

import gcdesign
from gcdesign.adversary.curve import common_isolation_bound
from gcdesign.figures import error_figure

names = [
    "pg:q=3",
    "circulant:workers=13,load=4",
    "regular:workers=13,load=4,seed=1",
    "cyclic:workers=13,stragglers=3",
    "uncoded:workers=13",
]
codes = [gcdesign.load_code(name) for name in names]
curves = [gcdesign.error_curve(code) for code in codes]
figure = error_figure(curves, common_isolation_bound(codes[:1]))

# %%
# Cyclic repetition is exact for the three stragglers that it was made for and collapses after.
# The consecutive placement is better than the plane for few stragglers and worse for many.

for stragglers in (1, 3, 4, 6, 8):
    errors = [gcdesign.worst_case_error(code, stragglers).upper for code in codes]
    best = min(range(len(codes)), key=lambda i: errors[i])
    print(f"S = {stragglers}: {codes[best].label} loses {float(errors[best]):.3f} of 13 parts")
