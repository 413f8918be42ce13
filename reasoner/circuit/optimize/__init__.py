"""The same functions with fewer gates: rewritings of a graph, one idea a file, listed in `passes.py`."""
