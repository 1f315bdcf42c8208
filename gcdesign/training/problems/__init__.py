"""Problems whose gradient is a sum over parts of the data."""

from gcdesign.training.problems.logistic import Logistic
from gcdesign.training.problems.problem import Batches, Data, GradientSource, Problem

__all__ = ["Batches", "Data", "GradientSource", "Logistic", "Problem"]
