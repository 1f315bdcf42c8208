"""Graphs whose vertices or edges become workers; see `gcdesign.designs.graphs.catalogue`."""
