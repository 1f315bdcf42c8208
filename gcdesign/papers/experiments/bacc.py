"""Learning with coded samples: Jahani-Nezhad, Maddah-Ali 2020, on small images of digits."""

from __future__ import annotations

from gcdesign.papers.bacc import PAPER, run_learning
from gcdesign.papers.experiment import Experiment

EXPERIMENT = Experiment(
    name="bacc",
    title="accuracy against time of networks that learn from coded samples",
    source=f"{PAPER}, the experiments",
    scaled={
        "hidden": 32,
        "steps": 300,
        "batch": 0.1,
        "rate": 0.5,
        "shift": 1.0,
        "mean": 1.0,
        "delay": 5.0,
        "same": 0,
        "lenet": 0,
    },
    full={"hidden": 128, "steps": 3000},
    meaning={
        "hidden": "hidden units of the network; 0 for softmax regression",
        "steps": "steps of each run",
        "batch": "share of the samples in a step",
        "rate": "step size",
        "shift": "seconds that an Nth part of the data takes at least",
        "mean": "mean of the exponential time on top",
        "delay": "by how many seconds S workers are late in each step",
        "same": "1 if they are the same workers in all steps",
        "lenet": "1 for a convolutional network like the paper's, which needs PyTorch",
    },
    run=run_learning,
)
