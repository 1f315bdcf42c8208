"""How a search is run: its limits, its cases, who works on them, and its journal on disk."""
