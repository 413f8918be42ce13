"""Network evaluation in kernels: values and last-layer units of states, and logits of single moves.

The output for a state is stored behind the words of the state and its legal moves (`shown` words) as 32-bit floats: one
value per role, then, from the next even place on, the units of the last layer. The priors of a node are computed
from these units when it is expanded. The cells of a board have too many units for this, so the logits of its legal
moves are stored instead, in their order.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from reasoner.kernels import device_function, kernel
from reasoner.kernels.bits import ONE
from reasoner.kernels.memory import float_at, int_at, long_at, put_float, put_int, records, word_at
from reasoner.kernels.scalars import int64, uint64
from reasoner.kernels.vectors import (
    CELLS,
    TOGETHER,
    dot,
    layer_of_cells,
    layer_of_four,
    layer_of_one,
    sum_blocks,
    sum_rows,
)
from reasoner.lanes.rows import lowest_bit, popcount

Record = Any

CHUNK = 32
"""States that pass through the layers together: their units fit into the L1 cache."""

NETWORK = np.dtype(
    [
        (name, np.int64)
        for name in (
            *("state_words", "shown", "roles"),
            "seen",  # address of [state_words] uint64: facts whose rows are not zero
            "fact_rows",  # address of [64 * state_words, first] float32; on a board, of three addresses (`sum_blocks`)
            "fact_bias",  # address of [first] float32
            "first",  # units of the first layer; this and all other widths are multiples of TILE
            "layers",
            "layer_table",  # address of [layers, LAYER_COLUMNS] int64
            "units",  # units of the last layer
            "value_rows",  # address of [roles, units] float32
            "value_bias",  # address of [roles] float32
            "policy_rows",  # address of [moves, units] float32, in the order of the circuit's moves
            "policy_bias",  # address of [moves] float32
            "cells",  # cells of the board; 0: there is none, and the next numbers mean nothing
            "rows",  # `cells` and at least one row of zeros, a multiple of CELLS; `first` is rows * channels
            "channels",  # units of a cell, a multiple of VECTOR
            "neighbours",  # neighbours of a cell
            "near",  # address of [rows / CELLS, neighbours, CELLS] int32 rows
            "board_layers",
            "board_table",  # address of [board_layers, 2] int64: addresses of weights and bias
            "named",  # cells that a move names
            "places",  # address of [moves, named] int32 rows
            "place_rows",  # address of [moves, named, channels] float32
            "slots",  # logits that are stored of a state
        )
    ]
    + [
        ("weight", np.float64),  # this and the next: see `search.network.storage.Model`
        ("prior", np.float64),
        ("fpu_reduction", np.float64),  # reduction for an unvisited move once all others are visited
    ]
)
LAYER_WEIGHTS, LAYER_BIAS, LAYER_INS, LAYER_OUTS = range(4)
LAYER_COLUMNS = 4
FLOAT = 4
"""Bytes of a float32."""

network_at = records(NETWORK)

WORK = np.dtype([(name, np.int64) for name in ("asked", "picked", "one", "other", "board")])
"""Addresses of the arrays of a thread's scratch memory.

`asked`: int64 addresses of the states' words; `picked`: int32 numbers of true facts; `one`, `other`: [CHUNK, widest]
float32 units of two layers; `board`: [CHUNK, first] float32 units of the cells after the last layer of the board.
"""

work_at = records(WORK)


@device_function
def units_at(network: Record, words: int) -> int:
    """Return the address of the last-layer units of the state at address `words`."""
    return words + 8 * network.shown + FLOAT * (network.roles + network.roles % 2)


@device_function
def value_at(network: Record, words: int, role: int) -> float:
    """Return the network's value of the state at address `words` for a role, 0..1."""
    return np.float64(float_at(words + 8 * network.shown, role))


@device_function
def logit_at(network: Record, words: int, move: int) -> float:
    """Return the logit of a legal move in the state at address `words`."""
    if network.cells:
        slot = _rank(network, words, move)
        return np.float64(float_at(units_at(network, words), slot)) if slot < network.slots else 0.0
    return _logit(network, units_at(network, words), move)


@device_function
def _logit(network: Record, units: int, move: int) -> float:
    row = network.policy_rows + FLOAT * network.units * move
    return np.float64(dot(units, row, network.units) + float_at(network.policy_bias, move))


@device_function
def _rank(network: Record, words: int, move: int) -> int:
    """Return the number of legal moves before a move."""
    count, last = 0, network.state_words + (move >> 6)
    for index in range(network.state_words, last):
        count += int64(popcount(word_at(words, index)))
    return count + int64(popcount(word_at(words, last) & ((ONE << uint64(move & 63)) - ONE)))


