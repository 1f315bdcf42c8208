"""The papers' experiments: each is declared once, run by one command, and held to its paper."""

from gcdesign.papers.experiment import Experiment, Number, Watch, nobody_watches
from gcdesign.papers.registry import all_experiments, experiment, experiment_names, reproduce
from gcdesign.papers.results import Claim, ExperimentResult, Panel, Series, csv_text

__all__ = [
    "Claim",
    "Experiment",
    "ExperimentResult",
    "Number",
    "Panel",
    "Series",
    "Watch",
    "all_experiments",
    "csv_text",
    "experiment",
    "experiment_names",
    "nobody_watches",
    "reproduce",
]
