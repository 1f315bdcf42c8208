"""Which code for so many workers: every code that fits, the best first, and why."""
