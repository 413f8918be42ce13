"""Game rules for OpenSpiel's states: choices, successors and percepts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, cached_property

from agent.environments.game_batch import machine_of_sheet, sheet_of
from agent.environments.table import players_of
from agent.gamemaster.errors import SeatError
from agent.gamemaster.rulesheet import Rulesheet
from reasoner.lanes.alternating_roles import take_turns
from reasoner.lanes.machine import CircuitMachine
from reasoner.language.terms import Term
from reasoner.machine import State
from reasoner.rules.percepts import Percepts
from reasoner.rules.points import worth

MAX_FORCED_STEPS = 10_000
"""Maximum number of consecutive joint moves without a choice; after them, a game counts as endless."""

Actions = tuple[int, ...]
"""Indices into a role's moves."""


@dataclass(frozen=True, slots=True)
class Round:
    """A joint move in a game with `sees`: legal moves, moves and percepts by role."""

    legal: tuple[Actions, ...]
    moves: Actions
    percepts: Percepts


@dataclass(frozen=True, slots=True)
class Position:
    """A machine state with its history. Immutable, so copies are shared.

    `rounds` is the history; it is empty with perfect information. `endless` is true if the maximum number of
    consecutive forced moves was made without an end of the game.
    """

    state: State
    rounds: tuple[Round, ...] = ()
    endless: bool = False

    def __deepcopy__(self, memo: object) -> Position:
        return self


class Rules:
    """Data shared by all states of a game.

    Copied states share this object. Pickled states store its `sheet`; without one, they cannot be pickled.
    """

    def __init__(
        self,
        machine: CircuitMachine,
        zero_sum: bool = False,
        sheet: Rulesheet | None = None,
        first: int | None = None,
    ) -> None:
        self.machine = machine
        self.sheet = sheet
        self.first = first  # the role that chooses first, for a sequential game
        self.players = players_of(machine)
        by_chance = [role for role in range(len(machine.roles)) if role not in self.players]
        if len(by_chance) > 1:
            raise SeatError("OpenSpiel supports one chance player; this game has more: remove all but one `random`")
        self.chance = by_chance[0] if by_chance else -1
        self.moves = [tuple(own) for own in machine.circuit.moves]
        self.zero_sum = zero_sum
        self._numbers = [{move: number for number, move in enumerate(own)} for own in self.moves]

    def __deepcopy__(self, memo: object) -> Rules:
        return self

    def __reduce__(self) -> tuple[Callable[[Rulesheet, bool], Rules], tuple[Rulesheet, bool]]:
        if self.sheet is None:
            raise TypeError("a game created from a machine has no rulesheet, so it cannot be pickled")
        return _rules_of_sheet, (self.sheet, self.zero_sum)

    @cached_property
    def in_turn(self) -> bool:
        """Whether the circuit proves that no two players have a choice at the same time."""
        groups = ({turn.role for turn in group} for group in take_turns(self.machine.circuit).groups)
        alone = len(self.players) < 2 or self.first is not None
        return alone or any(group.issuperset(self.players) for group in groups)

    @cached_property
    def initial(self) -> Position:
        """The first position with a choice."""
        return self.settled(Position(self.machine.initial()))

    def over(self, here: Position) -> bool:
        """Whether the game is over here."""
        return here.endless or self.machine.terminal(here.state) or not all(self.machine.legal(here.state))

    def legal(self, state: State, role: int) -> Actions:
        """Return a role's legal actions, sorted."""
        return tuple(sorted(self._numbers[role][move] for move in self.machine.legal(state)[role]))

    def settled(self, here: Position) -> Position:
        """Return the next position with a choice, or the end."""
        for _ in range(MAX_FORCED_STEPS):
            if self.over(here) or any(len(own) > 1 for own in self.machine.legal(here.state)):
                return here
            here = self._next(here, {})
        return replace(here, endless=True)

    def after(self, here: Position, chosen: dict[int, int]) -> Position:
        """Return the position after the given actions by role and the forced moves of the other roles."""
        return self.settled(self._next(here, chosen))

    def _next(self, here: Position, chosen: dict[int, int]) -> Position:
        legal = self.machine.legal(here.state)
        joint: list[Term] = [
            self.moves[role][chosen[role]] if role in chosen else own[0] for role, own in enumerate(legal)
        ]
        state = self.machine.next(here.state, joint)
        if not self.machine.hides:
            return Position(state)
        could = tuple(self.legal(here.state, role) for role in range(len(legal)))
        did = tuple(self._numbers[role][move] for role, move in enumerate(joint))
        return Position(state, (*here.rounds, Round(could, did, self.machine.percepts(state))))

    def returns(self, state: State) -> list[float]:
        """Return the players' returns at the end; 0 if the rules did not end the game."""
        goals = self.machine.goal(state) if self.machine.terminal(state) else (0,) * len(self.machine.roles)
        values = [worth(goals[role], self.machine.points) for role in self.players]
        return [values[0] - values[1], values[1] - values[0]] if self.zero_sum else values


def rules_of(game: str, zero_sum: bool) -> Rules:
    """Load the rules of a bundled game, a file or a URL. Raises GameError, RulesError."""
    return _rules_of_sheet(sheet_of(game), zero_sum)


@cache
def _rules_of_sheet(sheet: Rulesheet, zero_sum: bool) -> Rules:
    return Rules(machine_of_sheet(sheet), zero_sum, sheet)
