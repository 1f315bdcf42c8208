"""Problems whose gradient is a sum over parts of the data."""

from gcdesign.training.problems.least_squares import LeastSquares
from gcdesign.training.problems.logistic import Logistic
from gcdesign.training.problems.problem import (
    Batches,
    Data,
    GradientSource,
    Problem,
    SharedGradients,
)
from gcdesign.training.problems.softmax import Softmax

PROBLEMS: dict[str, type[Problem]] = {
    problem.name: problem for problem in (Logistic, LeastSquares, Softmax)
}
"""The problems by name."""

__all__ = [
    "PROBLEMS",
    "Batches",
    "Data",
    "GradientSource",
    "LeastSquares",
    "Logistic",
    "Problem",
    "SharedGradients",
    "Softmax",
]
