"""
Planes of order nine under attack
=================================

Four projective planes of order nine have the same parameters and, since any two lines share a
point, the same worst-case error. They are not isomorphic, and a search for parts with few holders
ends differently in each.
"""

import gcdesign
from gcdesign.adversary import Settings
from gcdesign.designs import build, label, parse_spec
from gcdesign.designs.tools import p_rank
from gcdesign.figures import panels_figure
from gcdesign.papers import Panel, Series

names = ["pg:q=9", "hall-plane:q=3", "dual(hall-plane:q=3)", "hughes-plane:q=3"]
families = ["pg", "hall-plane", "dual hall-plane", "hughes-plane"]
planes = [build(parse_spec(name)) for name in names]
for plane in planes:
    print(f"{label(plane)}: {plane.parameters}, rank {p_rank(plane, 3)} over GF(3)")

# %%
# For each η the fewest workers that a greedy search had to silence, beyond what counting pairs
# proves for every plane of this order.

settings = Settings(method="greedy", seed=1)
profiles = [
    gcdesign.threshold_profile(gcdesign.load_code(name).placement, settings) for name in names
]
etas = range(4, 41)
proved = {eta: min(profile[eta].lower for profile in profiles) for eta in etas}
series = tuple(
    Series(
        label(plane),
        tuple(map(float, etas)),
        tuple(float(profile[eta].upper - proved[eta]) for eta in etas),
        family=family,
    )
    for plane, profile, family in zip(planes, profiles, families, strict=True)
)
figure = panels_figure([Panel("", "parts lost η", "workers beyond the bound", series)])
