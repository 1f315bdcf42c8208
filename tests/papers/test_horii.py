"""The learning experiment with LDGM codes, small, against what is known without a run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gcdesign.errors import InputError
from gcdesign.papers import reproduce

DATA = Path(__file__).parents[1] / "data" / "ldgm_reference_values.json"
REFERENCE = json.loads(DATA.read_text(encoding="utf-8"))
SMALL = {"samples": 240, "features": 8, "steps": 20, "repeats": 1, "largest_degree": 4}


def test_the_waits_that_the_paper_prints() -> None:
    time = reproduce("horii-fig3", changes=SMALL)
    waits = [claim for claim in time.claims if claim.subject.startswith("expected wait")]
    right = REFERENCE["horii_Twait"]["(H_240-H_1)/mu"]
    printed = REFERENCE["horii_Twait"]["seed values mu=0.5,1,2"]
    for claim, ours, theirs in zip(waits, right, printed, strict=True):
        assert claim.verdict == "differs"
        assert claim.ours == f"{ours:.3f}"
        assert float(claim.paper) == theirs
    assert [len(panel.series) for panel in time.panels] == [4, 4, 4]
    rs = time.panels[0].series[-1]
    assert rs.x[0] == pytest.approx(right[0])


def test_no_code_uses_more_gradients_than_uncoded() -> None:
    few = {"workers": 24, "parts": 12, "samples": 48}
    steps = reproduce("horii-fig2", changes=SMALL | few)
    assert steps.panels[0].series[0].x == tuple(range(1, 21))
    for claim in steps.claims:
        if "share of the gradients" in claim.subject:
            assert claim.verdict == ("not stated" if "0.5" in claim.subject else "differs")
    assert steps.stopped is None


def test_an_early_end_shows_what_is_done() -> None:
    found = reproduce("horii-fig3", changes=SMALL, watch=lambda _, done: done > 0.3)
    assert len(found.panels) == 1
    assert found.stopped is not None


def test_refusals() -> None:
    for changes, message in (
        ({"parts": 100}, "^parts=100; expected a divisor of workers=240"),
        ({"steps": 0}, "^steps=0; expected 1 or more"),
        ({"samples": 100}, "^samples=100; expected one for each worker"),
    ):
        with pytest.raises(InputError, match=message):
            reproduce("horii-fig2", changes=changes)
