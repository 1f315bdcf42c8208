"""No coding: every worker holds one part, and the master waits for all of them."""

from __future__ import annotations

from gcdesign.codes import load_code
from gcdesign.training.linear import CodeScheme
from gcdesign.training.registry import Request, SchemeKind


def make(request: Request) -> CodeScheme:
    """Return the scheme; the stragglers of the request are waited for like everybody."""
    code = load_code(f"uncoded:workers={request.workers}")
    scheme = CodeScheme(code, 0, name="naive")
    scheme.label = f"naive (N={request.workers})"
    return scheme


SCHEME = SchemeKind(
    name="naive",
    summary="one part each, and the master waits for all workers",
    source="Tandon, Lei, Dimakis, Karampatziakis 2017, section 5",
    make=make,
    options={},
)
