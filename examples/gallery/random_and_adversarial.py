"""
Random stragglers and adversarial ones
======================================

The same codes, once with the worst set of stragglers and once with the mean over all sets of one
size. Where any two workers share equally many parts the two are the same.
"""

from dataclasses import replace

import gcdesign
from gcdesign.adversary import ErrorCurve
from gcdesign.codes import ExpectedCurve, expected_curve
from gcdesign.figures import error_figure

names = ("pg:q=3", "ag:q=3", "frc:workers=12,stragglers=3")
codes = [gcdesign.load_code(name) for name in names]
curves: list[ErrorCurve | ExpectedCurve] = []
for code in codes:
    curves.append(replace(gcdesign.error_curve(code), label=f"{code.label}, worst"))
    curves.append(replace(expected_curve(code), label=f"{code.label}, mean"))
figure = error_figure(curves)

# %%
# Fractional repetition is the best of the three on average and among the worst against an
# adversary, who silences whole groups.

for code in codes:
    worst = float(gcdesign.worst_case_error(code, 4).value)
    mean = float(gcdesign.expected_error(code, 4).value)
    print(f"{code.label}, 4 stragglers: {worst:.3f} parts at worst, {mean:.3f} in the mean")
