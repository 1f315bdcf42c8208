"""S*(η) of symmetric designs and of what they complete: parts and workers apart."""
