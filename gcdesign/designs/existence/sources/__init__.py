"""Sources of designs with given parameters, one a module; each declares ``SOURCE``."""
