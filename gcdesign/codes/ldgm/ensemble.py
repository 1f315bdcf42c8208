"""Ensembles of LDGM codes: degree distributions of both sides, and graphs drawn from them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import exp, isfinite

import numpy as np

from gcdesign.codes.placement import Placement
from gcdesign.designs.design import Provenance, Size, check_size
from gcdesign.designs.ensembles.counts import degree_sequences, node_degrees
from gcdesign.designs.ensembles.degrees import Degrees
from gcdesign.designs.ensembles.pairing import configuration_model
from gcdesign.designs.random_loads import random_blocks
from gcdesign.designs.randomness import Draws
from gcdesign.errors import InputError


@dataclass(frozen=True)
class Poisson:
    """Degrees of parts that are chosen uniformly, L(x) = λ(x) = exp(−m(1 − x)), as in LT codes.

    Parameters
    ----------
    mean
        Mean number m of workers of a part.

    Raises
    ------
    InputError
        If it is not positive and finite.

    Examples
    --------
    >>> round(Poisson(3.0).node_value(0.5), 6)
    0.22313
    """

    mean: float

    def __post_init__(self) -> None:
        if not (isfinite(self.mean) and self.mean > 0):
            raise InputError(f"mean={self.mean}; expected a positive number of workers of a part")

    def node_value(self, x: float) -> float:
        """Return L(x)."""
        return exp(self.mean * (x - 1))

    def edge_value(self, x: float) -> float:
        """Return λ(x), which is L(x)."""
        return exp(self.mean * (x - 1))

    def edge_slope(self, x: float) -> float:
        """Return λ'(x)."""
        return self.mean * exp(self.mean * (x - 1))

    def __str__(self) -> str:
        return f"Poisson, mean {self.mean:.6g}"


@dataclass(frozen=True)
class Ensemble:
    """Random graphs whose nodes have given degrees.

    Parameters
    ----------
    copies
        Degrees of the parts (variable nodes), L(x).
    loads
        Degrees of the workers (generator nodes), R(x).

    Examples
    --------
    >>> from gcdesign.designs.ensembles.degrees import parse_degrees
    >>> Ensemble(Degrees.regular(3), parse_degrees("0.5x+0.5x^2")).rate
    Fraction(1, 2)
    """

    copies: Degrees | Poisson
    loads: Degrees

    @property
    def rate(self) -> Fraction:
        """K/N = R'(1)/L'(1), the number of parts for each worker."""
        return self.loads.mean / Fraction(self.copies.mean)

    def workers_for(self, parts: int) -> int:
        """Return the number of workers N that belongs to K parts, rounded."""
        return max(1, round(parts / self.rate))

    def draw(self, parts: int, draws: Draws, *, workers: int | None = None) -> Placement:
        """Draw a placement; repeated edges of the configuration model count once.

        Parameters
        ----------
        parts
            K.
        draws
            Where the random choices come from.
        workers
            N; by default as the rate says.

        Raises
        ------
        InputError
            If no graph has these degrees.
        """
        count = self.workers_for(parts) if workers is None else workers
        check_size(Size(parts, count, 0), name="the graph")
        if isinstance(self.copies, Degrees):
            sequences = degree_sequences(count, parts, self.loads, self.copies, exact=False)
            check_size(Size(parts, count, sequences.edges), name="the graph")
            return Placement(configuration_model(sequences, draws, repeated="drop").design)
        loads = node_degrees(self.loads, count)
        if loads[0] > parts:
            raise InputError(f"degree {loads[0]}; expected at most {parts} (parts)")
        mixed: np.ndarray[tuple[int], np.dtype[np.int64]] = loads[draws.permutation(count)]
        return Placement(random_blocks(mixed, parts, draws, Provenance.of("ldgm")))
