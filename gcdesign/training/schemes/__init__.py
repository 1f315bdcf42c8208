"""One module for each scheme that is more than a gradient code; `registry` knows them by name."""
