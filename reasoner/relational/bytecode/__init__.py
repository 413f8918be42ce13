"""Rules as join plans in one array of numbers, which a native interpreter runs: nothing is compiled per game."""
