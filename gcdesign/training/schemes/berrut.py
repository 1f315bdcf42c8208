"""Coded samples in place of coded gradients: Berrut approximated coded computing."""

from __future__ import annotations

from typing import cast

from gcdesign.codes.computing import BerrutCode
from gcdesign.errors import InputError
from gcdesign.training.coded_batches import BerrutScheme, Labels, Pairing
from gcdesign.training.registry import Request, SchemeKind


def make(request: Request) -> BerrutScheme:
    """Return the scheme; by default there are as many parts as workers, so that each has one."""
    options = request.options
    parts = _whole("parts", options.get("parts", str(request.workers)))
    code = BerrutCode(parts, request.workers, _whole("degree", options.get("degree", "0")))
    labels = cast(Labels, options.get("labels", "raw"))
    pairing = cast(Pairing, options.get("pairing", "given"))
    return BerrutScheme(code, request.stragglers, labels=labels, pairing=pairing)


def _whole(name: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise InputError(f"{name}={text}; expected a whole number") from None


SCHEME = SchemeKind(
    name="berrut",
    summary="one coded part each, whose gradient approximates; any N − S workers are decoded",
    source="Jahani-Nezhad, Maddah-Ali 2020",
    make=make,
    options={
        "parts": "number of parts K (default N)",
        "degree": "degree of the interpolants (default 0, Berrut's)",
        "labels": "raw (default) or clipped: coded labels within their range, summing to 1",
        "pairing": "given (default) or classes: samples of like targets are combined",
    },
)
