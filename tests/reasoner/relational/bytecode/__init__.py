"""Tests of the interpreter of join plans, from outside: models and answers, not single instructions.

`test_engine` holds it against the naive twin (`tests/naive.py`) and against clingo on random stratified programs,
in which every instruction, relation and stratum of the code occurs; `test_bounds` gives it programs that never end
or grow too large. What states, moves and random games it makes is shown by `tests/conformance.py` for every
machine, by `tests/test_traces.py` on recorded play, and its counts of features in `tests/reasoner/relational`.
"""
