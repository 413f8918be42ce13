"""Logical features over Othello, ours against Prolog: `python -m bench.features`."""
