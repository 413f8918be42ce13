"""`python -m bench.environments`: steps per second of batches, beside OpenSpiel and pgx, on one core."""
