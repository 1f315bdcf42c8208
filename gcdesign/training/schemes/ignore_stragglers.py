"""No coding, and the last S workers are not waited for: what is heard is scaled up."""

from __future__ import annotations

from gcdesign.codes import load_code
from gcdesign.training.linear import CodeScheme
from gcdesign.training.registry import Request, SchemeKind


def make(request: Request) -> CodeScheme:
    """Return the scheme: the sum over the first N − S workers, times N/(N − S)."""
    code = load_code(f"uncoded:workers={request.workers}")
    scheme = CodeScheme(code, request.stragglers, decoder="one-step", name="ignore-stragglers")
    scheme.label = f"ignore stragglers (N={request.workers}, S={request.stragglers})"
    return scheme


SCHEME = SchemeKind(
    name="ignore-stragglers",
    summary="one part each, and the sum of the first N − S workers scaled by N/(N − S)",
    source="Tandon, Lei, Dimakis, Karampatziakis 2017, section 5",
    make=make,
    options={},
)
