"""Training: optimisers, losses, checkpoints and the solver."""
