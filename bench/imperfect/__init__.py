"""Benchmark of games of imperfect information (GDL-II): ``python -m bench.imperfect GAME``.

`players` has players that choose moves from a role's knowledge; `run` plays a match between them in this process.
"""
