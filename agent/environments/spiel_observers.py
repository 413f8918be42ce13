"""OpenSpiel observers: the information of players in a state.

With perfect information, all players observe the set of true facts. In a game with `sees` (GDL-II), a player's
*information state* contains the legal moves, the move and the percepts of its role in each round; its *observation*
contains the percepts since its last choice. Legal moves are included because OpenSpiel shows them to players. A round
is a joint move, even if no role had a choice; chance moves are only visible through percepts.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agent.environments.extras import extra
from agent.environments.spiel_rules import Round, Rules
from agent.environments.spiel_state import GameState
from reasoner.arrays import Singles
from reasoner.language.terms import Term
from reasoner.rules.percepts import percept_places

with extra("openspiel"):
    import pyspiel
    from open_spiel.python.observation import IIGObserverForPublicInfoGame


def observer_of(
    rules: Rules, recall: int, kind: pyspiel.IIGObservationType | None, params: dict[str, Any] | None
) -> object:
    """Create an observer for a kind of information; by default, for observations."""
    if params:
        raise ValueError(f"an observer takes no parameters, but got {', '.join(map(str, params))}")
    kind = kind or pyspiel.IIGObservationType(perfect_recall=False)
    if rules.machine.hides:
        if kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER or not kind.public_info:
            raise ValueError("rules define what each role sees, not what is public: request one player's information")
        return InformationState(rules, recall) if kind.perfect_recall else Percepts(rules)
    return IIGObserverForPublicInfoGame(kind, None) if kind.perfect_recall or not kind.public_info else Facts(rules)


class Facts:
    """Observer of the true facts, which are the same for all players."""

    def __init__(self, rules: Rules) -> None:
        self._bits = len(rules.machine.circuit.bases)
        self.tensor: Singles = np.zeros(self._bits, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: GameState, player: int) -> None:  # noqa: ARG002 perfect information
        """Write the facts of a position into `tensor`."""
        packed: Any = state.state  # the states of a circuit are bytes
        self.tensor[:] = np.unpackbits(np.frombuffer(packed, np.uint8), count=self._bits)

    def string_from(self, state: GameState, player: int) -> str:  # noqa: ARG002 perfect information
        """Format the facts of a position."""
        return str(state)


class Percepts:
    """Observer that counts each percept since a player's last choice.

    P is the maximum number of a player's possible percepts.
    """

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._places = percepts_of(rules)
        self.tensor: Singles = np.zeros(max(1, *map(len, self._places)), np.float32)  # [P]
        self.dict = {"observation": self.tensor}

    def set_from(self, state: GameState, player: int) -> None:
        """Write the counts of percepts into `tensor`."""
        self.tensor.fill(0)
        for told in self._recent(state, player):
            for seen in told.percepts[self._rules.players[player]]:
                self.tensor[self._places[player][seen]] += 1

    def string_from(self, state: GameState, player: int) -> str:
        """Format the percepts, one line per round."""
        role = self._rules.players[player]
        return "\n".join(" ".join(sorted(map(str, told.percepts[role]))) for told in self._recent(state, player))

    def _recent(self, state: GameState, player: int) -> tuple[Round, ...]:
        """Return the rounds from a player's last choice on."""
        role, rounds = self._rules.players[player], state.here.rounds
        chose = [number for number, told in enumerate(rounds) if len(told.legal[role]) > 1]
        return rounds[chose[-1] :] if chose else rounds


class InformationState:
    """Observer of the player and its last T rounds; M and P are the maximum numbers of a player's moves and percepts.

    ``dict["player"]`` is one-hot. ``dict["rounds"]`` has the legal moves (M), the move (M) and the percepts (P) of each
    round; the last of these rounds is the current one.  # [T, 2 M + P]
    """

    def __init__(self, rules: Rules, rounds: int) -> None:
        self._rules = rules
        self._places = percepts_of(rules)
        self._moves = max(len(rules.moves[role]) for role in rules.players)
        players = len(rules.players)
        shape = (max(rounds, 1), 2 * self._moves + max(map(len, self._places)))
        self.tensor: Singles = np.zeros(players + shape[0] * shape[1], np.float32)
        self.dict = {"player": self.tensor[:players], "rounds": self.tensor[players:].reshape(shape)}

    def set_from(self, state: GameState, player: int) -> None:
        """Write the information state into `tensor`; if there are too many rounds, the oldest are omitted."""
        self.tensor.fill(0)
        self.dict["player"][player] = 1
        role, rows = self._rules.players[player], self.dict["rounds"]
        for row, told in zip(rows, self._told(state)[-len(rows) :], strict=False):
            row[list(told.legal[role])] = 1
            if told.moves[role] >= 0:
                row[self._moves + told.moves[role]] = 1
            for seen in told.percepts[role]:
                row[2 * self._moves + self._places[player][seen]] = 1

    def string_from(self, state: GameState, player: int) -> str:
        """Format all rounds, one per line."""
        role = self._rules.players[player]
        lines = (self._line(number, told, role) for number, told in enumerate(self._told(state), 1))
        return "\n".join([self._rules.machine.roles[role], *lines])

    def _line(self, number: int, told: Round, role: int) -> str:
        could, did = told.legal[role], told.moves[role]
        may = f"may {' '.join(map(str, could))}" if len(could) > 1 else ""
        does = f"does {self._rules.moves[role][did]}" if did >= 0 else ""
        sees = " ".join(["sees", *sorted(map(str, told.percepts[role]))]) if told.percepts[role] else ""
        return f"{number}: " + ", ".join(filter(None, (may, does, sees)))

    def _told(self, state: GameState) -> tuple[Round, ...]:
        """Return the finished rounds, and the current round with the moves chosen so far, if any."""
        if state.is_terminal():
            return state.here.rounds
        legal = tuple(self._rules.legal(state.state, role) for role in range(len(self._rules.moves)))
        moves = tuple(state.chosen.get(role, -1) for role in range(len(legal)))
        return (*state.here.rounds, Round(legal, moves, tuple(frozenset[Term]() for _ in legal)))


def percepts_of(rules: Rules) -> list[dict[Term, int]]:
    """Return a dictionary per player that maps each possible percept to its index."""
    circuit = rules.machine.circuit
    seen = (percept_places(circuit.bases, circuit.roles[role]) for role in rules.players)
    return [{term: number for number, term in enumerate(own)} for own in seen]
