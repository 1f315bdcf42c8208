"""Projective planes that are not Desarguesian: Hall, Hughes, and translation planes of order 16."""
