"""Lagrange coded computing over GF(p): exact, private, and proof against lying workers."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.random import Generator

from gcdesign.codes.computing.modular import (
    Whole,
    interpolation_mod,
    nearest_polynomial,
    product_mod,
    value_mod,
)
from gcdesign.codes.computing.nodes import MAX_NODES
from gcdesign.codes.computing.results import Results, check_worker, named, pairs_of
from gcdesign.codes.computing.thresholds import recovery_threshold
from gcdesign.codes.counts import check_count
from gcdesign.designs.fields import prime_power
from gcdesign.errors import InputError, LimitError

MAX_PRIME = 2**31 - 1
"""Largest p: products of two elements are then numbers of 64 bits."""


@dataclass(frozen=True, eq=False)
class Corrected:
    """What was decoded, and who lied.

    Attributes
    ----------
    values
        Shape (K, …): f(X_j), exactly.
    liars
        The workers whose results lay on no polynomial with the others, increasing.
    """

    values: Whole
    liars: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class FieldLagrangeCode:
    """K inputs over GF(p), T random ones beside them, on a polynomial of degree K + T − 1.

    Parameters
    ----------
    parts, workers
        Numbers of inputs K and workers N.
    prime
        The prime p > K + T + N.
    privacy
        Number T of workers that may collude: what they get together is uniformly random, whatever
        the inputs are.

    Raises
    ------
    InputError
        If p is no prime or too small, or a number is out of range.
    LimitError
        If p or the number of nodes is too large.

    Notes
    -----
    Source: Yu et al., Lagrange Coded Computing, 2019; liars are found by Gao's decoder of
    Reed–Solomon codes (2003). Nodes are 0, …, K + T − 1 for inputs and the N elements after them
    for workers.

    Examples
    --------
    >>> code = FieldLagrangeCode(parts=2, workers=8, prime=97)
    >>> coded = code.encode(np.array([5, 90]))
    >>> results = {worker: coded[worker] ** 2 % 97 for worker in range(1, 8)}
    >>> results[3] += 1
    >>> found = code.correct(results, degree=2)
    >>> found.values.tolist(), found.liars
    ([25, 49], (3,))
    """

    parts: int
    workers: int
    prime: int
    privacy: int = 0

    def __post_init__(self) -> None:
        check_count("parts", self.parts)
        check_count("workers", self.workers)
        check_count("privacy", self.privacy, least=0)
        check_count("prime", self.prime)
        nodes = self.parts + self.privacy + self.workers
        if self.prime > MAX_PRIME or nodes > MAX_NODES:
            raise LimitError(
                f"p={self.prime} and {nodes} nodes; at most {MAX_PRIME} and {MAX_NODES}"
            )
        if nodes > self.prime:
            raise InputError(
                f"p={self.prime} has too few elements for K + T + N = {nodes} nodes; take a larger"
            )
        if prime_power(int(self.prime)) != (self.prime, 1):
            raise InputError(f"p={self.prime} is no prime; expected one of at least {nodes}")

    @cached_property
    def encoding(self) -> Whole:
        """The encoding matrix, shape (N, K + T)."""
        inputs = self.parts + self.privacy
        return self._interpolation(np.arange(inputs), np.arange(inputs, inputs + self.workers))

    def threshold(self, degree: int) -> int:
        """Return how many honest results are needed for f of a degree."""
        return recovery_threshold(self.parts, degree, privacy=self.privacy)

    def encode(self, data: Any, *, rng: Generator | None = None) -> Whole:
        """Return what each worker gets, shape (N, …), for whole numbers mod p, shape (K, …).

        Parameters
        ----------
        data
            The inputs, 0 to p − 1.
        rng
            Draws the T random inputs, to be repeated. Without it they come from the operating
            system, as privacy asks for: whoever knows a seed knows the inputs.

        Raises
        ------
        InputError
            If there are not K inputs, or one is no whole number from 0 to p − 1.
        """
        given = self._elements(data, "inputs")
        if given.ndim == 0 or len(given) != self.parts:
            raise InputError(
                f"inputs of shape {given.shape}; expected one for each of {self.parts} parts"
            )
        flat = given.reshape(self.parts, -1)
        if self.privacy:
            shape = (self.privacy, flat.shape[1])
            noise = rng.integers(0, self.prime, size=shape) if rng else self._secret(shape)
            flat = np.concatenate([flat, noise])
        coded = self._product(self.encoding, flat)
        return coded.reshape(self.workers, *given.shape[1:])

    def decode(self, results: Results, *, degree: int) -> Whole:
        """Return f(X_j) exactly, shape (K, …); liars are corrected for as in `correct`."""
        return self.correct(results, degree=degree).values

    def correct(
        self, results: Results, *, degree: int, adversaries: int | None = None
    ) -> Corrected:
        """Return f(X_j) exactly, and who lied.

        Parameters
        ----------
        results
            A mapping from workers to whole numbers mod p, of one shape, or pairs.
        degree
            Degree of the polynomial f.
        adversaries
            The most liars A that are to be corrected for; by default as many as the results
            allow, half of those beyond the threshold.

        Raises
        ------
        InputError
            If there are fewer results than threshold + 2A, they do not fit together, or more than
            A of them must be wrong. With at most A liars the answer is the truth.
        """
        workers, rows, shape = self._received(results)
        needed = self.threshold(degree)
        spare = (len(workers) - needed) // 2
        allowed = max(0, spare) if adversaries is None else adversaries
        check_count("adversaries", allowed, least=0)
        if len(workers) < needed + 2 * allowed:
            raise InputError(
                f"{len(workers)} results; degree {degree} with {allowed} liars needs "
                f"{needed + 2 * allowed}"
            )
        nodes = np.array(workers) + self.parts + self.privacy
        kept = self._honest(nodes, rows, needed, allowed)
        basis = self._interpolation(nodes[kept[:needed]], np.arange(self.parts))
        values = self._product(basis, rows[kept[:needed]])
        liars = sorted(set(range(len(workers))) - set(kept))
        return Corrected(values.reshape(self.parts, *shape), tuple(workers[k] for k in liars))

    def _received(self, results: Results) -> tuple[list[int], Whole, tuple[int, ...]]:
        found: dict[int, Whole] = {}
        for worker, value in pairs_of(results):
            number = check_worker(worker, self.workers)
            if number in found:
                raise InputError(f"worker {number} has two results; expected one from each worker")
            found[number] = self._elements(value, f"results of worker {number}")
        if not found:
            raise InputError("no result has come back; decoding needs at least one")
        self._check_shapes(found)
        workers = sorted(found)
        rows = np.stack([found[worker].reshape(-1) for worker in workers])
        return workers, rows, found[workers[0]].shape

    def _check_shapes(self, found: Mapping[int, Whole]) -> None:
        shape = next(iter(found.values())).shape
        others = [worker for worker, value in found.items() if value.shape != shape]
        if others:
            raise InputError(f"{named(sorted(others))}: another shape than {shape}; expected one")

    def _honest(self, nodes: Whole, rows: Whole, needed: int, allowed: int) -> list[int]:
        """Return which results lie on polynomials of too few terms to be found by chance.

        Coordinates that do not fit are corrected one at a time: each names at least one more liar.
        """
        kept = list(range(len(nodes)))
        for _ in range(allowed + 1):
            wrong = self._misfit(nodes[kept], rows[kept], needed)
            if wrong is None:
                return kept
            liars = self._liars(nodes[kept], rows[kept, wrong], needed)
            kept = [k for at, k in enumerate(kept) if at not in liars]
            if not liars or len(nodes) - len(kept) > allowed:
                break
        raise InputError(
            f"more than {allowed} of {len(nodes)} results are wrong; they lie on no polynomial"
        )

    def _misfit(self, nodes: Whole, rows: Whole, needed: int) -> int | None:
        """Return the first coordinate that is on no polynomial with so many terms, or None."""
        if len(nodes) <= needed:
            return None
        basis = self._interpolation(nodes[:needed], nodes[needed:])
        wrong = (self._product(basis, rows[:needed]) != rows[needed:]).any(axis=0)
        return int(wrong.argmax()) if wrong.any() else None

    def _liars(self, nodes: Whole, values: Whole, needed: int) -> set[int]:
        """Return the places of values off the one polynomial that is near, by Gao's decoder."""
        found = nearest_polynomial(nodes.tolist(), values.tolist(), terms=needed, prime=self.prime)
        if found is None:
            return set()
        pairs = zip(nodes.tolist(), values.tolist(), strict=True)
        return {
            k
            for k, (node, value) in enumerate(pairs)
            if value_mod(found, node, self.prime) != value
        }

    def _interpolation(self, nodes: Whole, at: Whole) -> Whole:
        return interpolation_mod(nodes, at, self.prime)

    def _product(self, matrix: Whole, rows: Whole) -> Whole:
        return product_mod(matrix, rows, self.prime)

    def _elements(self, given: Any, what: str) -> Whole:
        try:
            array = np.asarray(given)
        except ValueError:
            raise InputError(f"{what} are no array; expected numbers of one shape") from None
        if array.dtype.kind not in "iu":
            raise InputError(f"{what} of type {array.dtype}; expected whole numbers")
        if array.size and (array.min() < 0 or array.max() >= self.prime):
            raise InputError(f"{what} beyond 0 to {self.prime - 1}; expected elements of GF(p)")
        return np.asarray(array, dtype=np.int64)

    def _secret(self, shape: tuple[int, int]) -> Whole:
        """Return uniform elements from the operating system's randomness, none of them biased."""
        wanted = shape[0] * shape[1]
        bits = (int(self.prime) - 1).bit_length()
        found = np.empty(0, dtype=np.int64)
        while len(found) < wanted:
            words = np.frombuffer(os.urandom(4 * (2 * (wanted - len(found)) + 16)), dtype="<u4")
            drawn = (words & np.uint32(2**bits - 1)).astype(np.int64)
            found = np.concatenate([found, drawn[drawn < self.prime]])
        return found[:wanted].reshape(shape)
