"""The end of a run: every worker takes leave, and nothing that was sent stays under way."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from gcdesign.training.cluster.inbox import Inbox
from gcdesign.training.cluster.outbox import Outbox
from gcdesign.training.cluster.wire import Tag

END_SECONDS = 5.0
"""How long the workers' processes have for taking leave."""


class UnendedError(Exception):
    """Some workers' processes do not take leave.

    Parameters
    ----------
    workers
        Which.
    """

    def __init__(self, workers: set[int]) -> None:
        super().__init__(f"workers {', '.join(map(str, sorted(workers)))} do not end")
        self.workers = workers


def end_workers(comm: Any, inbox: Inbox, outbox: Outbox) -> int:
    """Tell all workers that the run is over, and receive what they have sent until then.

    Returns
    -------
    The number of messages that still came.

    Raises
    ------
    UnendedError
        If a worker does not take leave in time.
    """
    counts = [np.array([sent], np.int64) for sent in outbox.sent]
    signals = [comm.Isend(c, dest=worker + 1, tag=Tag.END) for worker, c in enumerate(counts)]
    sent: dict[int, int] = {}
    late = 0
    end = time.monotonic() + END_SECONDS
    while not (
        len(sent) == len(counts)
        and all(inbox.received[worker] >= number for worker, number in sent.items())
        and outbox.is_settled()
        and all(signal.Test() for signal in signals)
    ):
        letters, news = inbox.wait(-1)
        late += len(letters)
        sent |= {one.worker: one.numbers[0] for one in news if one.kind == "bye"}
        if time.monotonic() > end:
            raise UnendedError(set(range(len(counts))) - sent.keys())
    inbox.close()
    return late
