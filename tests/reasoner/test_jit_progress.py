"""The progress of compilation is reported."""

from __future__ import annotations

import numba

from reasoner.jit_progress import EVERY, compiling


def compiled(seconds: float) -> list[tuple[int, int]]:
    """The reports while three functions are compiled, each taking so many seconds by a clock of the test's own."""
    reports: list[tuple[int, int]] = []
    time = 0.0

    def now() -> float:
        return time

    with compiling(lambda done, of: reports.append((done, of)), now):
        for number in range(3):
            time += seconds
            numba.njit(lambda x, number=number: x + number)(1)
    return reports


def test_what_is_compiled_is_counted_every_five_seconds():
    reports = compiled(EVERY)
    assert [done for done, _ in reports] == [1, 2, 3]
    assert all(of >= done for done, of in reports)
    assert len(compiled(EVERY / 2)) == 1


def test_a_short_compilation_is_not_reported():
    assert compiled(0.1) == []
