"""Benchmark of batched environments beside OpenSpiel and pgx, on one core: `python -m bench.environments`."""
