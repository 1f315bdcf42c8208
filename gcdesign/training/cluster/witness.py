"""A process beside the master that tells how a job ended when the master cannot.

Launchers kill all processes of a job when one of them is lost, the master among them. The witness
is in a session of its own, so that it is not met, and it ends as soon as it has spoken.
"""

from __future__ import annotations

import os
import sys
from multiprocessing.connection import Connection

WITNESS = -1
"""In place of a worker's number."""

ALL_IS_WELL = b"."


def bear_witness(pipe: Connection) -> None:
    """Wait for the master's end, and say the words that it left unless all is well."""
    if hasattr(os, "setsid"):
        os.setsid()
    end_with_parent(0)
    last_words = ""
    try:
        while (said := pipe.recv_bytes()) != ALL_IS_WELL:
            last_words = said.decode()
    except (EOFError, ConnectionResetError):
        print(f"gcdesign: {last_words}", file=sys.stderr, flush=True)


def end_with_parent(number: int) -> None:
    """Have the system send this process a signal when its parent ends; 0 for none."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(1, number)  # PR_SET_PDEATHSIG
