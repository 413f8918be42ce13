"""Who waits for the compiler is told how far it is."""

from __future__ import annotations

import numba

from reasoner.jit_progress import EVERY, compiling


def compiled(seconds: float) -> list[tuple[int, int]]:
    """What is told while three functions are compiled, each taking so many seconds by a clock of the test's own."""
    told: list[tuple[int, int]] = []
    time = 0.0

    def now() -> float:
        return time

    with compiling(lambda done, of: told.append((done, of)), now):
        for number in range(3):
            time += seconds
            numba.njit(lambda x, number=number: x + number)(1)
    return told


def test_what_is_compiled_is_counted_every_five_seconds():
    told = compiled(EVERY)
    assert [done for done, _ in told] == [1, 2, 3]
    assert all(of >= done for done, of in told)
    assert len(compiled(EVERY / 2)) == 1


def test_who_compiles_nothing_for_long_hears_nothing():
    assert compiled(0.1) == []
