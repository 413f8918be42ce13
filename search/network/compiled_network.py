"""A network mapped to a circuit: facts and moves matched by their terms, arrays laid out for the kernels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reasoner.arrays import Singles, Words
from reasoner.circuit.circuit import Circuit
from reasoner.kernels.memory import address
from reasoner.kernels.vectors import TILE
from reasoner.language.terms import Term
from search.errors import NetworkError
from search.network.compiled_board import Blocks, CompiledBoard
from search.network.evaluate import CHUNK, LAYER_COLUMNS, NETWORK, WORK, evaluate_all
from search.network.network import Network
from search.network.storage import Model

MAX_WEIGHT, MAX_UNIT = 1e4, 1e25
"""Largest accepted weight, and largest value that a unit could have: larger ones mean that training diverged, and could
make sums infinite."""
FPU_REDUCTION = 0.1
"""FPU reduction, as in KataGo (Wu 2019): an unvisited move has the value of its node minus a reduction, which grows to
this once all other moves are visited."""
MAX_UNITS, MAX_LAYERS = 8192, 4


class Work:
    """Scratch memory of one thread; must outlive the kernels' use of its record."""

    def __init__(self, arrays: list[NDArray[Any]]) -> None:
        self._arrays = arrays
        self.record: NDArray[Any] = np.zeros(1, WORK)  # the record for the kernels
        for name, array in zip(WORK.names or (), arrays, strict=True):
            self.record[name] = address(array)


class CompiledNetwork:
    """A studied network for the states and moves of a circuit, R roles and B bases.

    Raises NetworkError if the network is for another game, or if its weights are unusable.
    """

    def __init__(self, model: Model, circuit: Circuit, state_words: int, shown: int) -> None:
        network = model.network
        _check(model, circuit)
        self.network, self._always = network, tuple(circuit.always)
        self._roles = [network.roles.index(role) for role in circuit.roles]
        board = network.board
        self._board = None if board is None else CompiledBoard(network, board, self._roles, circuit)
        self._arrays = self._laid_out(network, circuit, state_words)
        self.record: NDArray[Any] = np.zeros(1, NETWORK)  # the record for the kernels
        units = self._arrays["value_rows"].shape[1]
        numbers = {
            **{name: address(array) for name, array in self._arrays.items()},
            "state_words": state_words,
            "shown": shown,
            "roles": len(circuit.roles),
            "first": len(self._arrays["fact_bias"]),
            "layers": len(network.hidden),
            "units": units,
            "weight": model.weight,
            "prior": model.prior,
            "fpu_reduction": FPU_REDUCTION,
            **(self._board.numbers if self._board is not None else {}),
        }
        for name, number in numbers.items():
            self.record[name] = number
        self.words = (len(circuit.roles) + 1) // 2 + (units if board is None else board.slots + 1) // 2
        """64-bit words of output per state."""
        self.prior = model.prior
        self.summary = f"weight {model.weight:g}, prior {model.prior:g}"
        """Text for reports: how the network is used."""
        self.share = 1 - model.weight
        """Weight of playouts in the value of a leaf, 0..1; 0: there are none."""
        self._widest = max(units, *(_padded(len(bias)) for _, bias in network.hidden), 1)
        self._width = shown + self.words
        self._work = self.work(1)

    def renew(self, network: Network) -> None:
        """Switch to a network that differs only in the first layer's bias; no search may run meanwhile."""
        self._arrays["fact_bias"][: len(network.fact_bias)] = self._bias(network)

    def work(self, most: int) -> Work:
        """Return scratch memory for one thread that evaluates up to `most` states at once."""
        first = int(self.record[0]["first"])
        both = CHUNK * max(self._widest, TILE) if self._board is not None else CHUNK * max(self._widest, first)
        arrays: list[NDArray[Any]] = [
            np.zeros(most, np.int64),
            np.zeros(64 * int(self.record[0]["state_words"]), np.int32),
            np.zeros(max(both, first), np.float32),
            np.zeros(both, np.float32),
            np.zeros(CHUNK * first if self._board is not None else 1, np.float32),
        ]
        return Work(arrays)

    def noted(self, words: Words) -> Words:
        """Return the words of a state and its legal moves, followed by the network's output."""
        whole = np.zeros((1, self._width), np.uint64)
        whole[0, : len(words)] = words
        self.note_all(whole)
        return whole.ravel()

    def note_all(self, states: Words) -> None:
        """Write the network's output behind the words of states and their legal moves.  # [N, words]."""
        asked = address(states) + states.strides[0] * np.arange(len(states))
        evaluate_all(self.record, self._work.record, address(asked), len(states))

    def _laid_out(self, network: Network, circuit: Circuit, state_words: int) -> dict[str, NDArray[Any]]:
        rows = dict(zip(network.facts, network.fact_rows, strict=True))
        facts = [*circuit.bases][: circuit.searched]
        first = _padded(len(network.fact_bias)) if self._board is None else self._board.first
        fact_rows = np.zeros((64 * state_words, first), np.float32)
        for base, fact in enumerate(facts):
            if fact in rows:
                fact_rows[base, : len(network.fact_bias)] = rows[fact]
        bias = self._bias(network)
        weights, value_bias = network.value
        policy_rows, policy_bias = self._policy(network, circuit.moves)
        self._layers = [_layer(*each, first if number == 0 else 0) for number, each in enumerate(network.hidden)]
        table = [(address(w), address(b), *w.shape) for w, b in self._layers]
        seen = np.packbits(fact_rows.any(axis=1), bitorder="little").view(np.uint64)
        self._blocks = None if self._board is None else Blocks(fact_rows, self._board.channels)
        return {
            "seen": seen,
            "fact_rows": fact_rows if self._blocks is None else self._blocks.table,
            "fact_bias": _wide(bias, first),
            "layer_table": np.array(table, np.int64).reshape(-1, LAYER_COLUMNS),
            "value_rows": _wide(weights.T[self._roles]),
            "value_bias": np.ascontiguousarray(value_bias[self._roles], np.float32),
            "policy_rows": _wide(policy_rows),
            "policy_bias": policy_bias,
            **(self._board.arrays if self._board is not None else {}),
        }

    def _bias(self, network: Network) -> Singles:
        """Return the bias of the first layer, with the rows of always true facts added."""
        rows = dict(zip(network.facts, network.fact_rows, strict=True))
        bias: Singles = network.fact_bias + sum(rows[fact] for fact in self._always if fact in rows)
        return bias

    def _policy(self, network: Network, moves: Sequence[Sequence[Term]]) -> tuple[Singles, Singles]:
        """Return rows and biases of the circuit's moves; zeros for moves unknown to the network."""
        count, width = sum(map(len, moves)), network.policy[0][0].shape[1]
        rows, biases, at = np.zeros((count, width), np.float32), np.zeros(count, np.float32), 0
        for role, own in zip(self._roles, moves, strict=True):
            known = {move: number for number, move in enumerate(network.moves[role])}
            for move in own:
                if move in known:
                    rows[at] = network.policy[role][0][known[move]]
                    biases[at] = network.policy[role][1][known[move]]
                at += 1
        return rows, biases


