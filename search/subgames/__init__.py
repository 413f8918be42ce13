"""Playing a compound game by its subgames: each has a circuit of its own, searched apart; the moves are recombined."""
