"""What is made of the statistics at the root, whichever search they come from: the move to play, and what is told."""
