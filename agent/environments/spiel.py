"""A rulesheet as an OpenSpiel game: importing this module registers ``ggp``.

    game = pyspiel.load_game("ggp(rules=connectFour)")                    # a bundled name, or a file
    game = pyspiel.load_game("ggp", {"rules": "my games/nim, odd.kif"})   # whatever it is called

Roles that take turns, which the circuit has to prove, make a sequential game, others a simultaneous one; the role that
moves by chance makes chance nodes, after everybody's choice. States in which nobody has a choice are passed by. An
action is a place in its role's moves; returns are goals as 0..1, or for two players the difference (``zero_sum=true``).
Positions are in `spiel_state`, and what the players know of a game with `sees` (GDL-II) in `spiel_observers`.
"""

from __future__ import annotations

from typing import Any

from agent.environments.extras import extra
from agent.environments.spiel_names import meant, reading_names, spelled
from agent.environments.spiel_observers import observer_of
from agent.environments.spiel_rules import Position, Rules, rules_of
from agent.environments.spiel_state import GameState
from reasoner.lanes.machine import CircuitMachine
from reasoner.machine import State

with extra("openspiel"):
    import pyspiel

PARAMETERS = {"rules": "ticTacToe", "zero_sum": False, "max_game_length": 10_000, "recall": 32}
Dynamics = pyspiel.GameType.Dynamics


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


class SpielGame(pyspiel.Game):  # type: ignore[misc]  # the same
    """The game of a rulesheet; of a machine that is there already, where one is given.

    With a role `first` it is sequential: where several choose at once, that role does first, and the others see it.
    """

    def __init__(
        self, params: dict[str, Any] | None = None, machine: CircuitMachine | None = None, first: int | None = None
    ) -> None:
        given = {**PARAMETERS, **(params or {})}
        name, zero_sum = meant(str(given["rules"])), bool(given["zero_sum"])
        given["rules"] = spelled(name)
        self.rules = rules = Rules(machine, zero_sum, first=first) if machine else rules_of(name, zero_sum)
        players, chance = len(rules.players), rules.chance >= 0
        if int(given["recall"]) < 1:
            raise ValueError(f"recall={given['recall']}: an information state needs room for one round or more")
        if rules.zero_sum and players != 2:
            raise ValueError(f"zero_sum is for two players, and this game has {players}")
        info = pyspiel.GameInfo(
            num_distinct_actions=max(1, *(len(rules.moves[role]) for role in rules.players)),
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


pyspiel.load_game = reading_names(pyspiel.load_game)
pyspiel.register_game(game_type(2, Dynamics.SEQUENTIAL, False, False), SpielGame)
