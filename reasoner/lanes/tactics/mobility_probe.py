"""Find the moves that a fact enables: they are legal if the fact is true, and illegal if another fact replaces it.

The replacement is another fact of the same group. Facts are tested one at a time in the states of 512 games; only gates
that depend on a change are evaluated again.
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

    moves: Longs  # [S, roles] the sum over games of the moves that a fact enables; 0 for a fact that is not `asked`
    absent: Bools  # [M, S] the move is legal in some of the states, but in none if the fact is made true


class _Legality(NamedTuple):
    """The gates of LEGAL, and the readers of each node."""

    left: Ints  # literals of the lane graph
    right: Ints
    first: int
    gates: Ints  # the section's nodes, in order
    start: Longs  # [nodes + 1] the gates with the indices reader[start[n]: start[n + 1]] read node n
    reader: Longs
    begin: Longs  # [nodes + 1] node n is the legality of the moves move[begin[n]: begin[n + 1]]
    move: Longs
    legal: Ints  # [M] literals
    mover: Longs  # [M]


class _Room(NamedTuple):
    """Work memory of the test of a fact."""

    values: Words  # [nodes, words]
    before: Words  # [nodes, words] the values without a change
    waiting: Words  # a bit for each gate of the section: the gate must be evaluated
    trail: Ints  # [nodes] changed nodes
    noted: Ints  # [nodes] nodes that change if the fact is made true
    there: Words  # [M, words] the games in which a move is legal if the fact is true; only for changed moves
    changed: Bools  # [M] the move's legality changes if the fact is made true


class Probes(NamedTuple):
    """The facts to test; S searched bases."""

    groups: Bools  # [S, S] for each fact its group, including itself; a test makes one fact of the group true
    instead: Longs  # [S] the replacement of the fact; NO_BASE: none, all facts of the group become false
    asked: Bools  # [S] whether to test the replacement of the fact
    going: Words  # [words] the games in which to test


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
    """Test each fact, and fill `made`: first make the fact the only true one of its group, then its replacement."""
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
    """Make one base of a group true in every game, and the others false; return the number of nodes in `trail`."""
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
    """Record the games in which each move with changed legality is legal; set `absent` for moves now legal in none."""
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
    """Add to each role's count the games in which its moves are legal with the fact but not now, move by move.

    Each move in the record is counted once and removed from the record.
    """
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
    """Clear `changed` for the moves of the noted nodes."""
    for i in range(count):
        for k in range(legality.begin[room.noted[i]], legality.begin[room.noted[i] + 1]):
            room.changed[legality.move[k]] = False
