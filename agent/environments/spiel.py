"""OpenSpiel game ``ggp`` for rulesheets, registered on import.

    game = pyspiel.load_game("ggp(rules=connectFour)")                    # a bundled name, or a file
    game = pyspiel.load_game("ggp", {"rules": "my games/nim, odd.kif"})   # any file name

If the circuit proves that the roles alternate, the game is sequential, otherwise simultaneous; the chance role becomes
chance nodes after all other choices. States without a choice are skipped. An action is an index into its role's moves;
returns are goals as 0..1, or for two players the difference (``zero_sum=true``). `spiel_state` has the states, and
`spiel_observers` the information of players in a game with `sees` (GDL-II).
"""

from __future__ import annotations

from pathlib import Path
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
    """Create OpenSpiel's type of a game."""
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


class SpielGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel ships no types
    """The game of a rulesheet, or of a given `machine`.

    With a role `first`, the game is sequential: in simultaneous choices that role chooses first, and the others see its
    choice.
    """

    def __init__(
        self, params: dict[str, Any] | None = None, machine: CircuitMachine | None = None, first: int | None = None
    ) -> None:
        given = {**PARAMETERS, **(params or {})}
        if strangers := sorted(given.keys() - PARAMETERS.keys()):
            raise ValueError(f"unknown parameter {strangers[0]!r:.40}: give some of {', '.join(PARAMETERS)}")
        name, zero_sum = meant(str(given["rules"])), bool(given["zero_sum"])
        given["rules"] = spelled(name)
        self.rules = rules = Rules(machine, zero_sum, first=first) if machine else rules_of(name, zero_sum)
        players, chance = len(rules.players), rules.chance >= 0
        if int(given["recall"]) < 1:
            raise ValueError(f"recall={given['recall']}: an information state needs at least one round")
        if rules.zero_sum and players != 2:
            raise ValueError(f"zero_sum needs two players; this game has {players}")
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
        """Return the first state with a choice."""
        return GameState(self, self.rules)

    def position(self, state: State) -> GameState:
        """Return the OpenSpiel state for a machine state."""
        return GameState(self, self.rules, self.rules.settled(Position(state)))

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: dict[str, Any] | None = None
    ) -> object:
        """Create an observer. Raises ValueError for public information in a game with hidden information."""
        return observer_of(self.rules, int(self.get_parameters()["recall"]), iig_obs_type, params)


pyspiel.load_game = reading_names(pyspiel.load_game)
pyspiel.register_game(game_type(2, Dynamics.SEQUENTIAL, False, False), SpielGame)


def spiel_game(
    rules: str | Path,
    *,
    zero_sum: bool = False,
    **parameters: Any,  # noqa: ANN401 as OpenSpiel has it
) -> SpielGame:
    """Return the game of a bundled name or a file. Raises ValueError for `zero_sum` without two players."""
    game: SpielGame = pyspiel.load_game("ggp", {"rules": str(rules), "zero_sum": zero_sum, **parameters})
    return game
