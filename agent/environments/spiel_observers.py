"""What OpenSpiel's players know of a position.

Where nothing is hidden that is the state: which facts are true. In a game with `sees` (GDL-II) a player's *information
state* is all that its role could do, did and saw, round by round, and its *observation* what it saw since it last had a
choice. What it could do belongs to it, as OpenSpiel tells every player its legal actions. A round is a joint move, one
without any choice, too; chance's moves are seen by their percepts alone.
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
    """What sees the kind of information asked for; by default an observation."""
    if params:
        raise ValueError(f"an observer takes no parameters, and was given {', '.join(map(str, params))}")
    kind = kind or pyspiel.IIGObservationType(perfect_recall=False)
    if rules.machine.hides:
        if kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER or not kind.public_info:
            raise ValueError("rules tell what each role sees, not what is public: ask for all that one player knows")
        return InformationState(rules, recall) if kind.perfect_recall else Percepts(rules)
    return IIGObserverForPublicInfoGame(kind, None) if kind.perfect_recall or not kind.public_info else Facts(rules)


class Facts:
    """Which facts are true, the same for all players."""

    def __init__(self, rules: Rules) -> None:
        self._bits = len(rules.machine.circuit.bases)
        self.tensor: Singles = np.zeros(self._bits, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: GameState, player: int) -> None:  # noqa: ARG002 everybody sees everything
        """Write the facts of a position into `tensor`."""
        packed: Any = state.state  # bytes, of a machine with a circuit
        self.tensor[:] = np.unpackbits(np.frombuffer(packed, np.uint8), count=self._bits)

    def string_from(self, state: GameState, player: int) -> str:  # noqa: ARG002 the same
        """The facts of a position."""
        return str(state)


class Percepts:
    """How often a player's role saw what since it last had a choice; P percepts at most."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._places = percepts_of(rules)
        self.tensor: Singles = np.zeros(max(1, *map(len, self._places)), np.float32)  # [P]
        self.dict = {"observation": self.tensor}

    def set_from(self, state: GameState, player: int) -> None:
        """Count what was seen."""
        self.tensor.fill(0)
        for told in self._recent(state, player):
            for seen in told.percepts[self._rules.players[player]]:
                self.tensor[self._places[player][seen]] += 1

    def string_from(self, state: GameState, player: int) -> str:
        """What was seen, a line a round."""
        role = self._rules.players[player]
        return "\n".join(" ".join(sorted(map(str, told.percepts[role]))) for told in self._recent(state, player))

    def _recent(self, state: GameState, player: int) -> tuple[Round, ...]:
        """The rounds from the last choice of a player on."""
        role, rounds = self._rules.players[player], state.here.rounds
        chose = [number for number, told in enumerate(rounds) if len(told.legal[role]) > 1]
        return rounds[chose[-1] :] if chose else rounds


class InformationState:
    """Who the player is, and the last rounds as it knows them; M moves and P percepts at most, T rounds.

    ``dict["player"]`` is one-hot; ``dict["rounds"]`` tells of each round which moves were legal (M), which one was made
    (M), and which percepts were seen (P). The last of them is the one going on. [T, 2 M + P]
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
        """Write what a player knows into `tensor`; the oldest rounds are left out where there are too many."""
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
        """All rounds, a line each."""
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
        """The rounds, and the one that goes on, if any does: its moves are chosen in part."""
        if state.is_terminal():
            return state.here.rounds
        legal = tuple(self._rules.legal(state.state, role) for role in range(len(self._rules.moves)))
        moves = tuple(state.chosen.get(role, -1) for role in range(len(legal)))
        return (*state.here.rounds, Round(legal, moves, tuple(frozenset[Term]() for _ in legal)))


def percepts_of(rules: Rules) -> list[dict[Term, int]]:
    """Per player what its role can see at all, numbered."""
    circuit = rules.machine.circuit
    seen = (percept_places(circuit.bases, circuit.roles[role]) for role in rules.players)
    return [{term: number for number, term in enumerate(own)} for own in seen]
