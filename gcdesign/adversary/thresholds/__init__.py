"""S*(η), the fewest workers whose silence loses η parts: bounds, attacks, and exact searches."""
