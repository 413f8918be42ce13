"""Games compiled for the tests of plans."""

from __future__ import annotations

from reasoner.lanes.machine import CircuitMachine
from tests.machines import built


def machine_of(text: str) -> CircuitMachine:
    return built(text)
