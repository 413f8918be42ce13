"""Search of the cone of one subgame; results are expressed in moves of the whole game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from reasoner.lanes.machine import CircuitMachine
from reasoner.lanes.program import schedule
from search.clock import Clock
from search.native.search import NativeSearch
from search.network.storage import Model
from search.options import SearchOptions
from search.report import MoveReport, PartReport, Report
from search.subgames.network_of_part import PartNetwork
from search.subgames.subgame_circuit import SubgameCircuit

UNCERTAINTY_WEIGHT = 0.5
"""Weight of the uncertainty of a value: the value is reduced by this weight / sqrt(visits + 1)."""


@dataclass(frozen=True, slots=True)
class Advice:
    """The move that the search of a subgame recommends; classes are of moves of the whole game."""

    moves: frozenset[int]  # the best class: the idle one if every other class is worth less
    acting: frozenset[int]  # the best class except the idle one
    gain: float  # -1..1, value of `acting` minus that of idling; 0 if idling is impossible


class SubgameSearch:
    """Search of a subgame's cone for one role, from the cone's initial state; `state` is the state of the whole game.

    `model`, a network of the whole game, evaluates the states as if the other subgames did not change.
    """

    def __init__(
        self,
        cone: SubgameCircuit,
        machine: CircuitMachine,
        role: int,
        state: bytes,
        options: SearchOptions,
        clock: Clock,
        model: Model | None = None,
    ) -> None:
        self.cone = cone
        self._role = role
        self._machine = CircuitMachine(schedule(cone.circuit, machine.emitter), machine.relational)
        self._state = self._machine.initial()
        known = PartNetwork(model, machine.circuit, cone) if model is not None else None
        self._network = known if known is not None and known.knows else None
        here = self._network.at(state) if self._network is not None else None
        self._search = NativeSearch(self._machine, role, self._state, options, clock, here)
        self._class = {move: number for number, members in enumerate(cone.members) for move in members}
        self._of_role = [*accumulate(map(len, cone.circuit.moves), initial=0)]

    @property
    def forced(self) -> bool:
        """Whether there is nothing to choose here."""
        return self._search.forced

    @property
    def solved(self) -> bool:
        """Whether the search is complete."""
        return self._search.solved

    @property
    def over(self) -> bool:
        """Whether the subgame is over."""
        return self._machine.terminal(self._state)

    def think(self, deadline: float, stop: Callable[[], bool]) -> None:
        """See `search.search.Search.think`."""
        self._search.think(deadline, stop)

    def commit(self, move: int) -> None:
        """Search only positions after `move` of the whole game, which was sent to the game manager."""
        if move in self._class and not self._machine.terminal(self._state):
            self._search.commit(self.cone.circuit.move(self._class[move]))

    def follows(self, joint: Sequence[int], state: bytes) -> bool:
        """Continue from `state` of the whole game, reached by `joint`; False if the cone predicts another state."""
        here = self.cone.state(state)
        terms = [self.cone.circuit.move(self._class[move]) for move in joint if move in self._class]
        legal = self._machine.legal(self._state)
        if len(terms) < len(joint) or any(move not in own for move, own in zip(terms, legal, strict=True)):
            return False
        if self._machine.next(self._state, terms) != here:
            return False
        if self._network is not None:
            self._search.set_model(self._network.at(state))
        self._search.advance(terms, here)
        self._state = here
        return True

    def advice(self) -> Advice | None:
        """Return the best moves in the subgame; None if there is no move other than idling."""
        own = self._machine.legal(self._state)[self._role]
        start = self._of_role[self._role]
        number = {move: start + i for i, move in enumerate(self.cone.circuit.moves[self._role])}
        reports = {number[each.move]: each for each in self._search.moves()}
        idle = self.cone.idle[self._role]
        acting = [move for move in reports if move != idle]
        if not own or not acting:
            return None
        best = preferred = number[self._search.best()]
        if best == idle:
            best = max(acting, key=lambda move: (reports[move].proven and reports[move].value, reports[move].visits))
        values = {move: _cautious(each) for move, each in reports.items()}
        rests = preferred == idle and reports[best].value < reports[idle].value
        return Advice(
            moves=frozenset(self.cone.members[idle if rests else best]),
            acting=frozenset(self.cone.members[best]),
            gain=values[best] - values[idle] if idle in values else 0.0,
        )

    def part(self, played: int) -> PartReport | None:
        """Return the report for people; None without a choice. `played`: the move that is played in the whole game."""
        advice = self.advice()
        if advice is None or self._search.forced:
            return None
        reports = self._search.moves()
        ranked = sorted(reports, key=lambda each: self._members(each) != advice.moves)  # stable
        gain = advice.gain if advice.moves == advice.acting else 0.0
        return PartReport(tuple(ranked), gain, played in advice.moves)

    def _members(self, each: MoveReport) -> frozenset[int]:
        """Return the moves of the whole game in the class of a reported move."""
        move = self.cone.circuit.moves[self._role].index(each.move)
        return frozenset(self.cone.members[self._of_role[self._role] + move])

    def report(self) -> Report:
        """See `search.search.Search.report`; each move represents its class."""
        return self._search.report()


def _cautious(each: MoveReport) -> float:
    return each.value / 100 - (0.0 if each.proven else UNCERTAINTY_WEIGHT / (each.visits + 1) ** 0.5)
