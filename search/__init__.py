"""Monte Carlo tree search over any state machine."""
