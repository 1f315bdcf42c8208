"""Figure 1(a) of Kadhe, Koyluoglu, Ramchandran 2019: worst-case errors for q = 5."""

from gcdesign.papers.kadhe import figure_one_experiment

EXPERIMENT = figure_one_experiment("kadhe-fig1a", 5, "a")
