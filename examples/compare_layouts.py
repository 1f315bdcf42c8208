"""Which layout for about 30 workers? Compare five by what stragglers can do to them.

For each layout: what it costs (the share of all data that a worker holds), how many silent
workers lose one part altogether, and the worst error for a few numbers of stragglers as a
share of all parts. A value whose status is "bracket" would be printed as a range.
"""

from __future__ import annotations

import sys

import gcdesign

LAYOUTS = (
    "pg:q=5",
    "ag:q=5",
    "dual-ag:q=5",
    "frc:workers=30,stragglers=5",
    "uncoded:workers=30",
)
STRAGGLERS = (3, 6, 10)


def shown(result: gcdesign.AttackResult, whole: int) -> str:
    """Return an answer as a share of ``whole``, or the bracket that is known."""
    if result.status == "exact":
        return f"{float(result.value) / whole:.3f}"
    return f"{float(result.lower) / whole:.3f}–{float(result.upper) / whole:.3f}"


def main() -> int:
    """Print the table; 1 if some value is not exact."""
    head = ["layout", "N", "K", "load/K", "S*(1)", *(f"err_{s}/K" for s in STRAGGLERS), "status"]
    rows = [head]
    exact = True
    for name in LAYOUTS:
        code = gcdesign.load_code(name)
        lost = gcdesign.threshold(code.placement, 1)
        errors = [gcdesign.worst_case_error(code, s) for s in STRAGGLERS]
        statuses = {result.status for result in (lost, *errors)}
        exact &= statuses == {"exact"}
        rows.append(
            [
                code.label,
                str(code.workers),
                str(code.parts),
                f"{int(code.placement.loads.max()) / code.parts:.3f}",
                str(lost.value),
                *(shown(result, code.parts) for result in errors),
                ", ".join(sorted(statuses)),
            ]
        )
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        print("  ".join(cells).rstrip())
    print()
    print("The worst set of stragglers is meant: an adversary who knows the layout.")
    plane, repetition = gcdesign.load_code(LAYOUTS[0]), gcdesign.load_code(LAYOUTS[3])
    for code in (plane, repetition):
        needed = gcdesign.error_threshold(code, code.parts / 5)
        print(f"{code.label}: {needed.value} stragglers can make the error a fifth of all parts.")
    return 0 if exact else 1


if __name__ == "__main__":
    sys.exit(main())
