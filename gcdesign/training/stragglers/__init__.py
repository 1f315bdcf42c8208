"""Models of how long workers take: laws, slow workers, and traces."""

from gcdesign.training.stragglers.laws import Drawn, EachWorker, steady
from gcdesign.training.stragglers.replay import Replay
from gcdesign.training.stragglers.slow import GivenWorkers, OnOff, RandomWorkers, Slowed, Who
from gcdesign.training.stragglers.times import StragglerModel, Timeline, Times

__all__ = [
    "Drawn",
    "EachWorker",
    "GivenWorkers",
    "OnOff",
    "RandomWorkers",
    "Replay",
    "Slowed",
    "StragglerModel",
    "Timeline",
    "Times",
    "Who",
    "steady",
]
