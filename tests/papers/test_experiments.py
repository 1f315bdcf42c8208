"""Experiments of the papers: declared soundly, and true to values computed elsewhere."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import pytest

from gcdesign.errors import InputError
from gcdesign.papers import (
    ExperimentResult,
    Panel,
    Series,
    all_experiments,
    csv_text,
    experiment,
    experiment_names,
    reproduce,
)

REFERENCE = json.loads(
    (Path(__file__).parents[1] / "data" / "reference_values.json").read_text(encoding="utf-8")
)


def verdicts(result: ExperimentResult) -> Mapping[str, str]:
    return {claim.subject: claim.verdict for claim in result.claims}


def test_every_experiment_is_declared_under_its_name() -> None:
    for name, declared in zip(experiment_names(), all_experiments(), strict=True):
        assert declared.name == name
        assert declared.scaled.keys() == declared.meaning.keys()
        assert declared.full.keys() <= declared.scaled.keys()
        assert declared.settings({}, full=False).keys() == declared.settings({}, full=True).keys()


def test_wrong_names_and_settings_are_refused() -> None:
    with pytest.raises(InputError, match="no experiment is called 'figure-1'; expected one of"):
        experiment("figure-1")
    with pytest.raises(InputError, match="has no setting 'p'; it has: q"):
        reproduce("kadhe-fig1a", changes={"p": 5})
    with pytest.raises(InputError, match=r"q=2\.5; expected a whole number"):
        reproduce("kadhe-fig1a", changes={"q": 2.5})
    with pytest.raises(InputError, match="6"):
        reproduce("kadhe-fig1a", changes={"q": 6})


def test_figure_1a_has_the_reference_values() -> None:
    result = reproduce("kadhe-fig1a")
    curves = {series.label: series for series in result.panels[0].series}
    reference = REFERENCE["fig1_q5"]
    for s, _, value in reference["PG"]:
        assert curves["PG(2,5)"].y[s] == float(Fraction(value))
    for label, name in (("dual AG(2,5)", "dualAG"), ("AG(2,5)", "AG")):
        for s, value in reference[name]:
            assert curves[label].y[s] == float(Fraction(value))


@pytest.mark.parametrize("q", [2, 3, 4])
def test_the_paper_is_right_but_for_affine_planes(q: int) -> None:
    found = verdicts(reproduce("kadhe-fig1b", changes={"q": q}, seed=1))
    differing = {subject for subject, verdict in found.items() if verdict == "differs"}
    assert differing == {"error of AG(2,q) depends on", "workers of AG(2,q), Table III"}


def test_a_run_says_what_it_was() -> None:
    result = reproduce("kadhe-fig1a", full=True, changes={"q": 2}, seed=7)
    assert (result.settings, result.seed, result.scale) == ({"q": 2}, 7, "full")
    assert result.seconds > 0


def test_the_csv_file_holds_every_point() -> None:
    result = reproduce("kadhe-fig1a", changes={"q": 3})
    rows = list(csv.DictReader(csv_text(result).splitlines()))
    for panel in result.panels:
        for series in panel.series:
            mine = [r for r in rows if (r["panel"], r["series"]) == (panel.title, series.label)]
            assert [float(row["x"]) for row in mine] == list(series.x)
            assert [float(row["y"]) for row in mine] == list(series.y)


def test_series_of_different_length_are_refused() -> None:
    with pytest.raises(InputError, match="different length"):
        Series("a", (1.0,), ())
    with pytest.raises(InputError, match="different length"):
        Series("a", (1.0,), (1.0,), lower=(0.0,))
    series = Series("a", (1.0,), (2.0,), lower=(1.0,), upper=(3.0,))
    result = ExperimentResult((Panel("p", "x", "y", (series,)),), ())
    assert csv_text(result).splitlines()[1] == "p,a,1.0,2.0,1.0,3.0"
