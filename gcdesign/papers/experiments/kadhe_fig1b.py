"""Figure 1(b) of Kadhe, Koyluoglu, Ramchandran 2019: worst-case errors for q = 9."""

from gcdesign.papers.kadhe import figure_one_experiment

EXPERIMENT = figure_one_experiment("kadhe-fig1b", 9, "b")
