"""
The whole profile of a plane
============================

S*(η) is the least number of workers whose silence loses η parts altogether. For PG(2,5) every
value is proved, most of them by counting alone.
"""

from collections import Counter

import gcdesign
from gcdesign.adversary import Settings
from gcdesign.figures.profile import profile_figure

placement = gcdesign.load_code("pg:q=5").placement
profile = gcdesign.threshold_profile(placement)
figure = profile_figure(profile, title="PG(2,5)")

# %%
# What proves them:

for proof, times in Counter(result.proof for result in profile).most_common():
    print(f"{times:3}  {proof}")

# %%
# Bounds and the plainest attack leave brackets where the search has not been made: the orange bars
# of PG(2,8).

larger = gcdesign.load_code("pg:q=8").placement
bracketed = profile_figure(
    gcdesign.threshold_profile(larger, Settings(method="bounds")),
    title="PG(2,8), bounds alone",
)
