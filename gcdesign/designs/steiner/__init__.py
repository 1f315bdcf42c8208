"""Steiner systems: triple systems, Kirkman's, quadruple systems, Witt's designs."""
