"""Figure 7 of Tandon, Lei, Dimakis, Karampatziakis 2017: AUC against time."""

from gcdesign.papers.experiment import Experiment
from gcdesign.papers.tandon import PAPER
from gcdesign.papers.tandon_access import run_scores

EXPERIMENT = Experiment(
    name="tandon-fig7",
    title="AUC on held-out access requests against time",
    source=f"{PAPER}, Figure 7",
    scaled={
        "samples": 32_769,
        "sizes": 1,
        "stragglers": 1,
        "steps": 100,
        "rate": 1.0,
        "offset": 90.0,
        "work": 2.0,
        "link": 0.1,
        "enter": 0.01,
        "leave": 0.1,
        "spell": 2.0,
    },
    full={"sizes": 3},
    meaning={
        "samples": "requests, a fifth of them held out",
        "sizes": "how many of N = 10, 20, 30 are run",
        "stragglers": "S",
        "steps": "steps of each run",
        "rate": "step size at the start",
        "offset": "c2 of the steps c1/(t + c2), c1 = rate × c2",
        "work": "seconds that one machine takes for all of the data",
        "link": "mean time of a link, in seconds",
        "enter": "probability that a machine turns slow, in a step",
        "leave": "probability that a slow one recovers, in a step",
        "spell": "by how many seconds a slow machine is late",
    },
    run=run_scores,
)
