"""Figure 6 of Tandon, Lei, Dimakis, Karampatziakis 2017: time per step on slow machines."""

from gcdesign.papers.experiment import Experiment
from gcdesign.papers.tandon import PAPER
from gcdesign.papers.tandon_access import run_times

EXPERIMENT = Experiment(
    name="tandon-fig6",
    title="time per step on 10, 20 and 30 machines that are slow by nature",
    source=f"{PAPER}, Figure 6",
    scaled={
        "work": 2.0,
        "link": 0.1,
        "enter": 0.01,
        "leave": 0.1,
        "spell": 2.0,
        "steps": 20_000,
    },
    full={"steps": 1_000_000},
    meaning={
        "work": "seconds that one machine takes for all of the data",
        "link": "mean time of a link, in seconds",
        "enter": "probability that a machine turns slow, in a step",
        "leave": "probability that a slow one recovers, in a step",
        "spell": "by how many seconds a slow machine is late",
        "steps": "steps for each mean time",
    },
    run=run_times,
)
