"""Moves that a fact enables: legal while the fact is true, not legal if another fact of its group replaces it.

Facts are tested one at a time in the states of 512 games; only gates that depend on a change are evaluated again.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reasoner.arrays import Bools, Ints, Longs, Words
from reasoner.kernels import device_function_norefcount, kernel
from reasoner.kernels.bits import ALL, ONE, ZERO
from reasoner.kernels.scalars import int64, uint64
from reasoner.lanes.lane_graph import LEGAL, LaneGraph
from reasoner.lanes.rows import WORDS, aligned, lowest_bit, popcount, row_differs, row_gate, row_load
from reasoner.lanes.tactics.trial_games import TrialGames

NO_BASE = -1


class Mobility(NamedTuple):
    """The moves that the facts enable; S searched bases, M moves."""

    moves: Longs  # [S, roles] moves of a role that are legal by a fact, in all games; 0 if nothing replaces it
    absent: Bools  # [M, S] the move is legal in some of the states, but in none with the fact


class _Legality(NamedTuple):
    """The gates of LEGAL, and the readers of each node."""

    left: Ints  # of the lane graph
    right: Ints
    first: int
    gates: Ints  # the section's nodes, in order
    start: Longs  # [nodes + 1] node n is read by the gates at the places reader[start[n]: start[n + 1]] ...
    reader: Longs
    begin: Longs  # [nodes + 1] ... and is the legality of the moves move[begin[n]: begin[n + 1]]
    move: Longs
    legal: Ints  # [M] literals
    mover: Longs  # [M]


class _Room(NamedTuple):
    """Working memory, empty between facts."""

    values: Words  # [nodes, words]
    before: Words  # [nodes, words] the same without a change
    waiting: Words  # bits by place in the section: gates to evaluate
    trail: Ints  # [nodes] changed nodes
    noted: Ints  # [nodes] nodes changed by the fact itself
    there: Words  # [M, words] where a move is legal with the fact; for changed moves
    changed: Bools  # [M]


class Probes(NamedTuple):
    """The facts to test; S searched bases."""

    groups: Bools  # [S, S] for each fact the group in which only it is true
    instead: Longs  # [S] the fact that replaces it, NO_BASE for none
    asked: Bools  # [S] whether to test the fact
    going: Words  # [words] the games to test in


def probe_mobility(games: TrialGames, states: Words, probes: Probes) -> Mobility:
    """The moves that each fact enables.  # states: [S, words]."""
    graph = games.graph
    games.legal_in(states)
    before = aligned(len(games.values)).reshape(-1, WORDS)
    before[:] = games.values
    moves, searched = len(graph.legal), len(states)
    legality = _legality(graph)
    room = _Room(
        games.values,
        before,
        np.zeros(1 + len(legality.gates) // 64, np.uint64),
        np.empty(len(games.values), np.int32),
        np.empty(len(games.values), np.int32),
        np.empty((moves, WORDS), np.uint64),
        np.zeros(moves, np.bool_),
    )
    made = Mobility(np.zeros((searched, len(graph.circuit.roles)), np.int64), np.zeros((moves, searched), np.bool_))
    _probe_all(legality, room, probes, made)
    return made


def _legality(graph: LaneGraph) -> _Legality:
    gates, nodes = graph.sections[LEGAL], np.arange(graph.hold + 1)
    read = np.concatenate((graph.left[gates - graph.first_gate], graph.right[gates - graph.first_gate])) >> 1
    order, move = np.argsort(read, kind="stable"), np.argsort(graph.legal >> 1, kind="stable")
    return _Legality(
        left=graph.left,
        right=graph.right,
        first=graph.first_gate,
        gates=gates,
        start=np.searchsorted(read[order], nodes),
        reader=order % max(1, len(gates)),
        begin=np.searchsorted(graph.legal[move] >> 1, nodes),
        move=move,
        legal=graph.legal,
        mover=np.repeat(np.arange(len(graph.circuit.roles)), [len(own) for own in graph.circuit.moves]),
    )


@kernel
def _probe_all(legality: _Legality, room: _Room, probes: Probes, made: Mobility) -> None:
    """Test each fact: first the fact in its group, then its replacement; fills in `made`."""
    for base in range(len(probes.asked)):
        count = _put(legality, room, probes.groups[base], base)
        _note(legality, room, count, probes.going, made.absent[:, base])
        _restore(room, count)
        room.noted[:count], noted = room.trail[:count], count
        if probes.asked[base]:
            count = _put(legality, room, probes.groups[base], probes.instead[base])
            _compare(legality, room, room.trail, count, probes.going, made.moves[base])
            _restore(room, count)
            _compare(legality, room, room.noted, noted, probes.going, made.moves[base])
        _clear(legality, room, noted)


@device_function_norefcount
def _put(legality: _Legality, room: _Room, group: Bools, true: int) -> int:
    """Make one base of a group true in every game, the others false; return how many nodes of `trail` changed."""
    count, begin = 0, len(room.waiting)
    for base in range(len(group)):
        if group[base]:
            room.values[1 + base] = ALL if base == true else ZERO
            room.trail[count] = 1 + base
            count += 1
            begin = min(begin, _enqueue(legality, room.waiting, 1 + base))
    for block in range(begin, len(room.waiting)):
        while room.waiting[block]:
            bit = lowest_bit(room.waiting[block])
            room.waiting[block] ^= ONE << bit
            node = legality.gates[64 * block + int64(bit)]
            gate = node - legality.first
            row_gate(room.values, int64(node), legality.left[gate], legality.right[gate])
            if row_differs(room.values, room.before, int64(node)):
                room.trail[count] = node
                count += 1
                _enqueue(legality, room.waiting, node)
    return count


@device_function_norefcount
def _enqueue(legality: _Legality, waiting: Words, node: int) -> int:
    """Queue the readers of a node; return the first word of the queue that may be set."""
    first = len(waiting)
    for i in range(legality.start[node], legality.start[node + 1]):
        place = legality.reader[i]
        waiting[place >> 6] |= ONE << uint64(place & 63)
        first = min(first, place >> 6)
    return first


@device_function_norefcount
def _restore(room: _Room, count: int) -> None:
    """Restore the rows of the changed nodes."""
    for i in range(count):
        node = room.trail[i]
        row_load(room.before, room.values, int64(node), int64(node), ZERO)


@device_function_norefcount
def _note(legality: _Legality, room: _Room, count: int, going: Words, absent: Bools) -> None:
    """Record where moves with changed legality are legal, and which of them are now legal in no game."""
    for i in range(count):
        node = room.trail[i]
        for k in range(legality.begin[node], legality.begin[node + 1]):
            move = legality.move[k]
            flip, some, still = ZERO - uint64(legality.legal[move] & 1), ZERO, ZERO
            for w in range(WORDS):
                some |= (room.before[node, w] ^ flip) & going[w]
                room.there[move, w] = (room.values[node, w] ^ flip) & going[w]
                still |= room.there[move, w]
            room.changed[move] = True
            absent[move] = some != ZERO and still == ZERO


@device_function_norefcount
def _compare(legality: _Legality, room: _Room, nodes: Ints, count: int, going: Words, moves: Longs) -> None:
    """Count per role where moves are legal with the fact and not now; each recorded move once."""
    for i in range(count):
        node = nodes[i]
        for k in range(legality.begin[node], legality.begin[node + 1]):
            move = legality.move[k]
            flip, changed = ZERO - uint64(legality.legal[move] & 1), room.changed[move]
            for w in range(WORDS):
                made = room.there[move, w] if changed else (room.before[node, w] ^ flip) & going[w]
                moves[legality.mover[move]] += int64(popcount(made & ~(room.values[node, w] ^ flip)))
            room.changed[move] = False


@device_function_norefcount
def _clear(legality: _Legality, room: _Room, count: int) -> None:
    """Clear the record."""
    for i in range(count):
        for k in range(legality.begin[room.noted[i]], legality.begin[room.noted[i] + 1]):
            room.changed[legality.move[k]] = False
