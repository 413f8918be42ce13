"""What every way to solve a game of one role answers to, and what it finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from reasoner.arrays import Bools
from reasoner.lanes.machine import CircuitMachine


@dataclass(frozen=True, slots=True)
class Found:
    """Moves, numbers in the circuit, from the state that was asked about to an end worth `value` points."""

    value: int
    moves: tuple[int, ...]


class Method(Protocol):
    """A way to look for the best end from one state; it works in turns, each a few milliseconds if that can be.

    state: [searched] the values of the bases, of a state that is not over; memory: in bytes.
    """

    name: str

    @property
    def alone(self) -> float:
        """Seconds since the ways were begun in which it has its turns before others have theirs."""

    @property
    def leads(self) -> float:
        """Of these the seconds in which no other has any while it does not wait: it is cheap, and sure or soon done."""

    def __init__(self, machine: CircuitMachine, state: Bools, memory: int) -> None: ...

    @property
    def done(self) -> bool:
        """Whether more turns bring nothing."""

    @property
    def waiting(self) -> bool:
        """Whether it only waits for another process."""

    @property
    def bound(self) -> int:
        """Points that no end from the state surpasses: those of the machine where no less are known."""

    @property
    def told(self) -> str:
        """How far it came, for people."""

    def turn(self, beaten: int) -> Found | None:
        """Go on a little; an end worth more than `beaten` points, if one was found in this turn."""

    def advance(self, move: int, state: Bools) -> bool:
        """Go on from `state`, which a move led to; False where it has to be begun anew."""

    def close(self) -> None:
        """Let go of processes and memory."""
