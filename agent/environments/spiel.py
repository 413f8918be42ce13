"""A rulesheet as an OpenSpiel game: importing this module registers ``ggp``.

    game = pyspiel.load_game("ggp(rules=connectFour)")    # a bundled name, or a file

Roles that take turns, which the circuit has to prove, make a sequential game, others a simultaneous one; the role that
moves by chance makes chance nodes, after everybody's choice. States in which nobody has a choice are passed by. An
action is a place in its role's moves; returns are goals as 0..1, or for two players the difference (``zero_sum=true``).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cached_property
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from agent.environments.table import POINTS, machine_of, players_of
from reasoner.lanes.alternating_roles import take_turns
from reasoner.lanes.machine import CircuitMachine
from reasoner.language.terms import Term
from reasoner.machine import State

PARAMETERS = {"rules": "ticTacToe", "zero_sum": False, "max_game_length": 10_000}
Dynamics = pyspiel.GameType.Dynamics
NOBODY = pyspiel.PlayerId.TERMINAL


def game_type(players: int, dynamics: pyspiel.GameType.Dynamics, chance: bool, zero_sum: bool) -> pyspiel.GameType:
    """What OpenSpiel is told of a game."""
    modes, sums = pyspiel.GameType.ChanceMode, pyspiel.GameType.Utility
    return pyspiel.GameType(
        short_name="ggp",
        long_name="A game by its rules in the Game Description Language",
        dynamics=dynamics,
        chance_mode=modes.EXPLICIT_STOCHASTIC if chance else modes.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=sums.ZERO_SUM if zero_sum else sums.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=players,
        min_num_players=players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=PARAMETERS,
    )


class Rules:
    """What all states of a game share; a copy of a state keeps it, and a pickled one names it, if it has a `name`."""

    def __init__(
        self, machine: CircuitMachine, zero_sum: bool = False, name: str = "", first: int | None = None
    ) -> None:
        self.machine = machine
        self.name = name
        self.first = first  # the role that chooses first where nobody is to choose at once
        self.players = players_of(machine)
        by_chance = [role for role in range(len(machine.roles)) if role not in self.players]
        self.chance = by_chance[0] if by_chance else -1
        self.moves = [tuple(own) for own in machine.circuit.moves]
        self.zero_sum = zero_sum
        self._numbers = [{move: number for number, move in enumerate(own)} for own in self.moves]

    def __deepcopy__(self, memo: object) -> Rules:
        return self

    def __reduce__(self) -> tuple[Callable[[str, bool], Rules], tuple[str, bool]]:
        if not self.name:
            raise TypeError("a game of a machine that was given has no name to be pickled by")
        return rules_of, (self.name, self.zero_sum)

    @cached_property
    def in_turn(self) -> bool:
        """Whether it is proven that never two players have a choice at once."""
        groups = ({turn.role for turn in group} for group in take_turns(self.machine.circuit).groups)
        alone = len(self.players) < 2 or self.first is not None
        return alone or any(group.issuperset(self.players) for group in groups)

    @cached_property
    def initial(self) -> State:
        """The first state in which somebody has a choice."""
        return self.settled(self.machine.initial())

    def over(self, state: State) -> bool:
        """Whether the game ends here."""
        return self.machine.terminal(state) or not all(self.machine.legal(state))

    def legal(self, state: State, role: int) -> list[int]:
        """The actions of a role, sorted."""
        return sorted(self._numbers[role][move] for move in self.machine.legal(state)[role])

    def settled(self, state: State) -> State:
        """The next state in which somebody has a choice, or the game is over."""
        while not self.over(state) and all(len(own) == 1 for own in self.machine.legal(state)):
            state = self.machine.next(state, [own[0] for own in self.machine.legal(state)])
        return state

    def after(self, state: State, chosen: dict[int, int]) -> State:
        """The state after these actions by role, and the forced ones of the others."""
        legal = self.machine.legal(state)
        joint: list[Term] = [
            self.moves[role][chosen[role]] if role in chosen else own[0] for role, own in enumerate(legal)
        ]
        return self.settled(self.machine.next(state, joint))

    def returns(self, state: State) -> list[float]:
        """What the players get, the game being over."""
        goals = self.machine.goal(state)
        values = [(goals[role] or 0) / POINTS for role in self.players]
        return [values[0] - values[1], values[1] - values[0]] if self.zero_sum else values


@cache
def rules_of(game: str, zero_sum: bool) -> Rules:
    """Those of a bundled game, a file or a URL. Raises GameError, RulesError."""
    return Rules(machine_of(game), zero_sum, game)


class GameState(pyspiel.State):  # type: ignore[misc]  # OpenSpiel ships no types
    """A position: a state of the machine, and the actions that were already chosen in it."""

    def __init__(self, game: pyspiel.Game, rules: Rules, state: State | None = None) -> None:
        super().__init__(game)
        self.rules = rules
        self.state = rules.initial if state is None else state
        self.chosen: dict[int, int] = {}  # by role

    def current_player(self) -> int:
        """Who chooses now; OpenSpiel's numbers for chance, for several at once, and for the end."""
        rules = self.rules
        if rules.over(self.state):
            return int(NOBODY)
        choosing = [role for role in self._choosing() if role != rules.chance]
        if not choosing:
            return int(pyspiel.PlayerId.CHANCE)
        if len(choosing) > 1 and rules.first is None:
            return int(pyspiel.PlayerId.SIMULTANEOUS)
        return rules.players.index(rules.first if rules.first in choosing else choosing[0])

    def _choosing(self) -> list[int]:
        legal = self.rules.machine.legal(self.state)
        return [role for role, own in enumerate(legal) if len(own) > 1 and role not in self.chosen]

    def _legal_actions(self, player: int) -> list[int]:
        return self.rules.legal(self.state, self.rules.players[player])

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The moves of chance, all as likely."""
        actions = self.rules.legal(self.state, self.rules.chance)
        return [(action, 1 / len(actions)) for action in actions]

    def _apply_action(self, action: int) -> None:
        player = self.current_player()
        self.chosen[self.rules.chance if player < 0 else self.rules.players[player]] = action
        self._go_on()

    def _apply_actions(self, actions: list[int]) -> None:
        self.chosen.update(zip(self.rules.players, actions, strict=True))
        self._go_on()

    def _go_on(self) -> None:
        if not self._choosing():
            self.state = self.rules.after(self.state, self.chosen)
            self.chosen = {}

    def _action_to_string(self, player: int, action: int) -> str:
        return str(self.rules.moves[self.rules.chance if player < 0 else self.rules.players[player]][action])

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.rules.over(self.state)

    def returns(self) -> list[float]:
        """What each player gets; 0 before the end."""
        return self.rules.returns(self.state) if self.is_terminal() else [0.0] * len(self.rules.players)

    def __str__(self) -> str:
        facts = sorted(map(str, self.rules.machine.facts(self.state)))
        return " ".join([*facts, *(f"(does {role} {action})" for role, action in sorted(self.chosen.items()))])


class SpielGame(pyspiel.Game):  # type: ignore[misc]  # the same
    """The game of a rulesheet; of a machine that is there already, where one is given.

    With a role `first` it is sequential: where several choose at once, that role does first, and the others see it.
    """

    def __init__(
        self, params: dict[str, Any] | None = None, machine: CircuitMachine | None = None, first: int | None = None
    ) -> None:
        given = {**PARAMETERS, **(params or {})}
        zero_sum = bool(given["zero_sum"])
        self.rules = rules = Rules(machine, zero_sum, first=first) if machine else rules_of(given["rules"], zero_sum)
        players, chance = len(rules.players), rules.chance >= 0
        if rules.zero_sum and players != 2:
            raise ValueError(f"zero_sum is for two players, and this game has {players}")
        info = pyspiel.GameInfo(
            num_distinct_actions=max(len(rules.moves[role]) for role in rules.players),
            max_chance_outcomes=len(rules.moves[rules.chance]) if chance else 0,
            num_players=players,
            min_utility=-1.0 if rules.zero_sum else 0.0,
            max_utility=1.0,
            utility_sum=0.0 if rules.zero_sum else None,
            max_game_length=int(given["max_game_length"]),
        )
        dynamics = Dynamics.SEQUENTIAL if rules.in_turn else Dynamics.SIMULTANEOUS
        super().__init__(game_type(players, dynamics, chance, rules.zero_sum), info, given)

    def new_initial_state(self) -> GameState:
        """The first position in which somebody has a choice."""
        return GameState(self, self.rules)

    def position(self, state: State) -> GameState:
        """The position with a state of the machine."""
        return GameState(self, self.rules, self.rules.settled(state))

    def make_py_observer(self, iig_obs_type: object = None, params: dict[str, Any] | None = None) -> object:
        """What sees a position."""
        kind = iig_obs_type
        if kind is None or (kind.public_info and not kind.perfect_recall):  # type: ignore[attr-defined]  # no types
            return Observer(self.rules)
        return IIGObserverForPublicInfoGame(kind, params)


class Observer:
    """Which facts are true, the same for all players."""

    def __init__(self, rules: Rules) -> None:
        self._bits = len(rules.machine.circuit.bases)
        self.tensor = np.zeros(self._bits, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: GameState, player: int) -> None:  # noqa: ARG002 everybody sees everything
        """Write the facts of a position into `tensor`."""
        packed: Any = state.state  # bytes, of a machine with a circuit
        self.tensor[:] = np.unpackbits(np.frombuffer(packed, np.uint8), count=self._bits)

    def string_from(self, state: GameState, player: int) -> str:  # noqa: ARG002 the same
        """The facts of a position."""
        return str(state)


pyspiel.register_game(game_type(2, Dynamics.SEQUENTIAL, False, False), SpielGame)
