"""Figure 2 of Horii, Yoshida, Kobayashi, Matsushima 2019: the objective against steps."""

from functools import partial

from gcdesign.papers.experiment import Experiment
from gcdesign.papers.horii import FULL, MEANING, PAPER, SETTINGS
from gcdesign.papers.horii_figures import run

EXPERIMENT = Experiment(
    name="horii-fig2",
    title="LDGM-coded SGD: the objective against steps (paper: N = 240, K = 120)",
    source=f"{PAPER}, Figure 2",
    scaled=SETTINGS,
    full=FULL,
    meaning=MEANING,
    run=partial(run, axis="steps"),
)
