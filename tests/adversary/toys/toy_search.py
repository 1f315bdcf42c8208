"""Searches whose answers are plain to see, in a module that other processes can import.

A case is [first, last]: whole numbers to look at, one a node. Those whose square ends in the
digits of ``shared["ending"]`` are counted and the least of them is kept. As a program,
``toy_search.py JOURNAL EXECUTOR`` runs one search and prints what it found.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from gcdesign.adversary.running.budget import Budget


def count_endings(shared: Any, case: Any, budget: Budget) -> dict[str, Any]:
    """Look at the numbers one after the other; give parts away where they are wanted."""
    first, last, found = (*case, []) if len(case) == 2 else case
    modulus = 10 ** len(shared["ending"])
    for number in range(first, last):
        if budget.over():
            return {"done": False, "state": [number, last, found]}
        if budget.wants_split and last - number > shared.get("smallest", 8):
            middle = (number + last) // 2
            return {"found": found, "cases": [[number, middle], [middle, last]]}
        budget.count(1)
        time.sleep(shared.get("pause", 0))
        if number * number % modulus == int(shared["ending"]):
            found = [*found, number]
    return {"found": found}


def greatest_remainder(shared: Any, case: Any, budget: Budget) -> dict[str, Any]:
    """Find the first number of a case with the greatest remainder; leave out what is worse.

    No remainder exceeds the number itself.
    """
    first, last = case
    if budget.news is not None and last - 1 < budget.news:
        return {"best": -1, "at": None}
    budget.count(1)
    best = max(range(first, last), key=lambda number: (number % shared, -number))
    return {"best": best % shared, "at": best}


def hopeless(shared: Any, case: Any, budget: Budget) -> dict[str, Any]:
    """Work until told to stop, and say in a file that work has begun."""
    if shared is not None:
        Path(shared, f"begun-{case}").touch()
    while not budget.over():
        budget.count(1)
        time.sleep(0.005)
    return {"done": False, "best": case}


def slow_starter(shared: Any, case: Any, budget: Budget) -> dict[str, Any]:
    """Need a while in one piece, without a state to go on from."""
    end = time.monotonic() + shared
    while time.monotonic() < end:
        if budget.over():
            return {"done": False}
        time.sleep(0.005)
    return {"found": case}


def refuse(shared: Any, case: Any, budget: Budget) -> dict[str, Any]:
    """Fail."""
    raise ValueError(f"case {case} has no answer")


def die(shared: Any, case: Any, budget: Budget) -> dict[str, Any]:
    """End the worker's process at once."""
    os._exit(1)


def hold_memory(shared: Any, case: Any, budget: Budget) -> dict[str, Any]:
    """Hold more and more memory."""
    held: list[bytearray] = []
    for _ in range(shared):
        if budget.over():
            return {"done": False, "held": len(held)}
        held.append(bytearray(os.urandom(1)) * (1 << 20))
    return {"held": len(held)}


def wait_at(shared: Any, case: Any, budget: Budget) -> dict[str, Any]:
    """Note that the case was worked on; at one of them wait to be killed."""
    with Path(shared["log"]).open("a") as log:
        log.write(f"{case}\n")
    if case == shared["wait_at"]:
        print("waiting", flush=True)
        time.sleep(60)
    return {"square": case * case}


def main(journal: str, log: str, wait: int) -> None:
    """Square ten numbers, with a journal."""
    from gcdesign.adversary.running.cases import run_cases
    from gcdesign.adversary.running.journal import SCHEMA, Journal
    from gcdesign.adversary.running.settings import Settings, Watch

    with Journal(Path(journal), {"schema": SCHEMA, "question": "squares"}) as kept:
        watch = Watch(Settings(threads=1), kept)
        run = run_cases(wait_at, {"log": log, "wait_at": wait}, range(10), watch=watch, label="x")
        print(json.dumps([found.outcome["square"] for found in run]))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
