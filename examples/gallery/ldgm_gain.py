"""
When an LDGM code wins over no code
===================================

At a deadline some workers have answered, and the master peels what it can. For four laws of times,
the best LDGM code of rate 1/2 found, no code, and a bound on all LDGM codes.
"""

from gcdesign.codes.ldgm.gains import gains
from gcdesign.codes.times import parse_time
from gcdesign.figures import gains_figure

laws = [
    "exp:rate=1",
    "exp:rate=1,work=0.05,scaled=no",
    "pareto:scale=0.2,shape=1.2",
    "weibull:scale=0.5,shape=2",
]
deadlines = [0.2, 0.5, 1.0, 1.5, 2.0]
found = list(gains(map(parse_time, laws), deadlines, largest=6))
figure = gains_figure(found)

# %%
# With exponential times that grow with the load all three are one curve: no code can win. Where a
# second part costs hardly any time, coding wins by far.

for one in found:
    if one.deadline == 1.0:
        print(f"{one.time.written}: {one.verdict}, gain {one.gain:.3f}")
