"""Upper ends of err_S beyond formulas: semidefinite relaxations, and branch and bound on them."""
