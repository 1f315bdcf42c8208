"""One module for each family of codes with weights; see `gcdesign.codes.registry`."""
