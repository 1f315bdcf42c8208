"""The two-message scheme for partial stragglers, with cyclic coding of the second message."""

from __future__ import annotations

from functools import partial

from gcdesign.training.partial import OPTIONS, make_partial
from gcdesign.training.registry import SchemeKind

SCHEME = SchemeKind(
    name="partial-cyclic",
    summary="private parts first, then parts in a cyclic repetition code: two messages each",
    source="Tandon, Lei, Dimakis, Karampatziakis 2017, section 4",
    make=partial(make_partial, coding="cyclic"),
    options=OPTIONS,
)
