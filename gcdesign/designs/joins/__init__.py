"""Designs from a group by exact joins: quotients first, then lists of single base blocks.

How the blocks of each base block's orbit meet the cells of a quotient is settled first; then good
base blocks are listed one by one, each near its own share of the pairs, and the lists are joined
exactly.
"""
