"""The command line: it parses, calls the library and shows what comes back."""

from gcdesign.cli.main import main

__all__ = ["main"]
