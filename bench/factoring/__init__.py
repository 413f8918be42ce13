"""Benchmark of factoring: the time to find subgames, and the gain of searching them separately."""
