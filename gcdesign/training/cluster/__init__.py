"""Training on a cluster: a master and N workers under MPI."""
