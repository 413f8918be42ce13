"""Courts, which play the matches between one player and one opponent, with either clock."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from agent.gamemaster.rulesheet import Rulesheet
from bench.strength import inturn
from bench.strength.chooser import Chooser, ChooserSide, Onlooker
from bench.strength.entries import Entry
from bench.strength.exact import Exact
from bench.strength.inturn import Played
from bench.strength.scores import seat_in
from bench.strength.seats import SeatProcess, Side
from bench.strength.stockfish import Stockfish
from reasoner import load
from reasoner.machine import Machine


@dataclass(frozen=True)
class Clocks:
    """`kind`: processor, wall or simulations. `start`, `move`: seconds; with simulations, `move` is their number."""

    kind: str
    start: float
    move: float


class Court(Protocol):
    """Interface that plays the matches of two sides. Raises SeatError, ValueError and the game manager's errors."""

    def play(self, sheet: Rulesheet, number: int, seed: int) -> Played:
        """Play match `number`: the player has one seat, the opponent has all other seats."""

    def close(self) -> None:
        """Stop all processes."""


class Machines:
    """Cache of the machines that judge matches."""

    def __init__(self) -> None:
        self._known: dict[str, Machine] = {}

    def of(self, sheet: Rulesheet) -> Machine:
        """Return the relational machine of a game."""
        if sheet.text not in self._known:
            self._known[sheet.text] = load(sheet.text, engine="relational")
        return self._known[sheet.text]


class InTurn:
    """A `Court` whose sides think in turn, for processor seconds or a number of simulations."""

    def __init__(self, player: Entry, opponent: Entry, clocks: Clocks) -> None:
        self._clocks = clocks
        self._machines = Machines()
        self._held: list[SeatProcess | Chooser] = []
        self._sides = [self._held_for(player), self._held_for(opponent)]

    def play(self, sheet: Rulesheet, number: int, seed: int) -> Played:
        """See `Court`."""
        machine = self._machines.of(sheet)
        sides = [_side(held, machine, sheet) for held in self._sides]
        seat, clocks = seat_in(machine.roles, number), self._clocks
        counted = clocks.kind == "simulations"
        terms = inturn.Terms(None if counted else clocks.start, None if counted else clocks.move, seed)
        return inturn.play(machine, lambda role: sides[role != seat], terms)

    def close(self) -> None:
        """See `Court`."""
        for held in self._held:
            held.close()

    def _held_for(self, entry: Entry) -> SeatProcess | Chooser:
        settings = dict(entry.settings)
        if self._clocks.kind == "simulations":
            settings = {"simulations": str(int(self._clocks.move))} | settings
        held = SeatProcess(entry.folder, settings) if entry.folder else chooser_for(entry)
        self._held.append(held)
        return held


def chooser_for(entry: Entry) -> Chooser:
    """Return the opponent for an entry that is neither a search nor a URL. Raises ValueError."""
    if entry.kind == "exact":
        return Exact()
    if entry.kind == "fairy-stockfish":
        return Stockfish(dict(entry.settings))
    raise ValueError(f"{entry.text} supports only the wall clock: give --clock wall")


def _side(held: SeatProcess | Chooser, machine: Machine, sheet: Rulesheet) -> Side:
    if isinstance(held, SeatProcess):
        held.rules(sheet.text)
        return held
    return ChooserSide(Onlooker(held, machine))
