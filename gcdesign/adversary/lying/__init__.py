"""Workers that lie instead of falling silent."""
