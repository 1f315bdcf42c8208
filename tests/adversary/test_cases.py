"""Searches in cases: the same answer whoever works on them, and an end when it is time."""

from __future__ import annotations

import importlib
import json
import multiprocessing
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from gcdesign.adversary.running.budget import resident_bytes
from gcdesign.adversary.running.cases import Finished, run_cases
from gcdesign.adversary.running.journal import SCHEMA, Journal
from gcdesign.adversary.running.settings import Settings, Watch
from gcdesign.errors import InputError

TOYS = Path(__file__).parent / "toys"
HEADER = {"schema": SCHEMA, "question": "toys"}


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module of toy searches, which started processes find too."""
    monkeypatch.syspath_prepend(str(TOYS))
    return importlib.import_module("toy_search")


@pytest.fixture(scope="module")
def processes() -> Iterator[Executor]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(TOYS))
        with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
            yield pool


def endings(found: list[Finished]) -> list[int]:
    """Return the numbers found, in the order of the paths."""
    assert all(one.outcome["done"] for one in found)
    assert len({one.path for one in found}) == len(found)
    return [n for one in sorted(found, key=lambda one: one.path) for n in one.outcome["found"]]


EXPECTED = [n for n in range(3000) if str(n * n).endswith("21")]
CASES = [(0, 500), (500, 510), (510, 2900), (2900, 3000)]


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_threads(toys: Any, threads: int) -> None:
    watch = Watch(Settings(threads=threads))
    run = run_cases(toys.count_endings, {"ending": "21"}, CASES, watch=watch, label="x")
    assert endings(list(run)) == EXPECTED
    assert watch.nodes == 3000
    assert watch.stopped() is None


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_executors(toys: Any, processes: Executor, threads: int) -> None:
    for executor in (processes, ThreadPoolExecutor(2)):
        watch = Watch(Settings(threads=threads, executor=executor))
        run = run_cases(toys.count_endings, {"ending": "21"}, CASES, watch=watch, label="x")
        assert endings(list(run)) == EXPECTED
        assert watch.nodes == 3000
    executor.shutdown()


def test_slices_go_on_where_they_ended(toys: Any, processes: Executor) -> None:
    """A slice is half a second, the cases take over a second."""
    shared = {"ending": "21", "pause": 0.002, "smallest": 10**6}
    watch = Watch(Settings(threads=2, executor=processes))
    run = run_cases(toys.count_endings, shared, [(0, 600), (600, 900)], watch=watch, label="x")
    assert endings(list(run)) == [n for n in EXPECTED if n < 900]
    assert watch.nodes == 900


def test_cases_without_a_state_get_longer_slices(toys: Any, processes: Executor) -> None:
    watch = Watch(Settings(threads=2, executor=processes))
    run = run_cases(toys.slow_starter, 0.7, [3], watch=watch, label="x")
    assert [found.outcome for found in run] == [{"found": 3, "done": True}]


def test_parts_are_given_away_where_workers_are_idle(toys: Any) -> None:
    shared = {"ending": "21", "pause": 0.0005}
    watch = Watch(Settings(threads=2))
    found = list(run_cases(toys.count_endings, shared, [(0, 300)], watch=watch, label="x"))
    assert len(found) > 2
    assert endings(found) == [n for n in EXPECTED if n < 300]


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_the_first_that_is_enough_is_the_same_in_every_run(toys: Any, threads: int) -> None:
    shared = {"ending": "21", "smallest": 10**6}
    cases = [(0, 10), (12, 2000), (11, 12), (2000, 3000)]
    run = run_cases(
        toys.count_endings,
        shared,
        cases,
        watch=Watch(Settings(threads=threads)),
        label="x",
        enough=lambda outcome: bool(outcome["found"]),
    )
    found = [one for one in run if one.outcome["found"]]
    assert min(found).path == (1,)
    assert min(found).outcome["found"][0] == 39
    assert [one.path for one in found if one.path <= (1,)] == [(1,)]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("remote", [False, True])
def test_news_spare_work(toys: Any, processes: Executor, threads: int, remote: bool) -> None:
    """The greatest remainder modulo 7 is 6; it is found first where it cannot be left out."""
    watch = Watch(Settings(threads=threads, executor=processes if remote else None))
    cases = [(7, 30), *((0, last) for last in range(1, 7)), (0, 13), (13, 14)]
    best: list[int] = []
    run = run_cases(
        toys.greatest_remainder,
        7,
        cases,
        watch=watch,
        label="x",
        news=lambda: max(best, default=None),
    )
    found = []
    for one in run:
        best.append(one.outcome["best"])
        found.append(one)
    first = min(found, key=lambda one: (-one.outcome["best"], one.path))
    assert (first.path, first.outcome["best"], first.outcome["at"]) == ((0,), 6, 13)
    assert watch.nodes <= (3 if threads == 1 else len(cases))


def stop_it(watch: Watch) -> None:
    threading.Timer(0.2, watch.halt, args=("enough of it",)).start()


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("remote", [False, True])
def test_every_case_is_yielded_when_it_is_time_to_stop(
    toys: Any, processes: Executor, threads: int, remote: bool
) -> None:
    before = threading.active_count()
    watch = Watch(Settings(threads=threads, executor=processes if remote else None))
    stop_it(watch)
    found = list(run_cases(toys.hopeless, None, range(5), watch=watch, label="x"))
    assert [one.case for one in found] == list(range(5))
    assert not any(one.outcome["done"] for one in found)
    assert [one.outcome["best"] for one in found[:threads]] == list(range(threads))
    assert watch.stopped() == "enough of it"
    assert remote or threading.active_count() <= before


def test_limits_of_nodes_and_time(toys: Any, processes: Executor) -> None:
    for executor in (None, processes):
        for settings, reason in (
            (Settings(threads=2, node_limit=100, executor=executor), "node limit of 100"),
            (Settings(threads=2, time_limit=0.3, executor=executor), "time limit of 0.3 s"),
        ):
            watch = Watch(settings)
            found = list(run_cases(toys.hopeless, None, range(3), watch=watch, label="x"))
            assert len(found) == 3
            assert watch.stopped() == reason
            assert not any(one.outcome["done"] for one in found)


def test_a_node_limit_is_kept_by_one_thread(toys: Any) -> None:
    watch = Watch(Settings(threads=1, node_limit=700))
    run = run_cases(toys.count_endings, {"ending": "21"}, CASES, watch=watch, label="x")
    assert [one.outcome["done"] for one in run] == [True, True, False, False]
    assert watch.nodes == 700


def test_a_memory_limit(toys: Any, processes: Executor) -> None:
    held = resident_bytes()
    assert held is not None
    for executor, workers in ((None, 1), (processes, 2)):
        limit = workers * (held + (200 << 20))
        watch = Watch(Settings(threads=workers, memory_limit=limit, executor=executor))
        (found,) = run_cases(toys.hold_memory, 4000, [0], watch=watch, label="x")
        assert not found.outcome["done"]
        assert 0 < found.outcome["held"] < 4000
        assert (watch.stopped() or "").startswith("memory limit of")


@pytest.mark.parametrize("remote", [False, True])
def test_what_a_case_raises_ends_the_search(toys: Any, processes: Executor, remote: bool) -> None:
    watch = Watch(Settings(threads=2, executor=processes if remote else None))
    with pytest.raises(ValueError, match="case 1 has no answer"):
        list(run_cases(toys.refuse, None, [1], watch=watch, label="x"))


def test_a_worker_that_dies_leaves_the_cases_open(toys: Any) -> None:
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        watch = Watch(Settings(threads=1, executor=pool))
        found = list(run_cases(toys.die, None, range(2), watch=watch, label="x"))
    assert [one.outcome for one in found] == [{"done": False}] * 2
    assert (watch.stopped() or "").startswith("the executor failed: ")


def test_closing_ends_the_work(toys: Any, tmp_path: Path) -> None:
    before = threading.active_count()
    watch = Watch(Settings(threads=2))
    run = run_cases(toys.slow_starter, 0.0, range(100), watch=watch, label="x")
    next(run)
    run.close()
    assert threading.active_count() <= before


def test_an_interruption_ends_the_work(toys: Any, tmp_path: Path) -> None:
    before, stop = threading.active_count(), Event()

    def interrupt() -> None:
        while not (tmp_path / "begun-0").exists():
            time.sleep(0.005)
        signal.raise_signal(signal.SIGINT)

    watch = Watch(Settings(threads=2, stop=stop))
    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        list(run_cases(toys.hopeless, str(tmp_path), [0, 1], watch=watch, label="x"))
    thread.join()
    deadline = time.monotonic() + 10
    while threading.active_count() > before and time.monotonic() < deadline:
        time.sleep(0.01)  # where the interruption fell, a thread may be at its last step
    assert threading.active_count() <= before


def test_a_journal_saves_what_was_done(toys: Any, tmp_path: Path) -> None:
    shared = {"ending": "21", "smallest": 10**6}
    path = tmp_path / "run.jsonl"
    nodes = []
    for limit in (600, 600, 600, None):
        with Journal(path, HEADER) as journal:
            watch = Watch(Settings(threads=1, node_limit=limit), journal)
            run = run_cases(toys.count_endings, shared, CASES, watch=watch, label="x")
            found = list(run)
            nodes.append(watch.nodes)
    assert endings(found) == EXPECTED
    assert nodes == [600, 600, 600, 1200], "nothing was done twice"
    assert [one.case for one in found] == CASES


def test_the_journal_does_not_answer_for_other_cases(toys: Any, tmp_path: Path) -> None:
    for cases in ([(0, 30)], [(30, 60)]):
        with Journal(tmp_path / "run.jsonl", HEADER) as journal:
            watch = Watch(Settings(threads=1), journal)
            (found,) = run_cases(toys.count_endings, {"ending": "1"}, cases, watch=watch, label="x")
            first, last = cases[0]
            assert found.outcome["found"] == [n for n in range(first, last) if n % 10 in (1, 9)]


@pytest.mark.parametrize("threads", [1, 2])
def test_a_forged_state_is_refused(toys: Any, tmp_path: Path, threads: int) -> None:
    path = tmp_path / "run.jsonl"
    for limit in (10, None):
        with Journal(path, HEADER) as journal:
            watch = Watch(Settings(threads=threads, node_limit=limit), journal)
            shared = {"ending": "21", "smallest": 10**6, "pause": 0.001}
            run = run_cases(toys.count_endings, shared, [(0, 500)], watch=watch, label="x")
            if limit:
                assert [one.outcome["state"][1] for one in run] == [500]
            else:
                with pytest.raises(InputError, match="the search cannot go on from"):
                    list(run)
        entry = json.loads(path.read_text().splitlines()[-1])
        entry["outcome"]["state"] = [0, {}]
        with path.open("a") as lines:
            lines.write(json.dumps(entry) + "\n")


def test_killed_in_the_middle(toys: Any, tmp_path: Path) -> None:
    """Killed while it works on case 6; then again from the journal, which cases 0–5 are in."""
    log = tmp_path / "log"
    command = [sys.executable, str(TOYS / "toy_search.py"), str(tmp_path / "run.jsonl"), str(log)]
    with subprocess.Popen([*command, "6"], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "waiting\n"
        process.kill()
    assert process.returncode == -signal.SIGKILL
    answer = subprocess.run([*command, "-1"], capture_output=True, text=True, check=True)
    assert answer.stdout == f"{[n * n for n in range(10)]}\n"
    assert log.read_text().split() == [*"0123456", *"6789"]
