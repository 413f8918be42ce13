"""Benchmark of logical features over Othello against Prolog: `python -m bench.features`."""
