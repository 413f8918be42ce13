"""A rulesheet as an OpenSpiel game: importing this module registers ``ggp``.

    game = pyspiel.load_game("ggp(rules=connectFour)")    # a bundled name, or a file

Roles that take turns, which the circuit has to prove, make a sequential game, others a simultaneous one; the role that
moves by chance makes chance nodes, after everybody's choice. States in which nobody has a choice are passed by. An
action is a place in its role's moves; returns are goals as 0..1, or for two players the difference (``zero_sum=true``).
What the players know of a game with `sees` (GDL-II) is in `spiel_observers`.
"""

from __future__ import annotations

from typing import Any

import pyspiel

from agent.environments.spiel_observers import observer_of
from agent.environments.spiel_rules import Position, Rules, rules_of
from reasoner.lanes.machine import CircuitMachine
from reasoner.machine import State

PARAMETERS = {"rules": "ticTacToe", "zero_sum": False, "max_game_length": 10_000, "recall": 32}
Dynamics = pyspiel.GameType.Dynamics
NOBODY = pyspiel.PlayerId.TERMINAL


def game_type(
    players: int, dynamics: pyspiel.GameType.Dynamics, chance: bool, zero_sum: bool, hides: bool = False
) -> pyspiel.GameType:
    """What OpenSpiel is told of a game."""
    modes, sums, seen = pyspiel.GameType.ChanceMode, pyspiel.GameType.Utility, pyspiel.GameType.Information
    return pyspiel.GameType(
        short_name="ggp",
        long_name="A game by its rules in the Game Description Language",
        dynamics=dynamics,
        chance_mode=modes.EXPLICIT_STOCHASTIC if chance else modes.DETERMINISTIC,
        information=seen.IMPERFECT_INFORMATION if hides else seen.PERFECT_INFORMATION,
        utility=sums.ZERO_SUM if zero_sum else sums.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=players,
        min_num_players=players,
        provides_information_state_string=True,
        provides_information_state_tensor=hides,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=PARAMETERS,
    )


class GameState(pyspiel.State):  # type: ignore[misc]  # OpenSpiel ships no types
    """A position: a state of the machine, and the actions that were already chosen in it."""

    def __init__(self, game: pyspiel.Game, rules: Rules, here: Position | None = None) -> None:
        super().__init__(game)
        self.rules = rules
        self.here = rules.initial if here is None else here
        self.chosen: dict[int, int] = {}  # by role

    @property
    def state(self) -> State:
        """The state of the machine."""
        return self.here.state

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
        return list(self.rules.legal(self.state, self.rules.players[player]))

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
            self.here = self.rules.after(self.here, self.chosen)
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
        if int(given["recall"]) < 1:
            raise ValueError(f"recall={given['recall']}: an information state needs room for one round or more")
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
        super().__init__(game_type(players, dynamics, chance, rules.zero_sum, rules.machine.hides), info, given)

    def new_initial_state(self) -> GameState:
        """The first position in which somebody has a choice."""
        return GameState(self, self.rules)

    def position(self, state: State) -> GameState:
        """The position with a state of the machine."""
        return GameState(self, self.rules, self.rules.settled(Position(state)))

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: dict[str, Any] | None = None
    ) -> object:
        """What sees a position. Raises ValueError on what cannot be told: what is public where something is hidden."""
        return observer_of(self.rules, int(self.get_parameters()["recall"]), iig_obs_type, params)


pyspiel.register_game(game_type(2, Dynamics.SEQUENTIAL, False, False), SpielGame)
