"""Exact search for S*(η) on any placement: compiled branch and bound, split over threads.

Parts are decided to be in T or out of it. At every node the parts still open pay for the
workers that they would silence, each worker sharing its cost among its open parts so that the
n cheapest parts together cost as much as possible (the dual of the linear program, levelled a
few times; in whole numbers). Levels of |N(T)| are refuted from below, so that a search that is
cut short has still raised the lower end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gcdesign.adversary.running.settings import Watch
from gcdesign.adversary.thresholds.greedy import PartAttack
from gcdesign.codes import Placement
from gcdesign.errors import SolverError

if TYPE_CHECKING:
    from gcdesign.adversary.thresholds.branching_kernel import State, Tables

SLICE_WORK = 3_000_000
"""Visits of incidences between two looks at the clock: some hundredths of a second."""

POLL_SECONDS = 0.05

CASES_PER_THREAD = 24
"""Into how many cases a level is split that one slice does not settle."""

Decisions = tuple[int, ...]
"""Parts decided at the root, in order: j is in T, ~j is not."""


@dataclass(frozen=True)
class SearchAnswer:
    """What the search has shown.

    Attributes
    ----------
    lower
        The greatest number of workers proved necessary.
    attack
        An attack better than the one it was given, or None.
    nodes
        Nodes visited.
    stopped
        Whether a limit came before the proof.
    """

    lower: int
    attack: PartAttack | None
    nodes: int
    stopped: bool


def search_threshold(
    placement: Placement,
    eta: int,
    *,
    lower: int,
    start: PartAttack,
    watch: Watch,
    pairs: Sequence[int] | None = None,
    roots: Sequence[Decisions] = ((),),
    nodes: int | None = None,
) -> SearchAnswer:
    """Refute one number of silenced workers after the other, from ``lower`` on.

    Parameters
    ----------
    placement
        Who holds what.
    eta
        Number of parts to lose, at least 1.
    lower
        A proved lower bound.
    start
        An attack; its number of workers is where the search ends.
    watch
        Time limit, threads and progress.
    pairs
        Entry n, 0 ≤ n ≤ η: the most ordered pairs of n parts on common workers, where that is
        known and telling.
    roots
        Cases that cover every T up to symmetry.
    nodes
        Most nodes to visit; by default no limit.

    Examples
    --------
    >>> from gcdesign.adversary.running.settings import Settings
    >>> from gcdesign.designs import projective_geometry
    >>> plane = Placement(projective_geometry(3))
    >>> every = PartAttack.on(plane, np.arange(5))
    >>> answer = search_threshold(plane, 5, lower=0, start=every, watch=Watch(Settings()))
    >>> answer.lower
    11
    """
    tables = tables_of(placement, eta, pairs)
    best: PartAttack | None = None
    visited = 0

    def tell() -> None:
        watch.report(f"η={eta}: search", lower, len((best or start).workers))

    while lower < len((best or start).workers):
        if watch.stopped():
            return SearchAnswer(lower, best, visited, stopped=True)
        left = None if nodes is None else nodes - visited
        level = refute(tables, eta, lower, roots, watch=watch, nodes=left, tell=tell)
        visited += level.nodes
        if level.parts is not None:
            best = PartAttack.on(placement, np.array(level.parts, dtype=np.int64))
            if len(level.parts) != eta or len(best.workers) > lower:
                raise SolverError(
                    f"the search offers {len(level.parts)} parts and {len(best.workers)} workers "
                    f"for η={eta} within {lower}: please report this placement"
                )
        elif level.finished:
            lower += 1
        else:
            return SearchAnswer(lower, best, visited, stopped=True)
        tell()
    return SearchAnswer(lower, best, visited, stopped=False)


@dataclass(frozen=True)
class Level:
    """How the search within one number of workers ended."""

    finished: bool
    parts: tuple[int, ...] | None
    nodes: int


def refute(
    tables: Tables,
    eta: int,
    limit: int,
    roots: Sequence[Decisions],
    *,
    watch: Watch,
    nodes: int | None = None,
    tell: Callable[[], None] = lambda: None,
) -> Level:
    """Search for η parts with at most ``limit`` holders, or show that there are none.

    The answer does not depend on the number of threads: of several finds the first case's
    counts.
    """
    quick = Case(tables, eta, limit, ()) if roots == ((),) else None
    if quick is not None:
        quick.go_on(slice_of(tables), watch)
        if quick.finished:
            return Level(True, quick.parts, quick.nodes)
    threads = watch.settings.thread_count
    decisions, visited = split(tables, eta, limit, roots, CASES_PER_THREAD * threads)
    watch.count(visited)
    run = _Run([Case(tables, eta, limit, d) for d in decisions], watch, nodes)
    run.on_threads(threads, tell)
    visited += sum(case.nodes for case in run.cases) + (quick.nodes if quick else 0)
    found = next((c.parts for c in run.cases if c.parts is not None), None)
    return Level(not run.halt or found is not None, found, visited)


class Case:
    """One case of a search: it can be run a while, looked at and run on.

    Its arrays are plain data; a case may be copied or sent to another process as it stands.
    """

    def __init__(self, tables: Tables, eta: int, limit: int, decisions: Decisions) -> None:
        from gcdesign.adversary.thresholds import branching_kernel as kernel

        self.limit = limit
        self.tables = tables
        self.state = fresh_state(tables, eta)
        for part in decisions:
            role = self.state.role[part if part >= 0 else ~part]
            if role == kernel.OPEN:
                (kernel.take if part >= 0 else kernel.leave)(
                    tables, self.state, part if part >= 0 else ~part
                )

    def go_on(self, nodes: int, watch: Watch | None = None) -> None:
        """Visit up to so many more nodes, or as many as the watch has left; it counts them."""
        from gcdesign.adversary.thresholds.branching_kernel import advance

        before, left = self.nodes, None if watch is None else watch.nodes_left
        advance(self.tables, self.state, self.limit, nodes if left is None else min(nodes, left))
        if watch is not None:
            watch.count(self.nodes - before)

    def look(self) -> int:
        """Visit the root alone: −1 if refuted, −2 if it is an attack, else where to branch."""
        from gcdesign.adversary.thresholds.branching_kernel import visit

        return int(visit(self.tables, self.state, self.limit))

    @property
    def nodes(self) -> int:
        """Nodes visited."""
        from gcdesign.adversary.thresholds.branching_kernel import NODES

        return int(self.state.numbers[NODES])

    @property
    def finished(self) -> bool:
        """Whether an attack was found or none is left."""
        from gcdesign.adversary.thresholds.branching_kernel import RUNNING, STATUS

        return bool(self.state.numbers[STATUS] != RUNNING)

    @property
    def parts(self) -> tuple[int, ...] | None:
        """The parts of the attack that was found."""
        from gcdesign.adversary.thresholds.branching_kernel import FOUND, IN, STATUS

        if self.state.numbers[STATUS] != FOUND:
            return None
        return tuple(np.flatnonzero(self.state.role == IN).tolist())


class _Run:
    """Cases that threads take one after the other."""

    def __init__(self, cases: list[Case], watch: Watch, nodes: int | None) -> None:
        self.cases = cases
        self.halt = False
        self._slice = slice_of(cases[0].tables) if cases else 0
        self._next = iter(range(len(cases)))
        self._first_found = len(cases)
        self._watch = watch
        self._left = float("inf") if nodes is None else nodes

    def on_threads(self, threads: int, tell: Callable[[], None]) -> None:
        """Run the cases on so many threads; this one tells of it and passes an interruption on."""
        with ThreadPoolExecutor(max_workers=threads) as pool:
            try:
                left = [pool.submit(self.work) for _ in range(threads)]
                while wait(left, timeout=POLL_SECONDS).not_done:
                    tell()
                for worker in left:
                    worker.result()
            except BaseException:
                self.halt = True
                raise

    def work(self) -> None:
        """Run cases until none is left, one before them has an attack, or a limit comes."""
        for number in self._next:
            case = self.cases[number]
            while not case.finished and number < self._first_found:
                if self.halt or self._left <= 0 or self._watch.stopped():
                    self.halt = True
                    return
                case.go_on(self._slice, self._watch)
                self._left -= self._slice
            if case.parts is not None:
                self._first_found = min(self._first_found, number)


def split(
    tables: Tables, eta: int, limit: int, roots: Sequence[Decisions], most: int
) -> tuple[list[Decisions], int]:
    """Return cases that cover the roots, about ``most`` of them, and the nodes it took.

    Cases that are refuted at sight are left out; one that is an attack stays.
    """
    open_, done, visited = list(roots), list[Decisions](), 0
    while open_ and len(open_) + len(done) < most:
        deeper: list[Decisions] = []
        for decisions in open_:
            part = Case(tables, eta, limit, decisions).look()
            visited += 1
            if part == -2:
                done.append(decisions)
            elif part >= 0:
                deeper += [(*decisions, part), (*decisions, ~part)]
        open_ = deeper
    return done + open_, visited


def slice_of(tables: Tables) -> int:
    """Return the number of nodes between two looks at the clock."""
    return max(8, SLICE_WORK // max(1, len(tables.slots)))


def tables_of(placement: Placement, eta: int, pairs: Sequence[int] | None = None) -> Tables:
    """Return the placement as the compiled search reads it."""
    from gcdesign.adversary.thresholds.branching_kernel import Tables

    design = placement.design
    part_ptr, part_workers = placement.holders
    counted = np.full(eta + 1, -1) if pairs is None else np.array(pairs[: eta + 1])
    return Tables(
        part_ptr.astype(np.int64),
        part_workers.astype(np.int32),
        np.argsort(design.indices, kind="stable").astype(np.int64),
        design.indptr.astype(np.int64),
        design.indices.astype(np.int32),
        counted.astype(np.int64),
    )


def fresh_state(tables: Tables, eta: int) -> State:
    """Return the state of a search that has decided nothing."""
    from gcdesign.adversary.thresholds import branching_kernel as kernel

    loads = np.diff(tables.worker_ptr)
    parts, workers = len(tables.part_ptr) - 1, len(loads)
    numbers = np.zeros(7, dtype=np.int64)
    numbers[kernel.WANTED], numbers[kernel.LEFT] = eta, parts
    return kernel.State(
        role=np.zeros(parts, dtype=np.int8),
        hits=np.zeros(workers, dtype=np.int32),
        cap=loads.astype(np.int32),
        fresh=np.diff(tables.part_ptr).astype(np.int32),
        shares=_equal_shares(loads, kernel.UNIT),
        trail=np.zeros(parts + 1, dtype=np.int32),
        stack=np.zeros((parts + 1, 3), dtype=np.int32),
        price=np.zeros(parts, dtype=np.int64),
        scratch=np.zeros(parts + 1, dtype=np.int64),
        row=np.zeros(max(1, int(loads.max(initial=1))), dtype=np.int64),
        worth=np.zeros(workers, dtype=np.float64),
        numbers=numbers,
    )


def _equal_shares(loads: NDArray[np.int64], unit: int) -> NDArray[np.int64]:
    shares: NDArray[np.int64] = np.repeat(unit // np.maximum(loads, 1), loads)
    return shares
