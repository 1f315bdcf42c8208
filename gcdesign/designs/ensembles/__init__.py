"""Random bipartite graphs with given degrees, as LDGM, LDPC and LT codes are drawn from them."""
