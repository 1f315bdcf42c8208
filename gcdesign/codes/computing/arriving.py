"""Decoding on line: the sums of the barycentric form, kept up to date as results arrive.

A decoded value is N_j/D_j, with N_j = Σ w_i y_i/(α_j − β_i) over those that returned and D_j the
same without y. A new result adds one term, but the signs of Berrut's weights alternate along the
line: in the middle it also turns the sign of all results on one side of it. To have all signs
right after each arrival is to keep prefix sums under insertions, for which no scheme of sums gets
by with fewer than about log N steps (Pătraşcu, Demaine 2006). So the work is bounded instead:

- two results that arrive next to each other leave all other signs as they are, and so does one at
  an end; in general, those between the two, or between it and the end, turn around;
- a result is *settled*, alone or together with one that waits beside it, if that changes no more
  than `reach` settled ones; else it *waits*.

The estimate uses the settled results, whose signs alternate, so it has no pole. Results that wait
are more than `reach` settled ones apart, so that at most one waits for every reach + 1 settled.
`finish` settles them all at once, at about half the cost of decoding anew.
"""

from __future__ import annotations

from bisect import bisect, insort
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gcdesign.codes.computing.arrays import Array, add_rows, all_finite, as_array, combine_rows
from gcdesign.codes.computing.berrut import BerrutCode
from gcdesign.codes.computing.nodes import Reals
from gcdesign.codes.computing.quality import Quality, decoding_quality
from gcdesign.codes.computing.rational import barycentric_weights, coinciding
from gcdesign.codes.computing.results import Invalid, Received, check_alike, check_worker
from gcdesign.errors import InputError

REACH = 8
"""Settled results that may change with one arrival, unless another number is asked for."""


