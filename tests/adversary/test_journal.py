"""The journal: what a crash leaves can be read, what does not belong there is refused."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from itertools import count
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gcdesign.adversary import (
    AttackResult,
    Settings,
    error_threshold,
    threshold,
    threshold_profile,
    worst_case_error,
    worst_case_error_profile,
)
from gcdesign.adversary.running import journal as journals
from gcdesign.adversary.running.journal import SCHEMA, Journal, placement_digest
from gcdesign.adversary.worst_error import enumeration
from gcdesign.codes import GradientCode, Placement, load_code
from gcdesign.errors import GcdesignError, InputError, OutputError

HEADER = {"schema": SCHEMA, "question": "test"}
FIRST = json.dumps(HEADER, separators=(",", ":")).encode() + b"\n"
OUTCOMES: list[tuple[str, dict[str, Any]]] = [
    ("a", {"lower": 1}),
    ("b", {"parts": [2, 3]}),
    ("a", {"lower": 2, "η": None}),
]

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
outcomes = st.dictionaries(st.text(), json_values, max_size=4)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "run.jsonl"


def write(path: Path) -> bytes:
    with Journal(path, HEADER) as journal:
        for key, outcome in OUTCOMES:
            journal.record(key, outcome)
    return path.read_bytes()


def read(path: Path) -> dict[str, Any]:
    with Journal(path, HEADER) as journal:
        return {key: journal.outcome(key) for key in ("a", "b", "c")}


def test_the_last_outcome_of_a_key_counts(path: Path) -> None:
    assert write(path).count(b"\n") == 4
    assert read(path) == {"a": {"lower": 2, "η": None}, "b": {"parts": [2, 3]}, "c": None}


def test_without_a_file_nothing_is_remembered() -> None:
    journal = Journal()
    journal.record("a", {"lower": 1})
    assert journal.outcome("a") is None
    assert not journal.on_disk


def test_cut_off_anywhere(path: Path) -> None:
    """Whatever part of the file was written, the whole lines in it count and it can go on."""
    whole = write(path)
    for length in range(len(whole) + 1):
        path.write_bytes(whole[:length])
        lines = whole[:length].count(b"\n")
        known: dict[str, Any] = {"a": None, "b": None, "c": None}
        known |= dict(OUTCOMES[: max(0, lines - 1)])
        assert read(path) == known
        with Journal(path, HEADER) as journal:
            journal.record("c", {"new": True})
        assert read(path) == known | {"c": {"new": True}}
        assert all(json.loads(line) for line in path.read_bytes().splitlines())


def test_a_last_line_of_rubbish_is_dropped_and_an_earlier_one_refused(path: Path) -> None:
    whole = write(path)
    for rubbish in (b"\0\0\0\n", b'{"key": 1, "outcome": {}}\n', b"[" * 100_000 + b"\n"):
        path.write_bytes(whole + rubbish)
        assert read(path)["a"] == {"lower": 2, "η": None}
        path.write_bytes(whole + rubbish + b'{"key":"c","outcome":{}}\n')
        with pytest.raises(InputError, match="line 5 of the journal is damaged"):
            read(path)


@pytest.mark.parametrize(
    "content",
    [
        b"no journal\n",
        b"no journal",
        b"\n",
        b'{"schema": "gcdesign.attack/1"}\n',
        b"[1, 2]\n",
        b"\xff\xfe\n",
        b"[" * 100_000 + b"\n",
        b'{"schema": NaN}\n',
    ],
)
def test_other_files_are_refused_and_left_alone(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(InputError, match="is no journal of gcdesign"):
        read(path)
    assert path.read_bytes() == content


def test_a_journal_of_another_question(path: Path) -> None:
    whole = write(path)
    with pytest.raises(InputError, match="its question is 'test', not 'other'; name another file"):
        Journal(path, HEADER | {"question": "other"})
    with pytest.raises(InputError, match="its eta is None, not 3"):
        Journal(path, HEADER | {"eta": 3})
    assert path.read_bytes() == whole


def test_one_run_at_a_time(path: Path) -> None:
    pytest.importorskip("fcntl", reason="no locks on this system")
    with Journal(path, HEADER), pytest.raises(InputError, match="in use by another run"):
        Journal(path, HEADER)


def test_what_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="cannot open the journal"):
        Journal(tmp_path, HEADER)
    with pytest.raises(OutputError, match="cannot open the journal"):
        Journal(tmp_path / "none" / "run.jsonl", HEADER)
    with pytest.raises(InputError, match="no regular file"):
        Journal(Path("/dev/null"), HEADER)


def test_limits_bound_what_is_read(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(path)
    monkeypatch.setattr(journals, "MAX_KEYS", 1)
    with pytest.raises(InputError, match="over 1 outcomes"):
        read(path)
    path.unlink()
    monkeypatch.setattr(journals, "MAX_LINE", 200)
    with Journal(path, HEADER) as journal:
        journal.record("a", {})
        with pytest.raises(OutputError, match="full"):
            journal.record("b", {})
        journal.record("a", {"long": "x" * 200})  # left out
    assert read(path)["a"] == {}
    path.write_bytes(FIRST + b'{"key":"' + b"x" * 1000 + b'","outcome":{}}\n')
    with pytest.raises(InputError, match="damaged"):
        read(path)
    monkeypatch.setattr(journals, "MAX_BYTES", 100)
    with pytest.raises(InputError, match="at most 100"):
        read(path)


@settings(max_examples=60, deadline=None)
@given(entries=st.lists(st.tuples(st.text(max_size=5), outcomes), max_size=6), cut=st.integers(0))
def test_what_is_recorded_is_read(
    tmp_path_factory: pytest.TempPathFactory, entries: list[tuple[str, Any]], cut: int
) -> None:
    path = tmp_path_factory.mktemp("journal") / "run.jsonl"
    with Journal(path, HEADER) as journal:
        for key, outcome in entries:
            journal.record(key, outcome)
        assert all(journal.outcome(key) == outcome for key, outcome in dict(entries).items())
    whole = path.read_bytes()
    length = len(FIRST) + cut % (len(whole) - len(FIRST) + 1)
    path.write_bytes(whole[:length])
    kept = dict(entries[: whole[:length].count(b"\n") - 1])
    with Journal(path, HEADER) as journal:
        assert all(journal.outcome(key) == kept.get(key) for key, _ in entries)


@settings(max_examples=60, deadline=None)
@given(rest=st.lists(st.binary(max_size=40) | outcomes.map(lambda o: json.dumps(o).encode())))
def test_any_content_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, rest: list[bytes]
) -> None:
    path = tmp_path_factory.mktemp("journal") / "run.jsonl"
    path.write_bytes(FIRST + b"\n".join(rest))
    with suppress(InputError), Journal(path, HEADER) as journal:
        journal.record("new", {"lower": 1})
        assert journal.outcome("new") == {"lower": 1}


def random_code(workers: int, parts: int, seed: int = 1) -> GradientCode:
    rng = random.Random(seed)
    blocks = [[rng.random() < 0.35 for _ in range(parts)] for _ in range(workers)]
    return GradientCode.from_matrix(blocks)


def same(one: AttackResult, other: AttackResult) -> bool:
    return replace(one, seconds=0.0) == replace(other, seconds=0.0)


CODE = random_code(12, 10)
SMALL = random_code(9, 6).placement
Ask = Callable[[Settings], tuple[AttackResult, ...]]
QUESTIONS: dict[str, Ask] = {
    "threshold": lambda settings: (threshold(CODE.placement, 4, settings),),
    "thresholds": lambda settings: threshold_profile(SMALL, settings),
    "error": lambda settings: (worst_case_error(CODE, 4, settings=settings),),
    "errors": lambda settings: worst_case_error_profile(CODE, settings=settings),
    "one-step": lambda settings: worst_case_error_profile(
        CODE, decoder="one-step", settings=settings
    ),
    "error-threshold": lambda settings: (error_threshold(CODE, 3, settings=settings),),
}


def fail(*_: Any, **__: Any) -> Any:
    raise AssertionError("searched again what the journal knows")


@pytest.mark.parametrize("ask", QUESTIONS.values(), ids=QUESTIONS)
def test_a_second_run_searches_nothing_again(
    path: Path, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = ask(Settings(threads=1))
    settings = Settings(threads=1, journal=path)
    first = ask(settings)
    assert all(same(a, b) for a, b in zip(plain, first, strict=True))
    assert all(result.status == "exact" for result in first)
    monkeypatch.setattr("gcdesign.adversary.thresholds.solver._run", fail)
    monkeypatch.setattr(enumeration, "optimal_extremes", fail)
    monkeypatch.setattr(enumeration, "one_step_extremes", fail)
    again = ask(settings)
    assert all(same(a, b) for a, b in zip(plain, again, strict=True))


@pytest.mark.parametrize("ask", QUESTIONS.values(), ids=QUESTIONS)
def test_a_run_that_was_stopped_goes_on(path: Path, ask: Ask) -> None:
    """Stopped at an early sign of progress, then at later ones, until it comes to its end."""
    plain = ask(Settings(threads=1))
    for patience in (0, 2, 9, 12, 1000):
        stop, told = Event(), count()

        def progress(*_: Any, stop: Event = stop, told: Any = told, most: int = patience) -> None:
            if next(told) >= most:
                stop.set()

        last = ask(Settings(threads=1, journal=path, progress=progress, stop=stop))
    assert not stop.is_set()
    assert all(same(a, b) for a, b in zip(plain, last, strict=True))


def test_a_journal_is_bound_to_its_question(path: Path) -> None:
    settings = Settings(journal=path)
    threshold(CODE.placement, 4, settings)
    other = random_code(12, 10, seed=2)
    refused: dict[str, Callable[[], Any]] = {
        "asked": lambda: threshold(CODE.placement, 5, settings),
        "placement": lambda: threshold(other.placement, 4, settings),
        "seed": lambda: threshold(CODE.placement, 4, replace(settings, seed=1)),
        "method": lambda: threshold(CODE.placement, 4, replace(settings, method="greedy")),
        "question|decoder": lambda: worst_case_error(CODE, 4, settings=settings),
    }
    for name, ask in refused.items():
        with pytest.raises(InputError, match=f"another question: its ({name}) is"):
            ask()
    weighted = GradientCode(CODE.placement, CODE.encoding.data * 1.5)
    path.unlink()
    worst_case_error(CODE, 2, settings=settings)
    with pytest.raises(InputError, match="its weights is None"):
        worst_case_error(weighted, 2, settings=settings)


def test_the_digest_sees_the_placement_and_nothing_else() -> None:
    plane = load_code("pg:q=2").placement
    blocks = [plane.design.block(worker).tolist() for worker in range(7)]
    bare = Placement(type(plane.design).from_blocks(blocks, points=7))
    assert placement_digest(plane) == placement_digest(bare)
    assert placement_digest(plane) != placement_digest(load_code("uncoded:workers=7").placement)


FORGED = {
    "too few parts": {"parts": [0, 1]},
    "a part twice": {"parts": [0, 1, 2, 2]},
    "no such part": {"parts": [0, 1, 2, 10]},
    "no numbers": {"parts": [0, 1, 2, True]},
    "no list": {"parts": {"0": 1}},
    "a proof against the attack": {"lower": 13},
    "no proof": {"lower": 2.5},
    "nothing proves it": {"proof": None},
}


@pytest.mark.parametrize("change", FORGED.values(), ids=FORGED)
def test_a_forged_threshold_is_refused(path: Path, change: dict[str, Any]) -> None:
    settings = Settings(threads=1, journal=path)
    result = threshold(CODE.placement, 4, settings)
    right = {"lower": 1, "proof": "?", "parts": list(result.parts)}
    first = path.read_bytes().splitlines(keepends=True)[0]
    for outcome, fine in ((right, True), (right | change, False)):
        path.write_bytes(first + json.dumps({"key": "η=4", "outcome": outcome}).encode() + b"\n")
        if fine:
            assert same(threshold(CODE.placement, 4, settings), result)
            continue
        with pytest.raises(GcdesignError, match="the journal's outcome for η=4"):
            threshold(CODE.placement, 4, settings)


def test_forged_extremes_are_refused(path: Path) -> None:
    settings = Settings(threads=1, journal=path)
    result = worst_case_error(CODE, 4, settings=settings)
    first, line = path.read_bytes().splitlines(keepends=True)
    worst = json.loads(line)["outcome"]
    assert tuple(worst["worst"][0][1]) == result.workers
    changes: list[dict[str, Any]] = [
        {"worst": []},
        {"worst": [[1.0, [0, 1, 2]]]},
        {"worst": [[1.0, [0, 1, 2, 99]]]},
        {"worst": [["1", 2]]},
        {"worst": [[1.0, [0, 1, 2, 3]], [2.0, [0, 1, 2, 4]]]},
        {"worst": [[float(result.value) / 2, list(result.workers)]]},
        {"mildest": 3},
        {"least": None},
        {"least": 10**400},
    ]
    for change in changes:
        entry = {"key": "S=4", "outcome": worst | change}
        path.write_bytes(first + json.dumps(entry).encode() + b"\n")
        with pytest.raises(InputError, match="the journal's outcome for S=4"):
            worst_case_error(CODE, 4, settings=settings)
