"""Data to learn from: generators, known data sets and files."""

from gcdesign.training.data.access import artificial_access, one_hot_pairs, read_access
from gcdesign.training.data.files import read_data
from gcdesign.training.data.generators import gaussian_mixture, noisy_plane, split
from gcdesign.training.data.reading import SOURCES, parse_data, usual_problem

__all__ = [
    "SOURCES",
    "artificial_access",
    "gaussian_mixture",
    "noisy_plane",
    "one_hot_pairs",
    "parse_data",
    "read_access",
    "read_data",
    "split",
    "usual_problem",
]
