"""Measurements of random playouts."""

from __future__ import annotations

from itertools import count
from types import SimpleNamespace

import numpy as np
import pytest

from agent.measure import BuiltMachine, measure


class _Ticking:
    """A clock that runs one second for each reading."""

    def __init__(self) -> None:
        self.readings = count()

    def now(self) -> float:
        return float(next(self.readings))


def test_an_exception_in_one_thread_ends_the_measurement_in_all():
    """Ctrl-C during a long `ggp-agent bench` must not wait for the end of the time."""

    def playouts(_: object, games: int, seed: int) -> SimpleNamespace:
        if seed == 20:  # the first thread, whose result is awaited first
            raise KeyboardInterrupt
        return SimpleNamespace(lengths=np.ones(games), goals=np.zeros((games, 1)), seed=seed)

    machine = SimpleNamespace(roles=("a",), lanes=1, initial=lambda: None, playouts=playouts)
    clock = _Ticking()
    with pytest.raises(KeyboardInterrupt):
        measure(BuiltMachine("game", machine, 0.0), 20_000, 2, clock)  # type: ignore[arg-type]  # parts of both
    assert next(clock.readings) < 20_000
