"""Training with gradient codes under stragglers, simulated and real."""

from gcdesign.training.clock import SimulatedCluster, loads_of
from gcdesign.training.history import Evaluation, History
from gcdesign.training.linear import CodeScheme, LinearScheme
from gcdesign.training.master import Answer, Cluster, Plan, TrainingResult, evaluate, train
from gcdesign.training.optimisers import GradientDescent, Nesterov, Optimiser, Rate
from gcdesign.training.registry import (
    Request,
    SchemeKind,
    make_scheme,
    scheme_kind,
    scheme_names,
)
from gcdesign.training.scheme import Collector, Decoded, Message, Scheme, Worker
from gcdesign.training.simulate import simulate
from gcdesign.training.stragglers import Delayed, Steady, StragglerModel, Times, Together

__all__ = [
    "Answer",
    "Cluster",
    "CodeScheme",
    "Collector",
    "Decoded",
    "Delayed",
    "Evaluation",
    "GradientDescent",
    "History",
    "LinearScheme",
    "Message",
    "Nesterov",
    "Optimiser",
    "Plan",
    "Rate",
    "Request",
    "Scheme",
    "SchemeKind",
    "SimulatedCluster",
    "Steady",
    "StragglerModel",
    "Times",
    "Together",
    "TrainingResult",
    "Worker",
    "evaluate",
    "loads_of",
    "make_scheme",
    "scheme_kind",
    "scheme_names",
    "simulate",
    "train",
]
