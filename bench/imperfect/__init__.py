"""Benchmark of games of imperfect information (GDL-II): ``python -m bench.imperfect GAME``.

`players` chooses moves by what a role knows, `run` plays a game of them in this process.
"""
