"""Structures in finite geometries: circles, unitals, arcs, Baer subplanes, quadrangles."""
