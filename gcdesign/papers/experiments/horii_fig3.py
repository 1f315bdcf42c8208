"""Figure 3 of Horii, Yoshida, Kobayashi, Matsushima 2019: the objective against time."""

from functools import partial

from gcdesign.papers.experiment import Experiment
from gcdesign.papers.horii import FULL, MEANING, PAPER, SETTINGS
from gcdesign.papers.horii_figures import run

EXPERIMENT = Experiment(
    name="horii-fig3",
    title="LDGM-coded SGD: the objective against time (paper: N = 240, K = 120)",
    source=f"{PAPER}, Figure 3",
    scaled=SETTINGS,
    full=FULL,
    meaning=MEANING,
    run=partial(run, axis="time"),
)
