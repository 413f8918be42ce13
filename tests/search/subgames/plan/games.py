"""Games compiled for the tests of plans."""

from __future__ import annotations

import reasoner
from reasoner.lanes.machine import CircuitMachine


def machine_of(text: str) -> CircuitMachine:
    machine = reasoner.load(text, "circuit")
    assert isinstance(machine, CircuitMachine)
    return machine
