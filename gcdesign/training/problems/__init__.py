"""Problems whose gradient is a sum over parts of the data."""

from gcdesign.training.problems.least_squares import LeastSquares
from gcdesign.training.problems.lenet import LeNet
from gcdesign.training.problems.logistic import Logistic
from gcdesign.training.problems.network import Network
from gcdesign.training.problems.problem import (
    Batches,
    Data,
    GradientSource,
    Problem,
    SharedGradients,
)
from gcdesign.training.problems.softmax import Softmax

PROBLEMS: dict[str, type[Problem]] = {
    problem.name: problem for problem in (Logistic, LeastSquares, Softmax, Network, LeNet)
}
"""The problems by name."""

__all__ = [
    "PROBLEMS",
    "Batches",
    "Data",
    "GradientSource",
    "LeNet",
    "LeastSquares",
    "Logistic",
    "Network",
    "Problem",
    "SharedGradients",
    "Softmax",
]
