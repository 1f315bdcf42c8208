"""gcdesign."""
