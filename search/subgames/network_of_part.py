"""Network of a whole game restricted to a part of the game; all facts outside the part stay constant.

The inputs are the facts of the part. The bias of the first layer includes the rows of the true facts outside the part.
A move of the part is a class of moves of the whole game. Its policy row is the mean of their rows; its bias is the mean
of their biases plus the logarithm of their number.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate

import numpy as np

from reasoner.arrays import Singles
from reasoner.circuit.circuit import Circuit
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


def _by_class(network: Network, whole: Circuit, part: RestrictedCircuit) -> tuple[tuple[Singles, Singles], ...]:
    """Return a row and a bias for each class of moves, by role."""
    known: dict[int, tuple[Singles, np.float32]] = {}
    starts = accumulate(map(len, whole.moves), initial=0)
    for start, role, own in zip(starts, whole.roles, whole.moves, strict=False):
        number = network.roles.index(role)
        place = {move: row for row, move in enumerate(network.moves[number])}
        rows, biases = network.policy[number]
        known |= {start + i: (rows[place[move]], biases[place[move]]) for i, move in enumerate(own) if move in place}
    width, classes = network.policy[0][0].shape[1], iter(part.members)
    policy = []
    for own in part.circuit.moves:
        rows, biases = np.zeros((len(own), width), np.float32), np.zeros(len(own), np.float32)
        for number, members in zip(range(len(own)), classes, strict=False):
            if found := [known[move] for move in members if move in known]:
                rows[number] = np.mean([row for row, _ in found], axis=0)
                biases[number] = np.mean([bias for _, bias in found]) + np.log(len(found))
        policy.append((rows, biases))
    return tuple(policy)
