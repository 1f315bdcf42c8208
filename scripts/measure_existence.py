"""How many sets of parameters are decided: python scripts/measure_existence.py [--build] [--list].

The table tests/data/bibd_parameters.csv holds the 949 admissible parameters with v ≤ 200, k ≤ v/2
and r ≤ 41, and what SageMath 10.8 says of each. ``--build`` builds every design that has a recipe
and counts all its pairs of points; ``--list`` prints what is not known.
"""

from __future__ import annotations

import csv
import sys
import time
from collections import Counter
from pathlib import Path

from gcdesign.designs.existence import Answer, Exists, Unknown, exists
from gcdesign.designs.existence.catalogue import admissible

TABLE = Path(__file__).parents[1] / "tests" / "data" / "bibd_parameters.csv"


def summary(answers: list[Answer]) -> str:
    """Return one line: how many exist, with a recipe or by a theorem, and so on."""
    built = sum(isinstance(answer, Exists) and answer.recipe is not None for answer in answers)
    status = Counter(answer.status for answer in answers)
    decided = len(answers) - status["unknown"]
    return (
        f"{decided} of {len(answers)} decided: {built} with a recipe, "
        f"{status['exists'] - built} by a theorem alone, {status['impossible']} impossible; "
        f"{status['unknown']} unknown"
    )


def main(options: list[str]) -> None:
    """Print the coverage of the table and of the range of the Handbook."""
    rows = list(csv.DictReader(TABLE.read_text(encoding="utf-8").splitlines()))
    start = time.process_time()
    answers = [exists(int(row["v"]), int(row["k"]), int(row["lambda"])) for row in rows]
    seconds = time.process_time() - start
    print(f"v ≤ 200, k ≤ v/2, r ≤ 41   {summary(answers)} ({seconds:.2f} s)")
    print(f"k ≤ v/2, r ≤ 41            {summary([exists(*w) for w in admissible(41)])}")
    peer = Counter(row["sage_10_8"] for row in rows)
    print(f"SageMath 10.8              {dict(peer)}")
    wrong = [
        str(answer.wanted)
        for row, answer in zip(rows, answers, strict=True)
        if row["sage_10_8"] == "refutes" and answer.status == "exists"
    ]
    print(f"refuted by it, but exist   {len(wrong)}: {' '.join(wrong)}")
    named = Counter(
        answer.reason.partition(":")[0] for answer in answers if answer.status != "unknown"
    )
    for name, count in named.most_common():
        print(f"  {count:4d}  {name}")
    if "--list" in options:
        print(" ".join(str(answer.wanted) for answer in answers if isinstance(answer, Unknown)))
    if "--build" in options:
        start = time.process_time()
        count = 0
        for answer in answers:
            if isinstance(answer, Exists) and answer.recipe is not None:
                answer.build()
                count += 1
        print(f"{count} designs built and proved in {time.process_time() - start:.1f} s")


if __name__ == "__main__":
    main(sys.argv[1:])
