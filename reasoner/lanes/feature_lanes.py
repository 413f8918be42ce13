"""Feature counting for 512 states at a time: one state in each lane, evaluated by a circuit compiled for the features.

The circuit computes the bits of every group's count. A feature's value is the product of its groups' counts.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from reasoner.arrays import Bools, Bytes, Ints, Longs, Words
from reasoner.circuit.circuit import Circuit
from reasoner.circuit.feature_counts import CountNet
from reasoner.circuit.graph import FALSE
from reasoner.circuit.traversal import visit
from reasoner.ground.terms import GroundTerms
from reasoner.kernels import kernel
from reasoner.lanes.emitters import emit
from reasoner.lanes.lane_graph import GOAL, SECTIONS, LaneGraph
from reasoner.lanes.loaded import Addresses, Code
from reasoner.lanes.play import run
from reasoner.lanes.rows import LANES, WORDS, aligned
from reasoner.language.features import Feature, FeatureGroup


@dataclass(frozen=True, eq=False)
class CountProgram:
    """The compiled features; can be pickled. G groups.

    The code has one section, GOAL. Its goals are the bits of the counts: group, bit number, literal.
    """

    bases: int
    gates: int
    constants: Longs  # [G] the constant to add to a group's count
    refused: Bools  # [G] the program does not count the group
    code: Code
    seconds: float = 0.0  # CPU time of the build

    def after(self, seconds: float) -> CountProgram:
        """A copy with the build time `seconds`."""
        return replace(self, seconds=seconds)


def count_program(net: CountNet, bases: GroundTerms, emitter: str | None) -> CountProgram:
    """The program of a circuit of counts; see `reasoner.lanes.emitters` for `emitter`."""
    graph = _lane_graph(net, bases)
    return CountProgram(len(bases), len(graph.sections[GOAL]), net.constants, net.refused, emit(graph, emitter))


def _lane_graph(net: CountNet, bases: GroundTerms) -> LaneGraph:
    """The counts' gates as the section GOAL of a game without moves, whose facts never change."""
    left, right, first = net.graph.left, net.graph.right, net.graph.first_gate
    order, seen = np.empty(len(net.graph), np.int32), np.zeros(first + len(net.graph), np.bool_)
    end = visit(left, right, first, net.bits[:, 2].copy(), seen, order, 0)
    nothing = np.zeros(0, np.int32)
    sections = [nothing] * len(SECTIONS)
    sections[GOAL] = order[:end]
    return LaneGraph(
        circuit=_still(bases),
        randoms=0,
        left=left.copy(),
        right=right.copy(),
        sections=tuple(sections),
        legal=nothing,
        able=nothing,
        terminal=FALSE,
        stop=FALSE,
        goals=net.bits,
        chosen=nothing,
        exclusive=nothing.reshape(0, 2),
        next=2 * np.arange(1, len(bases) + 1, dtype=np.int32),
        drawn=nothing.reshape(0, 2),
        preferred=nothing,
        won=FALSE,
    )


def _still(bases: GroundTerms) -> Circuit:
    """A circuit with these bases and without moves; no base changes."""
    nothing, none = np.zeros(0, np.int32), GroundTerms(bases.table, bases.numbers[:0])
    return Circuit(
        roles=(),
        bases=bases,
        searched=len(bases),
        always=none,
        never=none,
        initial=np.zeros(len(bases), np.bool_),
        moves=(),
        legal=nothing,
        next=2 * np.arange(1, len(bases) + 1, dtype=np.int32),
        terminal=FALSE,
        goals=nothing.reshape(0, 3),
        left=nothing,
        right=nothing,
        stages=(0, 0, 0, 0),
    )


class CountLanes:
    """Compiled features. Thread-safe; one thread counts at a time."""

    def __init__(self, program: CountProgram, features: Sequence[Feature]) -> None:
        self.program = program
        groups = groups_of(features)
        self.counted = np.array([not any(program.refused[groups[g]] for g in f.groups) for f in features], np.bool_)
        self._code = program.code.load()
        self._values = aligned(self._code.rows)
        self._lock = threading.Lock()
        widest = max((len(feature.groups) for feature in features), default=0)
        self._factors = np.full((len(features), widest), len(groups), np.int64)  # number len(groups): a count of 1
        for row, feature in zip(self._factors, features, strict=True):
            row[: len(feature.groups)] = [groups[group] for group in feature.groups]

    def values(self, states: Sequence[bytes]) -> Longs:
        """The values of the features in states of packed bits; undefined for features that are not `counted`.

        # [states, features]
        """
        width = len(states[0])
        packed = np.frombuffer(b"".join(states), np.uint8).reshape(len(states), width)
        with self._lock:
            chunks = [self._chunk(packed[start : start + LANES]) for start in range(0, len(states), LANES)]
        return np.concatenate(chunks)

    def _chunk(self, packed: Bytes) -> Longs:
        """The values for at most LANES states."""
        bases, groups = self.program.bases, len(self.program.constants)
        bits = np.zeros((LANES, bases), np.uint8)
        bits[: len(packed)] = np.unpackbits(packed, axis=1, count=bases)
        rows = np.packbits(np.ascontiguousarray(bits.T), axis=1, bitorder="little")
        self._values[WORDS : WORDS * (1 + bases)] = rows.view(np.uint64).ravel()
        counts = np.ones((groups + 1, LANES), np.int64)
        counts[:groups] = self.program.constants[:, None]
        evaluate(self._values, self._code.entries, self._code.operands, self._code.goals, counts)
        values = np.ones((len(self._factors), LANES), np.int64)
        for factor in self._factors.T:
            values *= counts[factor]
        return values.T[: len(packed)]


@kernel
def evaluate(values: Words, entries: Addresses, operands: Addresses, bits: Ints, counts: Longs) -> None:
    """Run the section and add the bits to the counts.  # counts [groups + 1, LANES]."""
    run(values, entries, operands, GOAL)
    for b in range(len(bits)):
        group, place, literal = bits[b, 0], bits[b, 1], bits[b, 2]
        flip = -np.int64(literal & 1)
        for w in range(WORDS):
            word = np.int64(values[(literal >> 1) * WORDS + w]) ^ flip
            for lane in range(64):
                counts[group, 64 * w + lane] += ((word >> lane) & 1) << place


def groups_of(features: Sequence[Feature]) -> dict[FeatureGroup, int]:
    """Assign a number to each distinct group of some features."""
    groups = dict.fromkeys(group for feature in features for group in feature.groups)
    return {group: number for number, group in enumerate(groups)}
