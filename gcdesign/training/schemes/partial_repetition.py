"""The two-message scheme for partial stragglers, with repetition coding of the second message."""

from __future__ import annotations

from functools import partial

from gcdesign.training.partial import OPTIONS, make_partial
from gcdesign.training.registry import SchemeKind

SCHEME = SchemeKind(
    name="partial-repetition",
    summary="private parts first, then parts in groups of S + 1 workers: two messages each",
    source="Tandon, Lei, Dimakis, Karampatziakis 2017, section 4",
    make=partial(make_partial, coding="repetition"),
    options=OPTIONS,
)
