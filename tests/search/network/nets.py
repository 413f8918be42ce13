"""Networks for circuits, drawn or made by hand."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Sequence

import numpy as np

from reasoner.circuit.circuit import Circuit
from search.network import Board, Network


def network_for(circuit: Circuit, widths: Sequence[int], seed: int) -> Network:
    """A network of all facts and moves of a circuit, with layers of so many units and random weights."""
    rng = np.random.default_rng(seed)

    def floats(*shape: int) -> np.ndarray:
        return (rng.normal(size=shape) / np.sqrt(shape[0])).astype(np.float32)

    last, count = widths[-1], len(circuit.roles)
    return Network(
        roles=tuple(circuit.roles),
        facts=tuple(circuit.bases)[: circuit.searched],
        moves=tuple(map(tuple, circuit.moves)),
        fact_rows=floats(circuit.searched, widths[0]),
        fact_bias=floats(widths[0]),
        hidden=tuple((floats(ins, outs), floats(outs)) for ins, outs in itertools.pairwise(widths)),
        value=(floats(last, count), floats(count)),
        policy=tuple((floats(len(own), last), floats(len(own))) for own in circuit.moves),
    )


def network_by_hand(
    circuit: Circuit, values: Sequence[float], logits: Callable[[str], float] = lambda _: 0.0
) -> Network:
    """A network that says the same of every state: values as 0..1, and logits by the text of moves."""
    biases = [np.array([logits(str(move)) for move in own], np.float32) for own in circuit.moves]
    facts = tuple(circuit.bases)[: circuit.searched]
    return Network(
        roles=tuple(circuit.roles),
        facts=facts,
        moves=tuple(map(tuple, circuit.moves)),
        fact_rows=np.zeros((len(facts), 4), np.float32),
        fact_bias=np.zeros(4, np.float32),
        hidden=(),
        value=(np.zeros((4, len(values)), np.float32), np.log(np.array(values) / (1 - np.array(values))).astype("f4")),
        policy=tuple((np.zeros((len(bias), 4), np.float32), bias) for bias in biases),
    )


def board_network_for(circuit: Circuit, cells: int, layers: int, hidden: int, seed: int) -> Network:
    """A network of all facts and moves of a circuit on a board with random neighbours, and with random weights."""
    rng, channels = np.random.default_rng(seed), 16
    plain = network_for(circuit, [cells * channels, hidden], seed)
    near, named = int(rng.integers(1, 5)), int(rng.integers(1, 4))

    def floats(*shape: int) -> np.ndarray:
        return (rng.normal(size=shape) / np.sqrt(shape[-1])).astype(np.float32)

    board = Board(
        neighbours=rng.integers(0, cells + 1, (cells, near)).astype(np.int32),
        layers=tuple((floats(near * channels, channels), floats(channels)) for _ in range(layers)),
        places=tuple(rng.integers(0, cells + 1, (len(own), named)).astype(np.int32) for own in circuit.moves),
        rows=tuple(floats(len(own), named * channels) for own in circuit.moves),
        slots=int(rng.choice([1, 7, 400])),
    )
    return dataclasses.replace(plain, board=board)
