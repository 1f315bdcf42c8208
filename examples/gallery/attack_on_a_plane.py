"""
An attack, drawn
================

How few workers must fall silent so that six parts of PG(2,4) are lost altogether? The answer comes
with the workers, and with the proof that fewer do not suffice.
"""

import gcdesign
from gcdesign.figures import graph_figure, incidence_figure

code = gcdesign.load_code("pg:q=4")
result = gcdesign.threshold(code.placement, 6)
print(f"S*(6) = {result.value}, {result.status}: {result.proof}")
print("parts lost:", result.parts)

# %%
# The six parts are a hyperoval: no line holds three of them, so that every line through one of
# them goes through exactly one other. That makes their lines as few as can be.

matrix = incidence_figure(code.placement.design, highlight=result.workers)

# %%
# The same as a graph of workers and parts.

graph = graph_figure(code.placement.design, highlight=result.workers)