def _check(model: Model, circuit: Circuit) -> None:
    network = model.network
    if sorted(map(str, network.roles)) != sorted(map(str, circuit.roles)):
        theirs, ours = ", ".join(map(str, network.roles)), ", ".join(map(str, circuit.roles))
        raise NetworkError(f"the network is for a game with the roles {theirs}; this one has {ours}: study this game")
    known = {*circuit.bases, *circuit.always}
    if network.facts and not any(fact in known for fact in network.facts):
        raise NetworkError(f"the network knows no fact of this game; its first is {network.facts[0]}: study this game")
    widths = [len(network.fact_bias), *(len(bias) for _, bias in network.hidden)]
    if max(widths) > MAX_UNITS or len(network.hidden) > MAX_LAYERS:
        raise NetworkError(f"layers of {widths} units: give at most {MAX_LAYERS + 1} layers, {MAX_UNITS} units each")
    for array in _all_arrays(network):
        if not (np.abs(array) <= MAX_WEIGHT).all():  # `not <=` also rejects NaN
            raise NetworkError(
                f"a network weight is not a number from -{MAX_WEIGHT:g} to {MAX_WEIGHT:g}: train it again"
            )
    with np.errstate(over="ignore"):
        largest = network.largest_unit()
    if not largest <= MAX_UNIT:
        raise NetworkError(f"the weights of the network could give numbers above {MAX_UNIT:g}: train it again")


def _all_arrays(network: Network) -> list[Singles]:
    pairs = (*network.hidden, network.value, *network.policy)
    board = (
        () if network.board is None else (*network.board.rows, *(a for layer in network.board.layers for a in layer))
    )
    return [network.fact_rows, network.fact_bias, *board, *(array for pair in pairs for array in pair)]


def _padded(width: int) -> int:
    return -(-width // TILE) * TILE


def _wide(array: Singles, least: int = 0) -> Singles:
    """Copy an array, with rows padded by zeros to the width that kernels need, or to `least`."""
    width = array.shape[-1]
    wide = np.zeros((*array.shape[:-1], max(_padded(width), least)), np.float32)
    wide[..., :width] = array
    return wide


def _layer(weights: Singles, bias: Singles, least: int) -> tuple[Singles, Singles]:
    ins = weights.shape[0]
    wide = np.zeros((max(_padded(ins), least), _padded(len(bias))), np.float32)
    wide[:ins, : len(bias)] = weights
    return wide, _wide(bias)
