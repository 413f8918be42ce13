"""OpenSpiel state of a rulesheet. Illegal actions are refused without any change."""

from __future__ import annotations

from collections.abc import Sequence

from agent.environments.extras import extra
from agent.environments.spiel_rules import Position, Rules
from reasoner.errors import IllegalMoveError, StateError
from reasoner.machine import State

with extra("openspiel"):
    import pyspiel

NOBODY = pyspiel.PlayerId.TERMINAL


class GameState(pyspiel.State):  # type: ignore[misc]  # OpenSpiel ships no types
    """A position and the actions already chosen in it.

    Raises IllegalMoveError for an illegal action, StateError for a call that is invalid in this state.
    """

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
        """Return the current player, or OpenSpiel's id for chance, simultaneous choices, or the end."""
        rules = self.rules
        if rules.over(self.here):
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
        return list(self.rules.legal(self.state, self._role(player)))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the chance moves with equal probabilities."""
        if self.current_player() != int(pyspiel.PlayerId.CHANCE):
            raise StateError("chance does not move here: ask is_chance_node() first")
        actions = self.rules.legal(self.state, self.rules.chance)
        return [(action, 1 / len(actions)) for action in actions]

    def _apply_action(self, action: int) -> None:
        self._check_going_on()
        player = self.current_player()
        if player == int(pyspiel.PlayerId.SIMULTANEOUS):
            raise IllegalMoveError(f"several players choose simultaneously: call apply_actions with {self._one_each()}")
        role = self._role(player)
        self._check_action(role, action)
        self._choose({role: action})

    def _apply_actions(self, actions: Sequence[int]) -> None:
        self._check_going_on()
        if self.current_player() != int(pyspiel.PlayerId.SIMULTANEOUS):
            raise IllegalMoveError("only one player or chance chooses here: call apply_action with its action")
        if len(actions) != len(self.rules.players):
            raise IllegalMoveError(f"got {len(actions)} actions: give {self._one_each()}")
        for role, action in zip(self.rules.players, actions, strict=True):
            self._check_action(role, action)
        self._choose(dict(zip(self.rules.players, actions, strict=True)))

    def _choose(self, actions: dict[int, int]) -> None:
        self.chosen |= actions
        if not self._choosing():
            self.here = self.rules.after(self.here, self.chosen)
            self.chosen = {}

    def _one_each(self) -> str:
        return f"one action for each of the {len(self.rules.players)} players"

    def _role(self, player: int) -> int:
        """Return the role of a player, or of chance."""
        players, chance = self.rules.players, self.rules.chance
        if 0 <= player < len(players):
            return players[player]
        if player == int(pyspiel.PlayerId.CHANCE) and chance >= 0:
            return chance
        raise StateError(f"unknown player {player}: give 0 to {len(players) - 1}")

    def _check_going_on(self) -> None:
        if self.is_terminal():
            raise IllegalMoveError("the game is over: no action can be applied")

    def _check_action(self, role: int, action: int) -> None:
        legal = self.rules.legal(self.state, role)
        if action not in legal:
            moves, name = self.rules.moves[role], self.rules.machine.roles[role]
            some = ", ".join(f"{number} {moves[number]}" for number in legal[:5]) + (", …" if len(legal) > 5 else "")
            given = f"action {action} ({moves[action]})" if 0 <= action < len(moves) else f"action {action}"
            raise IllegalMoveError(f"{given} is not a legal move of {name}; legal: {some}")

    def _action_to_string(self, player: int, action: int) -> str:
        moves = self.rules.moves[self._role(player)]
        if not 0 <= action < len(moves):
            raise StateError(f"unknown action {action} of player {player}: give 0 to {len(moves) - 1}")
        return str(moves[action])

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.rules.over(self.here)

    def returns(self) -> list[float]:
        """Return each player's return; 0 before the end."""
        return self.rules.returns(self.state) if self.is_terminal() else [0.0] * len(self.rules.players)

    def __str__(self) -> str:
        facts = sorted(map(str, self.rules.machine.facts(self.state)))
        return " ".join([*facts, *(f"(does {role} {action})" for role, action in sorted(self.chosen.items()))])
