"""The experiments of Tandon et al., on small sizes: what must hold, and what must be told."""

from __future__ import annotations

import pytest

from gcdesign.errors import GcdesignError
from gcdesign.papers import reproduce
from gcdesign.papers.tandon import nearest_alpha

SMALL_5 = {"steps": 300, "samples": 240, "features": 5, "training_steps": 10}
SMALL_7 = {"samples": 600, "steps": 12, "sizes": 1}


def test_delays_cost_the_naive_run_and_no_coded_one() -> None:
    result = reproduce("tandon-fig5", changes=SMALL_5)
    found = {claim.subject: claim.verdict for claim in result.claims}
    assert found.pop("labels of the artificial data") == "differs"
    assert found.pop("covariance of the artificial data") == "differs"  # p is not 100
    assert set(found.values()) == {"agrees"}
    assert [panel.title for panel in result.panels] == [
        "delay of S = 1 random workers",
        "delay of S = 2 random workers",
        "slowness of S = 1 random workers",
        "slowness of S = 2 random workers",
    ]
    curves = {series.label: series for series in result.panels[1].series}
    assert curves["cyclic"].y[-1] == pytest.approx(curves["cyclic"].y[-2])
    assert curves["naive"].y[-1] - curves["naive"].y[-2] == pytest.approx(0.5, rel=0.02)


def test_slow_machines_cost_the_naive_run_most() -> None:
    result = reproduce("tandon-fig6", changes={"steps": 1000})
    curves = {series.label: series for series in result.panels[0].series}
    assert curves["naive"].x == (10, 20, 30)
    assert curves["frc, S = 2"].x == (30,)
    for label, series in curves.items():
        if label.startswith(("cyclic", "frc")):
            by_size = dict(zip(curves["naive"].x, curves["naive"].y, strict=True))
            assert all(y < by_size[x] for x, y in zip(series.x, series.y, strict=True))
    quick = reproduce("tandon-fig6", changes={"steps": 1000, "spell": 0.0, "work": 40.0})
    assert quick.claims[0].verdict == "differs"  # where nobody is slow, coding only costs


def test_scores_are_drawn_against_time() -> None:
    result = reproduce("tandon-fig7", changes=SMALL_7)
    labels = [series.label for series in result.panels[0].series]
    assert labels == ["naive", "cyclic", "frc", "ignore, c₁/(t+c₂)", "ignore, accelerated"]
    curves = {series.label: series for series in result.panels[0].series}
    assert curves["naive"].y == pytest.approx(curves["cyclic"].y, abs=0.01)  # the same models
    assert sum(curves["cyclic"].x) < sum(curves["naive"].x)
    assert len(result.claims) == 3


@pytest.mark.parametrize("name", ["tandon-fig5", "tandon-fig6", "tandon-fig7"])
def test_an_experiment_ends_when_asked(name: str) -> None:
    result = reproduce(name, watch=lambda *_: True)
    assert result.stopped


@pytest.mark.parametrize(
    ("name", "changes", "message"),
    [
        ("tandon-fig5", {"workers": 2}, "workers=2; expected 3"),
        ("tandon-fig5", {"alpha": 1.0}, "alpha=1; expected more than 1"),
        ("tandon-fig5", {"work": -1.0}, "work=-1"),
        ("tandon-fig6", {"steps": 0}, "steps=0"),
        ("tandon-fig6", {"leave": 2.0}, "leave=2; expected a probability"),
        ("tandon-fig7", {"sizes": 4}, "sizes=4; the limit is 3"),
        ("tandon-fig7", {"rate": 0.0}, "rate=0"),
    ],
)
def test_senseless_settings_are_refused(name: str, changes: dict[str, float], message: str) -> None:
    with pytest.raises(GcdesignError, match=message):
        reproduce(name, changes=changes)


def test_alpha_is_rounded_to_what_there_is() -> None:
    assert nearest_alpha(12, 1, 1.2) == 1.2
    assert nearest_alpha(12, 2, 1.9) == 2.0
    assert nearest_alpha(12, 1, 50) == 3.0
