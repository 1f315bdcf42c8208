"""Training with gradient codes under stragglers, simulated and real."""

from gcdesign.training.clock import SimulatedCluster, loads_of
from gcdesign.training.history import Evaluation, History
from gcdesign.training.linear import CodeScheme, LinearScheme
from gcdesign.training.master import Answer, Cluster, Plan, TrainingResult, evaluate, train
from gcdesign.training.optimisers import GradientDescent, Nesterov, Optimiser, Rate
from gcdesign.training.registry import (
    Request,
    SchemeKind,
    has_own_workers,
    make_scheme,
    scheme_kind,
    scheme_names,
)
from gcdesign.training.scheme import Collector, Decoded, Message, Scheme, Worker
from gcdesign.training.simulate import simulate
from gcdesign.training.stragglers import (
    Drawn,
    EachWorker,
    GivenWorkers,
    OnOff,
    RandomWorkers,
    Replay,
    Slowed,
    StragglerModel,
    Times,
    steady,
)
from gcdesign.training.traces import Trace, read_trace, trace_bytes
from gcdesign.training.waiting import Waits, waiting_times

__all__ = [
    "Answer",
    "Cluster",
    "CodeScheme",
    "Collector",
    "Decoded",
    "Drawn",
    "EachWorker",
    "Evaluation",
    "GivenWorkers",
    "GradientDescent",
    "History",
    "LinearScheme",
    "Message",
    "Nesterov",
    "OnOff",
    "Optimiser",
    "Plan",
    "RandomWorkers",
    "Rate",
    "Replay",
    "Request",
    "Scheme",
    "SchemeKind",
    "SimulatedCluster",
    "Slowed",
    "StragglerModel",
    "Times",
    "Trace",
    "TrainingResult",
    "Waits",
    "Worker",
    "evaluate",
    "has_own_workers",
    "loads_of",
    "make_scheme",
    "read_trace",
    "scheme_kind",
    "scheme_names",
    "simulate",
    "steady",
    "trace_bytes",
    "train",
    "waiting_times",
]
