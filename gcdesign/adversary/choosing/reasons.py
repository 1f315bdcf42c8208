"""What speaks for a recommended code and against it, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gcdesign.adversary.choosing.chooser import Recommendation, Wish

ROUNDING = 1e-9
"""Times K: a proved error below this is called nothing."""

TIES = (
    "decodes better conditioned",
    "leaves fewer workers idle",
    "gives a worker less of the data",
    "is decoded with less work",
    "comes first by name",
)


def reasons(one: Recommendation, wish: Wish) -> list[str]:
    """Return what is to be known of a code: its error and its proof, and how it fits."""
    texts = [_guarantee(one), *_fit(one, wish)]
    if one.condition > 1 + 1e-9:
        texts.append(f"rounding is magnified up to {one.condition:.3g} times in decoding")
    return texts


def _guarantee(one: Recommendation) -> str:
    found, parts = one.guaranteed, one.fit.code.parts
    silent = "1 worker silent" if found.asked == 1 else f"{found.asked} workers silent"
    if one.status == "construction":
        return f"made to lose nothing with any {one.fit.code.tolerates} workers silent"
    if found.upper <= ROUNDING * parts:
        but = ", but for rounding" if found.upper else ""
        return f"with any {silent} nothing is lost{but} ({found.proof})"
    high = float(found.upper) / parts
    if found.status == "exact":
        return f"with the worst {silent} {high:.2%} of the data is lost ({found.proof})"
    return (
        f"only a bracket is known: with the worst {silent} {float(found.lower) / parts:.2%} to "
        f"{high:.2%} of the data is lost (from above: {found.proof})"
    )


def _fit(one: Recommendation, wish: Wish) -> list[str]:
    fit, texts = one.fit, []
    if fit.idle:
        texts.append(f"{fit.idle} of {wish.workers} workers left idle")
    if fit.left_out:
        texts.append(
            f"made for {fit.code.workers + fit.left_out} workers, of which the last "
            f"{fit.left_out} are left out"
        )
    if fit.each > 1:
        texts.append(f"each of its {fit.code.parts} parts stands for {fit.each} of yours")
    if fit.padded:
        texts.append(f"{fit.padded} empty parts added")
    if fit.load < wish.load:
        texts.append(f"load {fit.load} of {wish.load} used")
    texts.append(f"a worker computes {fit.share:.1%} of the data")
    return texts


def compared(best: Recommendation, second: Recommendation, wish: Wish, criterion: int) -> str:
    """Return why the best is the best: by what it beats the next.

    ``criterion`` is the first in which they differ: the error that codes are ranked by, the
    other error, condition, idle workers, share of the data, cost, name.
    """
    if criterion > 1:
        return f"best: its errors equal those of {second.fit.name}, and it {TIES[criterion - 2]}"
    kind = wish.kinds[criterion]
    equal = f"of those with the least {wish.kinds[0]} error, " if criterion else ""
    return (
        f"best: {equal}the least {kind} error, {best.share(kind):.2%} of the data against "
        f"{second.share(kind):.2%} of {second.fit.name}"
    )
