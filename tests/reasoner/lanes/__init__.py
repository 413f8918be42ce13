"""Tests of circuits played 512 games at once.

Each lane is held against one game at a time: `test_play` and `tactics` against the rules, `test_draw` and
`test_random_choice` against plain Python, `test_program` against the circuit's meaning, whatever rows are used again;
`test_feature_lanes` against enumeration. `tests/test_lane_replay.py` puts recorded states into lanes, and
`tests/conformance.py` asks the machine what it asks every machine. With `pytest --emitter avx2` (or `neon`, `portable`)
all of it runs as on a machine that has no better lanes.
"""
