"""One module for each family of block designs; see `gcdesign.designs.registry`."""
