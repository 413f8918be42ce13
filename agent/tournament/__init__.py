"""Tournaments: players, games and seats in all combinations, kept as they are played, and what they say."""
