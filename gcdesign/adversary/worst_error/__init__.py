"""err_S, the worst squared decoding error: closed forms, attacks, and searches of all sets."""
