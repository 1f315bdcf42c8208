"""Answer requests, each in a fork of this process: a fresh one that has its imports in place.

Standard library only, since the interpreters of other programs run it too.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

Namespace = Mapping[str, Any]
Describe = Callable[[Any], Any]


def timed(request: dict[str, Any], names: Namespace, describe: Describe) -> dict[str, Any]:
    """Do what a request says: first its small sibling, then the task, and that by the clock.

    Both are a pair of Python expressions: one that makes ``x`` beforehand, and one that is
    measured and may use it. CPU milliseconds; what comes out is described after the clock.
    """
    spent = 0.0
    for setup, call in (request["small"], request["task"]):
        within = dict(names) | request["data"]
        within["x"] = eval(setup, within) if setup else None
        work = compile(call, "<task>", "eval")
        start = time.process_time()
        found = eval(work, within)
        spent = time.process_time() - start
    return {"cpu": 1000 * spent, "answer": describe(found)}


def serve(names: Namespace, describe: Describe) -> None:
    """Read requests from standard input, a JSON line each; write an answer for each.

    An answer that a task fails to give is the message of its exception.
    """
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            try:
                answer = timed(json.loads(line), names, describe)
            except Exception as error:
                answer = {"error": f"{type(error).__name__}: {error}"}
            print(json.dumps(answer), flush=True)
            os._exit(0)
        os.waitpid(child, 0)
