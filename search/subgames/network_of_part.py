"""Network of a whole game restricted to a part of the game; all facts outside the part stay constant.

The inputs are the facts of the part. The bias of the first layer includes the rows of the true facts outside the part.
A move of the part is a class of moves of the whole game. Its policy row is the mean of their rows; its bias is the mean
of their biases plus the logarithm of their number. On a board, it names the cells of the first of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import accumulate

import numpy as np

from reasoner.arrays import Singles
from reasoner.circuit.circuit import Circuit
from search.network.board import Board
from search.network.network import Network
from search.network.storage import Model
from search.subgames.restricted_circuit import RestrictedCircuit, unpacked


class PartNetwork:
    """The studied network of a circuit's game, for one part of it."""

    def __init__(self, model: Model, whole: Circuit, part: RestrictedCircuit) -> None:
        self._model, self._width = model, len(whole.bases)
        network = model.network
        rows = dict(zip(network.facts, network.fact_rows, strict=True))
        nothing = np.zeros_like(network.fact_bias)
        self._always: Singles = network.fact_bias + sum((rows.get(fact, nothing) for fact in whole.always), nothing)
        self._rows: Singles = np.array([rows.get(fact, nothing) for fact in whole.bases], np.float32)
        self._others = np.ones(len(whole.bases), np.bool_)
        self._others[part.bases] = False
        inside = [(fact, rows[fact]) for fact in part.circuit.bases if fact in rows]
        self.knows = bool(inside)
        """Whether it distinguishes states of the part."""
        self._network = replace(
            network,
            roles=tuple(whole.roles),
            facts=tuple(fact for fact, _ in inside),
            fact_rows=np.array([row for _, row in inside], np.float32).reshape(len(inside), len(nothing)),
            moves=tuple(map(tuple, part.circuit.moves)),
            value=_by_role(network, whole),
            policy=_by_class(network, whole, part),
            board=None if network.board is None else _on_board(network, network.board, whole, part),
        )

    def at(self, state: bytes) -> Model:
        """Return the network for `state` of the whole game, packed as by `CircuitMachine`."""
        held = unpacked(state, self._width) & self._others
        bias = (self._always + self._rows[held].sum(axis=0)).astype(np.float32)
        return replace(self._model, network=replace(self._network, fact_bias=bias))


def _by_role(network: Network, whole: Circuit) -> tuple[Singles, Singles]:
    """Return the values' weights in the order of the circuit's roles."""
    order = [network.roles.index(role) for role in whole.roles]
    weights, bias = network.value
    return np.ascontiguousarray(weights[:, order]), bias[order]


def _known_moves(network: Network, whole: Circuit) -> dict[int, tuple[int, int]]:
    """Return role and number in the network of each move of the circuit, by its number there."""
    known: dict[int, tuple[int, int]] = {}
    starts = accumulate(map(len, whole.moves), initial=0)
    for start, role, own in zip(starts, whole.roles, whole.moves, strict=False):
        number = network.roles.index(role)
        place = {move: row for row, move in enumerate(network.moves[number])}
        known |= {start + i: (number, place[move]) for i, move in enumerate(own) if move in place}
    return known


def _classes(network: Network, whole: Circuit, part: RestrictedCircuit) -> Iterator[list[list[tuple[int, int]]]]:
    """Yield, for each role of the part, the role and number in the network of the moves of each class."""
    known, classes = _known_moves(network, whole), iter(part.members)
    for own in part.circuit.moves:
        yield [[known[move] for move in members if move in known] for _, members in zip(own, classes, strict=False)]


def _by_class(network: Network, whole: Circuit, part: RestrictedCircuit) -> tuple[tuple[Singles, Singles], ...]:
    """Return a row and a bias for each class of moves, by role."""
    width = network.policy[0][0].shape[1]
    policy = []
    for own in _classes(network, whole, part):
        rows, biases = np.zeros((len(own), width), np.float32), np.zeros(len(own), np.float32)
        for number, found in enumerate(own):
            if found:
                rows[number] = np.mean([network.policy[role][0][move] for role, move in found], axis=0)
                biases[number] = np.mean([network.policy[role][1][move] for role, move in found]) + np.log(len(found))
        policy.append((rows, biases))
    return tuple(policy)


def _on_board(network: Network, board: Board, whole: Circuit, part: RestrictedCircuit) -> Board:
    """Return the board with the places and rows of each class of moves, by role."""
    named, width = board.places[0].shape[1], board.rows[0].shape[1]
    places, rows = [], []
    for own in _classes(network, whole, part):
        places.append(np.full((len(own), named), board.cells, np.int32))
        rows.append(np.zeros((len(own), width), np.float32))
        for number, found in enumerate(own):
            if found:
                role, move = found[0]
                places[-1][number], rows[-1][number] = board.places[role][move], board.rows[role][move]
    return replace(board, places=tuple(places), rows=tuple(rows))