@device_function
def evaluate(network: Record, work: Record, count: int) -> None:
    """Evaluate the states at the first `count` addresses in `work.asked`; store the output behind their words."""
    for begin in range(0, count, CHUNK):
        _evaluate_chunk(network, work, work.asked + 8 * begin, min(CHUNK, count - begin))


@device_function
def _evaluate_chunk(network: Record, work: Record, asked: int, count: int) -> None:
    given, out = (work.board, work.one) if network.cells else (work.one, work.other)
    for i in range(count):
        facts = _note_true(network, long_at(asked, i), work.picked)
        units = given + FLOAT * network.first * i
        begin = work.one if network.cells and network.board_layers % 2 else units
        rows, bias, first = network.fact_rows, network.fact_bias, network.first
        if network.cells:
            sum_blocks(begin, rows, bias, work.picked, facts, first, network.channels)
            _pass_board(network, units, work.one)
        else:
            sum_rows(begin, rows, bias, work.picked, facts, first)
    for number in range(network.layers):
        _pass_layer(network.layer_table + 8 * LAYER_COLUMNS * number, given, out, count)
        given, out = out, (work.other if out == work.one else work.one)
    for i in range(count):
        cells = work.board + FLOAT * network.first * i
        _note_answers(network, given + FLOAT * network.units * i, cells, long_at(asked, i))


@device_function
def _pass_board(network: Record, units: int, other: int) -> None:
    """Pass the units of a state's cells through the layers of the board, with `other` as scratch memory.

    They begin at `other` if the number of layers is odd, else at `units`; so they end at `units`.
    """
    step, zeros = network.neighbours * CELLS, (network.rows - network.cells) * network.channels
    for number in range(network.board_layers):
        last = (network.board_layers - number) % 2 == 1
        given, out = (other, units) if last else (units, other)
        weights, bias = long_at(network.board_table, 2 * number), long_at(network.board_table, 2 * number + 1)
        for group in range((network.cells + CELLS - 1) // CELLS):
            at = out + FLOAT * network.channels * CELLS * group
            near = network.near + FLOAT * step * group
            layer_of_cells(at, given, near, weights, bias, network.channels, network.neighbours)
        for index in range(zeros):
            put_float(out + FLOAT * network.channels * network.cells, index, np.float32(0.0))


@device_function
def _note_true(network: Record, words: int, picked: int) -> int:
    """Write the numbers of the true facts that count to `picked`; return how many these are."""
    count = 0
    for index in range(network.state_words):
        word = word_at(words, index) & word_at(network.seen, index)
        while word:
            put_int(picked, count, 64 * index + int64(lowest_bit(word)))
            word &= word - ONE
            count += 1
    return count


@device_function
def _pass_layer(layer: int, given: int, out: int, count: int) -> None:
    weights, bias = long_at(layer, LAYER_WEIGHTS), long_at(layer, LAYER_BIAS)
    ins, outs = long_at(layer, LAYER_INS), long_at(layer, LAYER_OUTS)
    at = 0
    while at + TOGETHER <= count:
        layer_of_four(out + FLOAT * outs * at, given + FLOAT * ins * at, weights, bias, outs, ins)
        at += TOGETHER
    while at < count:
        layer_of_one(out + FLOAT * outs * at, given + FLOAT * ins * at, weights, bias, outs, ins)
        at += 1


@device_function
def _note_answers(network: Record, units: int, cells: int, words: int) -> None:
    for role in range(network.roles):
        row = network.value_rows + FLOAT * network.units * role
        total = np.float64(dot(units, row, network.units) + float_at(network.value_bias, role))
        put_float(words + 8 * network.shown, role, np.float32(1.0 / (1.0 + np.exp(-total))))
    place = units_at(network, words)
    if network.cells:
        _note_logits(network, units, cells, words, place)
    else:
        for unit in range(network.units):
            put_float(place, unit, float_at(units, unit))


@device_function
def _note_logits(network: Record, units: int, cells: int, words: int, place: int) -> None:
    """Write the logits of the legal moves, in their order."""
    slot = 0
    for index in range(network.shown - network.state_words):
        word = word_at(words, network.state_words + index)
        while word and slot < network.slots:
            move = 64 * index + int64(lowest_bit(word))
            word &= word - ONE
            logit = np.float32(_logit(network, units, move))
            for i in range(move * network.named, (move + 1) * network.named):
                cell = cells + FLOAT * network.channels * int_at(network.places, i)
                logit += dot(cell, network.place_rows + FLOAT * network.channels * i, network.channels)
            put_float(place, slot, logit)
            slot += 1


@kernel
def evaluate_all(networks: NDArray[Any], works: NDArray[Any], asked: int, count: int) -> None:
    """Call `evaluate` from Python, for the `count` addresses at address `asked`."""
    work = works[0]
    kept = work.asked
    work.asked = asked
    evaluate(networks[0], work, count)
    work.asked = kept
