"""Figure 5 of Tandon, Lei, Dimakis, Karampatziakis 2017: delayed workers."""

from gcdesign.papers.experiment import Experiment
from gcdesign.papers.tandon import PAPER
from gcdesign.papers.tandon_delays import run

EXPERIMENT = Experiment(
    name="tandon-fig5",
    title="time per step while S workers are delayed (paper: N = 12)",
    source=f"{PAPER}, Figure 5",
    scaled={
        "workers": 12,
        "work": 6.0,
        "jitter": 0.1,
        "delay": 4.0,
        "factor": 4.0,
        "alpha": 2.0,
        "steps": 2000,
        "samples": 55_440,
        "features": 100,
        "training_steps": 30,
    },
    full={"samples": 554_400, "training_steps": 100},
    meaning={
        "workers": "N",
        "work": "seconds that one machine takes for all of the data",
        "jitter": "mean of the random time on top, in seconds",
        "delay": "longest delay, in seconds",
        "factor": "greatest slowness",
        "alpha": "slowness that the partial schemes are made for",
        "steps": "steps for each mean time",
        "samples": "samples d of the training run",
        "features": "parameters p of the training run",
        "training_steps": "steps of the training run",
    },
    run=run,
)
