"""One module an experiment, named as the experiment; it declares an ``EXPERIMENT``."""
