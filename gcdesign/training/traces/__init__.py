"""Recorded times of workers: traces, their files, and models fitted to them."""

from gcdesign.training.traces.files import read_trace, trace_bytes
from gcdesign.training.traces.trace import Trace

__all__ = ["Trace", "read_trace", "trace_bytes"]
