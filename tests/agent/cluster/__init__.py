"""Clusters of several nodes on this machine, which the tests kill; skipped where Ray is not installed."""
