"""Random times of workers: laws, their dependence on the load, and how long a master waits."""

from gcdesign.codes.times.laws import (
    Exponential,
    Fixed,
    Pareto,
    Recorded,
    ShiftedExponential,
    TimeLaw,
    Weibull,
)
from gcdesign.codes.times.load import LoadTime
from gcdesign.codes.times.reading import parse_time
from gcdesign.codes.times.waiting import Wait, expected_wait

__all__ = [
    "Exponential",
    "Fixed",
    "LoadTime",
    "Pareto",
    "Recorded",
    "ShiftedExponential",
    "TimeLaw",
    "Wait",
    "Weibull",
    "expected_wait",
    "parse_time",
]
