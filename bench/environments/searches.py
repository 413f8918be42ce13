"""Measurement of batch searches: simulations per processor second, and the time spent on transposing bits."""

from __future__ import annotations

import cProfile
import pstats
import time

from reasoner.batch import Batch
from reasoner.machine import Machine
from search.batch import BatchOptions, BatchSearch

GAMES, SIMULATIONS = 512, 100
TURNING = {("blocks.py", "unpack"), ("blocks.py", "packed"), ("batch.py", "put")}
"""Functions that read and write masks and states (file, name). Writing also checks whether a state is terminal."""


def searched(machine: Machine) -> tuple[float, float]:
    """Return the simulations per processor second of GAMES searches in a batch, and the time share of transposing."""
    states = Batch(machine, GAMES, seed=1).states
    search = BatchSearch(machine, GAMES, BatchOptions(simulations=SIMULATIONS, seed=1))
    search.search(states)  # compiles the kernels
    began = time.process_time()
    search.search(states)
    rate = GAMES * SIMULATIONS / (time.process_time() - began)
    profile = cProfile.Profile(time.process_time)
    profile.runcall(search.search, states)
    # Keys are (file, line, name), values are (calls, calls, own time, total time, callers).
    functions = pstats.Stats(profile).stats  # type: ignore[attr-defined]
    turning = sum(all_time for (file, _, name), (_, _, _, all_time, _) in functions.items() if _named(file, name))
    total = sum(own for _, _, own, _, _ in functions.values())
    return rate, turning / total


def _named(file: str, name: str) -> bool:
    return (file.rpartition("/")[2], name) in TURNING and "reasoner" in file
