"""Laws of times: held against scipy's distributions, which share no code with them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from gcdesign.codes.times import LoadTime, Recorded, TimeLaw, parse_time
from gcdesign.errors import InputError, LimitError

PEERS = {
    "exp:rate=2": stats.expon(scale=0.5),
    "shifted-exp:shift=1,rate=2": stats.expon(loc=1, scale=0.5),
    "pareto:scale=1.5,shape=2.5": stats.pareto(2.5, scale=1.5),
    "weibull:scale=2,shape=0.7": stats.weibull_min(0.7, scale=2),
}


@pytest.mark.parametrize("text", PEERS)
def test_the_laws_are_scipys(text: str) -> None:
    law, peer = parse_time(text).law, PEERS[text]
    times, shares = np.linspace(-1, 9, 101), np.linspace(0, 0.999, 57)
    assert law.cdf(times) == pytest.approx(peer.cdf(times), abs=1e-14)
    assert law.survival(times) == pytest.approx(peer.sf(times), rel=1e-12)
    assert law.quantile(shares) == pytest.approx(peer.ppf(shares), rel=1e-12)
    assert law.mean == pytest.approx(peer.mean(), rel=1e-12)


def test_a_time_longer_than_any_number_is_infinite() -> None:
    law = parse_time("pareto:scale=1,shape=0.001").law  # (1 − u)^−1000
    assert law.quantile([0.5, 0.9999]).tolist() == [pytest.approx(2.0**1000), np.inf]


@pytest.mark.parametrize("text", [*PEERS, "fixed:time=2"])
def test_what_is_written_reads_back(text: str) -> None:
    for more in ("", ",work=0.25", ",scaled=no", ",work=3,scaled=no"):
        assert parse_time(text + more).written == text + more


@pytest.mark.parametrize("text", [*PEERS, "fixed:time=2"])
@given(u=st.floats(0, 0.999), load=st.integers(1, 50), work=st.floats(0, 9), scaled=st.booleans())
def test_a_quantile_is_the_least_time_that_reaches_the_share(
    text: str, u: float, load: int, work: float, scaled: bool
) -> None:
    time = LoadTime(parse_time(text).law, work=work, scaled=scaled)
    t = float(time.quantile(u, load))
    assert time.cdf(t * (1 + 1e-9) + 1e-12, load) >= u - 1e-9
    assert time.cdf(t * (1 - 1e-9) - 1e-12, load) <= u + 1e-6 or text == "fixed:time=2"
    assert time.cdf(t, load) + time.late(t, load) == pytest.approx(1)


@given(times=st.lists(st.floats(0, 100), min_size=1, max_size=30), t=st.floats(-1, 101))
def test_recorded_times_count_what_was_recorded(times: list[float], t: float) -> None:
    law = Recorded(tuple(times))
    assert law.cdf(t) == pytest.approx(sum(x <= t for x in times) / len(times))
    assert law.survival(t) == pytest.approx(sum(x > t for x in times) / len(times))
    assert law.quantile(0.0) == min(times)
    assert law.quantile(np.nextafter(1.0, 0.0)) == max(times)


def test_draws_have_the_law_and_a_worker_without_parts_is_done_at_once() -> None:
    time = parse_time("shifted-exp:shift=1,rate=2,work=0.5,scaled=no")
    drawn = time.draw(np.random.default_rng(1), [0, 1, 4], 4000)
    assert drawn.shape == (4000, 3)
    assert not drawn[:, 0].any()
    for column, work in ((1, 0.5), (2, 2.0)):
        law = stats.expon(loc=1 + work, scale=0.5)
        assert stats.kstest(drawn[:, column], law.cdf).pvalue > 0.001


def test_equal_seeds_give_the_same_slow_workers_under_every_law() -> None:
    orders = {
        tuple(np.argsort(parse_time(text).draw(np.random.default_rng(3), [1] * 8)).tolist())
        for text in PEERS
    }
    assert len(orders) == 1


def test_a_file_of_times_is_read(tmp_path: Path) -> None:
    path = tmp_path / "times.csv"
    path.write_text("# seconds\n3, 1\n2 2\n", encoding="utf-8")
    law: TimeLaw = parse_time(f"recorded:file={path}").law
    assert law.mean == 2
    assert law.steps is not None
    assert law.steps.tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("normal:mean=1", "no law of times"),
        ("", "no law of times"),
        ("exp", "has no rate"),
        ("exp:rate=fast", "expected a number"),
        ("exp:rate=0", "greater than 0"),
        ("exp:rate=-1", "greater than 0"),
        ("exp:rate=nan", "greater than 0"),
        ("exp:rate=inf", "greater than 0"),
        ("exp:rate=1,rate=2", "given twice"),
        ("exp:shift=1", "expected rate, work, scaled"),
        ("exp:rate", "expected rate, work, scaled"),
        ("exp:rate=1,scaled=maybe", "yes or no"),
        ("exp:rate=1,work=-1", "work=-1"),
        ("weibull:scale=1,shape=0.001", "0.01 or more"),
        ("recorded:file=/nowhere/times.csv", "times.csv: cannot be read"),
    ],
)
def test_wrong_laws_are_refused(text: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        parse_time(text)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"1\ntwo\n", "line 2: 'two'"),
        (b"", "no recorded time"),
        (b"1\n-2\n", "recorded time 1 is -2"),
        (b"nan\n", "recorded time 0 is nan"),
        (b"\xff\xfe1\n", "UTF-8"),
    ],
)
def test_wrong_files_of_times_are_refused(tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / "times.csv"
    path.write_bytes(content)
    with pytest.raises(InputError, match=says):
        parse_time(f"recorded:file={path}")


def test_files_that_do_not_end_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is no regular file has the size 0, as the system tells it, and may never end."""
    with pytest.raises(InputError, match="not a regular file"):
        parse_time("recorded:file=/dev/zero")
    (tmp_path / "many.csv").write_text("1\n" * 100)
    monkeypatch.setattr("gcdesign.codes.times.reading.MAX_BYTES", 150)
    with pytest.raises(LimitError, match="larger than 150 bytes"):
        parse_time(f"recorded:file={tmp_path / 'many.csv'}")


@pytest.mark.parametrize(
    "text", ["exp:rate=1e308", "exp:rate=1e-320", "pareto:scale=1,shape=1e-9", "exp:rate=1,work=9"]
)
def test_times_beyond_the_largest_number_are_infinite(text: str) -> None:
    """No warning, no NaN; and a worker without parts is done at once all the same."""
    time = parse_time(text)
    drawn = time.draw(np.random.default_rng(0), [0, 1, 3], 200)
    assert not drawn[:, 0].any()
    assert (drawn[:, 1:] > 0).all()
    assert time.cdf([1e300, np.inf], 3).tolist()[1] == 1
    assert time.late([0.0, np.inf], 1).tolist() == [1, 0]