class ArrivingResults:
    """The decoder of a code while results arrive, at bounded work for each.

    Parameters
    ----------
    code
        The code.
    reach
        How many settled results may be touched for a new one: an arrival costs at most
        reach + 2 multiplications and additions for each part and coordinate. For degrees d ≥ 1
        up to 4d neighbours, whose weights change in size, come on top. A reach of N settles
        every result at once.
    invalid
        What to do with a result that holds NaN or infinity.

    Attributes
    ----------
    terms
        Multiplications and additions for each part and coordinate so far.
    left_out
        Workers whose result held NaN or infinity, in the order of their arrival.

    Raises
    ------
    InputError
        If the reach is negative.

    Notes
    -----
    Results are kept by reference, not copied: they must not be changed until `finish`.

    Examples
    --------
    >>> code = BerrutCode(parts=2, workers=5)
    >>> coded = code.encode(np.array([0.0, 2.0]))
    >>> arriving = ArrivingResults(code)
    >>> for worker in (2, 4, 0):
    ...     arriving.add(worker, np.cos(coded[worker]))
    >>> arriving.estimate().round(3).tolist(), arriving.terms
    ([1.02, -0.547], 3)
    """

    def __init__(
        self, code: BerrutCode, *, reach: int = REACH, invalid: Invalid = "refuse"
    ) -> None:
        if reach < 0:
            raise InputError(f"reach={reach}; expected a whole number, 0 or more")
        self.code, self.reach, self.terms = code, reach, 0
        self.left_out: tuple[int, ...] = ()
        self._invalid: Invalid = invalid
        self._places = np.argsort(np.argsort(-code.beta, kind="stable"))
        self._workers = np.argsort(self._places)
        self._values: dict[int, Array] = {}
        self._settled: list[int] = []  # places of workers along the line, increasing
        self._waiting: list[int] = []
        self._weights = np.zeros(code.workers)  # by place; 0 where not settled
        self._sums: Any = None

    @property
    def returned(self) -> tuple[int, ...]:
        """All workers whose result is here, increasing."""
        return tuple(sorted(self._workers[[*self._settled, *self._waiting]].tolist()))

    @property
    def waiting(self) -> tuple[int, ...]:
        """The workers whose results wait to be settled, increasing."""
        return tuple(sorted(self._workers[self._waiting].tolist()))

    def add(self, worker: int, result: Any) -> None:
        """Take in a result, settle it or let it wait.

        A result with NaN or infinity that is left out changes nothing.

        Raises
        ------
        InputError
            If the worker is unknown or has one here already, the shape is another than before,
            or NaN or infinity is refused.
        """
        number, value = self._checked(worker, result)
        if not all_finite(value):
            if self._invalid == "refuse":
                raise InputError(f"worker {number}: NaN or infinity in the result")
            self.left_out = (*self.left_out, number)
            return
        place = int(self._places[number])
        self._values[number] = value
        options = [(place,), *((place, other) for other in self._beside(place))]
        changes = [self._change(option) for option in options]
        touched = [
            len(places) - len(new) for (places, _), new in zip(changes, options, strict=True)
        ]
        best = touched.index(min(touched))
        if touched[best] > self.reach + 4 * self.code.degree:
            insort(self._waiting, place)
            return
        self._settle(options[best], *changes[best])

    def estimate(self) -> Array:
        """Return the decoding of the settled results, shape (K, …), at one division a value.

        Raises
        ------
        InputError
            If no result is here.
        """
        if not self._settled:
            raise InputError("no result has come back; decoding needs at least one")
        gaps, hits = self._gaps(self._settled)
        terms = np.where(hits, 0.0, self._weights[self._settled] / gaps)
        totals = np.where(hits.any(axis=1), 1.0, terms.sum(axis=1))
        exact = {
            int(part): self._values[int(self._workers[self._settled[at]])]
            for part, at in np.argwhere(hits)
        }
        values = self._scaled(1 / totals)
        if exact and not isinstance(values, np.ndarray):
            rows = [exact.get(part, values[part, ...]) for part in range(self.code.parts)]
            return values.__array_namespace__().stack(rows)
        for part, value in exact.items():
            values[part] = value
        return values

    def finish(self) -> Array:
        """Settle what waits and return the decoding of all results, as `BerrutCode.decode`."""
        if self._waiting:
            rest = tuple(self._waiting)
            changed, weights = self._change(rest)
            self._waiting.clear()
            self._settle(rest, changed, weights)
        return self.estimate()

    def quality(
        self,
        *,
        curvature: float | None = None,
        slope: float | None = None,
        tolerance: float | None = None,
    ) -> Quality:
        """Say what the estimate is worth and how far it is from enough; see `decoding_quality`.

        It is about the settled results; norms that are not given are estimated from them.
        """
        settled = sorted(self._workers[self._settled].tolist())
        values = tuple(self._values[worker] for worker in settled)
        given = Received(tuple(settled), values) if curvature is None else settled
        return decoding_quality(
            self.code, given, curvature=curvature, slope=slope, tolerance=tolerance
        )

    def _checked(self, worker: Any, result: Any) -> tuple[int, Array]:
        """Return a worker's number and its result as an array that fits to those before."""
        number = check_worker(worker, self.code.workers)
        if number in self._values or number in self.left_out:
            raise InputError(f"worker {number} has returned before; expected one result from each")
        value = as_array(result, f"results of worker {number}")
        before = next(iter(self._values.items()), None)
        if before is not None:
            check_alike(dict([before, (number, value)]))
        return number, value

    def _beside(self, place: int) -> list[int]:
        """Return the waiting places next to one, at most one on each side."""
        at = bisect(self._waiting, place)
        return self._waiting[max(0, at - 1) : at + 1]

    def _change(self, new: Sequence[int]) -> tuple[list[int], Reals]:
        """Return which places change if some are settled, and the weights of all then.

        Of the two signs of all weights, which make no difference, the one is taken that leaves
        more of them as they are.
        """
        places = np.array(sorted([*self._settled, *new]))
        weights = np.zeros_like(self._weights)
        nodes = self.code.beta[self._workers[places]]
        weights[places] = barycentric_weights(nodes, self.code.degree)
        changed, turned = (np.flatnonzero(s * weights != self._weights) for s in (1, -1))
        if len(turned) < len(changed):
            return turned.tolist(), -weights
        return changed.tolist(), weights

    def _settle(self, new: Sequence[int], changed: list[int], weights: Reals) -> None:
        """Bring the sums and the weights up to date."""
        gaps, hits = self._gaps(changed)
        steps = np.where(hits, 0.0, (weights - self._weights)[changed] / gaps)
        rows = [self._values[worker] for worker in self._workers[changed].tolist()]
        if self._sums is None or not isinstance(rows[0], np.ndarray):
            added = combine_rows(steps, rows)
            self._sums = added if self._sums is None else self._sums + added
        else:
            self._sums = self._sums.astype(np.result_type(self._sums, *rows), copy=False)
            add_rows(self._sums, steps, rows)
        self.terms += len(changed)
        self._weights = weights
        self._settled = sorted([*self._settled, *new])
        self._waiting = [place for place in self._waiting if place not in new]

    def _gaps(self, places: Sequence[int]) -> tuple[Reals, NDArray[np.bool_]]:
        """Return α_j − β_i, shape (K, n), with 1 where the two coincide, and where they do."""
        nodes = self.code.beta[self._workers[list(places)]]
        hits = coinciding(nodes, self.code.alpha)
        return np.where(hits, 1.0, self.code.alpha[:, None] - nodes[None, :]), hits

    def _scaled(self, factors: Reals) -> Array:
        """Return a new array: the sums, each part's times a factor."""
        if isinstance(self._sums, np.ndarray):
            shape = (-1,) + (1,) * (self._sums.ndim - 1)
            scaled: Array = self._sums * factors.astype(self._sums.real.dtype).reshape(shape)
            return scaled
        library = self._sums.__array_namespace__()
        column = library.asarray(factors, dtype=self._sums.dtype, device=self._sums.device)
        return self._sums * library.reshape(column, (-1,) + (1,) * (self._sums.ndim - 1))
