"""Rewritings of the rules before they are grounded, one pass a file."""
