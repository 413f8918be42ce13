"""Benchmark of batched environments against OpenSpiel and pgx, on one core: `python -m bench.environments`."""
