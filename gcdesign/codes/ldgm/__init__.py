"""LDGM codes: ensembles, peeling, density evolution, finite length and degree optimisation."""
