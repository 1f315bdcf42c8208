"""Data to learn from: generators and readers."""

from gcdesign.training.data.generators import gaussian_mixture

__all__ = ["gaussian_mixture"]
