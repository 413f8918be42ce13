"""Step counter of a game run ahead of a state: the values that are certain at each time, whatever the roles do.

Nodes have three values: false, true, and open if they may be either. Only the step counter's bases are known, so that a
value that is not open holds in all states with this setting of the step counter.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reasoner.arrays import Bytes, Literals
from reasoner.circuit.circuit import Circuit
from reasoner.kernels import kernel
from search.subgames.plan.errors import TooMuchError

Values = NDArray[np.uint8]

OPEN = 2
"""Third value of a node, besides 0 and 1."""

MAX_TIMES = 4_096
MAX_GATES = 400_000_000
"""Limits: settings of the step counter, and gates evaluated to find them."""


@kernel
def evaluate(left: Literals, right: Literals, first: int, value: Values) -> None:
    """Evaluate all gates; the values of node 0 and the inputs are given."""
    for gate in range(len(left)):
        a, b = value[left[gate] >> 1], value[right[gate] >> 1]
        a = a if a == OPEN else a ^ (left[gate] & 1)
        b = b if b == OPEN else b ^ (right[gate] & 1)
        value[first + gate] = 0 if a == 0 or b == 0 else OPEN if a == OPEN or b == OPEN else 1


def certain(circuit: Circuit, known: dict[int, int]) -> Values:
    """Return all nodes' values from the known values of some bases, by their numbers.  # [nodes]."""
    first = 1 + len(circuit.bases) + len(circuit.legal)
    value = np.full(first + len(circuit.left), OPEN, np.uint8)
    value[0] = 0
    for base, held in known.items():
        value[1 + base] = held
    evaluate(circuit.left, circuit.right, first, value)
    return value


def of_literals(value: Values, literals: Literals) -> Values:
    """Return the values of literals."""
    found = value[literals >> 1]
    flipped: Values = np.where(found == OPEN, found, found ^ (literals & 1)).astype(np.uint8)
    return flipped


@dataclass(frozen=True)
class CounterSchedule:
    """The settings of the step counter from a state on; T settings in order."""

    settings: tuple[tuple[int, ...], ...]  # [T] the values of the step counter's bases
    again: int  # the setting that follows the last; -1 if the game is over for certain at the last

    def index(self, time: int) -> int:
        """Return the number of the setting at a time; the state has time 0."""
        count = len(self.settings)
        if time < count or self.again < 0:
            return min(time, count - 1)
        return self.again + (time - self.again) % (count - self.again)

    @property
    def last(self) -> int | None:
        """The time when the game is over for certain."""
        return len(self.settings) - 1 if self.again < 0 else None


def run(
    circuit: Circuit, counter: tuple[int, ...], state: Bytes, look: Callable[[Values], None]
) -> Generator[None, None, CounterSchedule]:
    """Run the step counter from a state, and pass the nodes' values at each time to `look`.

    state: [bases], 0 or 1. Raises TooMuchError if the run is too long.
    """
    bases = np.array(counter, np.int64)
    setting, seen = tuple(state[bases].tolist()), dict[tuple[int, ...], int]()
    while setting not in seen:
        if len(seen) >= MAX_TIMES or len(seen) * len(circuit.left) > MAX_GATES:
            raise TooMuchError("the step counter takes too many values to run it ahead")
        seen[setting] = len(seen)
        value = certain(circuit, dict(zip(counter, setting, strict=True)))
        look(value)
        yield
        if of_literals(value, np.array([circuit.terminal], np.int32))[0] == 1:
            return CounterSchedule(tuple(seen), -1)
        setting = tuple(of_literals(value, circuit.next[bases]).tolist())
    return CounterSchedule(tuple(seen), seen[setting])


def ending_signals(circuit: Circuit, literals: tuple[int, ...]) -> list[tuple[bool, bool]]:
    """Return for each signal whether the whole is over for certain if it is false, and if it is true."""
    return [(_ends(circuit, literal, held=False), _ends(circuit, literal, held=True)) for literal in literals]


def _ends(circuit: Circuit, literal: int, *, held: bool) -> bool:
    """Return whether the game is over for certain if a literal has a value."""
    if circuit.terminal >> 1 == literal >> 1:
        return (circuit.terminal ^ literal) & 1 == (not held)
    first, node = 1 + len(circuit.bases) + len(circuit.legal), literal >> 1
    value = np.full(first + len(circuit.left), OPEN, np.uint8)
    value[0] = 0
    gates = max(0, node + 1 - first)
    value[node] = held ^ (literal & 1)
    evaluate(circuit.left[gates:], circuit.right[gates:], first + gates, value)
    return bool(of_literals(value, np.array([circuit.terminal], np.int32))[0] == 1)
