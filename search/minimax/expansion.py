"""Expansion of many positions at once: the children of all of them in one sweep of the lanes.

First, each position is loaded into one lane, and LEGAL shows its moves. Then each position gets one lane per move of
the role that chooses. After NEXT, the facts of a child that differ from its parent's are read row by row. They update
the packed state and the evaluation, which is linear in the facts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reasoner.arrays import Ints, Singles, Words
from reasoner.kernels import device_function_norefcount, kernel_norefcount
from reasoner.kernels.bits import ALL, ONE, ZERO
from reasoner.kernels.scalars import int64, uint64
from reasoner.lanes.lane_graph import GOAL, LEGAL, NEXT
from reasoner.lanes.play import Lanes, section, seed_generators, word
from reasoner.lanes.rows import LANES, WORDS, aligned, lowest_bit
from search.minimax.positions import CROWDED, EXPANDED, FAULT, JOINT, SOLVED, UNEVEN, UNOPPOSED, USED, Positions

MOST = 64
"""Maximum number of positions that are expanded at once: their moves are read from one word of the lanes."""
ROLES = 2
PLANES = 10
"""Digits of a number of legal moves; a position with more moves than lanes cannot be searched."""
MAX_LEAD = 0.3
"""Maximum share of legal moves that counts: few moves, as of a king in check, say little about later ones."""


class Game(NamedTuple):
    """What a search needs of a game; B searched bases."""

    starts: Ints  # [3] the first move of each role, then the number of moves
    weights: Singles  # [B] the evaluation: what each true base adds to the logit of the first role
    mobility: float  # likewise, the factor of `Positions.leads`; 0: legal moves of children are not counted
    points: float  # the goal that has value 1


class Pack(NamedTuple):
    """Work memory of the expansion of up to MOST positions, and of the lanes."""

    values: Words  # rows of the lanes
    asked: Ints  # [MOST] the positions to expand
    begins: Ints  # [MOST + 1] the first lane of each position
    counts: Ints  # [MOST, ROLES] the number of legal moves of each role
    cursors: Ints  # [MOST] the next lane of each position to receive a move
    moves: Ints  # [LANES] the move that leads to a child
    masks: Words  # [MOST, WORDS] bit set of the lanes of each position
    holders: Words  # [B] bit set of the positions in which a searched base is true
    spread: Words  # [WORDS] the lanes of the positions in which one base is true
    goals: Singles  # [LANES, ROLES]
    planes: Words  # [PLANES, ROLES, WORDS] the number of legal moves of each role in each lane, in binary


def new_pack(program: Lanes, rows: int, seed: int) -> Pack:
    """Allocate work memory for a program of `rows` rows."""
    values = aligned(rows)
    seed_generators(values, program.random, seed)
    return Pack(
        values=values,
        asked=np.zeros(MOST, np.int32),
        begins=np.zeros(MOST + 1, np.int32),
        counts=np.zeros((MOST, ROLES), np.int32),
        cursors=np.zeros(MOST, np.int32),
        moves=np.zeros(LANES, np.int32),
        masks=np.zeros((MOST, WORDS), np.uint64),
        holders=np.zeros(program.searched, np.uint64),
        spread=np.zeros(WORDS, np.uint64),
        goals=np.zeros((LANES, ROLES), np.float32),
        planes=np.zeros((PLANES, ROLES, WORDS), np.uint64),
    )


@device_function_norefcount
def _load_alone(program: Lanes, positions: Positions, pack: Pack, size: int) -> None:
    """Load each position into its own lane of the first word."""
    pack.holders[:] = ZERO
    for k in range(size):
        for place in range(positions.states.shape[1]):
            bits = positions.states[pack.asked[k], place]
            while bits:
                pack.holders[64 * place + int64(lowest_bit(bits))] |= ONE << uint64(k)
                bits &= bits - ONE
    for base in range(program.searched):
        pack.values[(1 + base) * WORDS] = pack.holders[base]


@device_function_norefcount
def _count_moves(program: Lanes, game: Game, pack: Pack, size: int) -> None:
    used = ALL if size == MOST else (ONE << uint64(size)) - ONE
    for k in range(size):
        pack.counts[k, 0] = pack.counts[k, 1] = 0
    for role in range(ROLES):
        for move in range(game.starts[role], game.starts[role + 1]):
            legal = word(pack.values, program.legal[move], 0) & used
            while legal:
                pack.counts[int64(lowest_bit(legal)), role] += 1
                legal &= legal - ONE


@device_function_norefcount
def _give_lanes(positions: Positions, pack: Pack, size: int) -> int:
    """Give each position its lanes, as far as they suffice; return the number of positions with lanes, or -1."""
    begin = 0
    for k in range(size):
        first, other = pack.counts[k, 0], pack.counts[k, 1]
        if first > 1 and other > 1:
            positions.counts[FAULT] = JOINT
            return -1
        count = max(first, other)
        if count > LANES:
            positions.counts[FAULT] = CROWDED
            return -1
        room = len(positions.sizes) - positions.counts[USED]
        if begin + count > min(int64(LANES), room):
            return k
        positions.movers[pack.asked[k]] = 1 if other > first else 0
        pack.begins[k] = pack.cursors[k] = begin
        for w in range(WORDS):
            pack.masks[k, w] = _below(begin + count, w) & ~_below(begin, w)
        begin += count
        pack.begins[k + 1] = begin
    return size


@device_function_norefcount
def _below(count: int, w: int) -> int:
    """Return the lanes of word `w` that belong to the first `count` lanes."""
    left = count - 64 * w
    return ALL if left >= 64 else ZERO if left <= 0 else (ONE << uint64(left)) - ONE


@device_function_norefcount
def _put_moves(program: Lanes, game: Game, positions: Positions, pack: Pack, size: int) -> None:
    """Set a move of the role that chooses in each lane, and the only move of the other role in all of them."""
    values, used = pack.values, ALL if size == MOST else (ONE << uint64(size)) - ONE
    for role in range(ROLES):
        for move in range(game.starts[role], game.starts[role + 1]):
            legal = word(values, program.legal[move], 0) & used
            row = (1 + program.bases + move) * WORDS
            while legal:
                k = int64(lowest_bit(legal))
                legal &= legal - ONE
                if positions.movers[pack.asked[k]] == role:
                    lane = int64(pack.cursors[k])
                    pack.cursors[k] += 1
                    pack.moves[lane] = move
                    values[row + (lane >> 6)] |= ONE << uint64(lane & 63)
                else:
                    for w in range(WORDS):
                        values[row + w] |= pack.masks[k, w]


@device_function_norefcount
def _spread(pack: Pack, base: int, used: int) -> None:
    """Set `pack.spread` to the lanes of the positions `used` (a bit set) in which the base is true."""
    held = pack.holders[base] & used
    for w in range(WORDS):
        pack.spread[w] = ZERO
    while held:
        k = int64(lowest_bit(held))
        held &= held - ONE
        for w in range(pack.begins[k] >> 6, (pack.begins[k + 1] + 63) >> 6):
            pack.spread[w] |= pack.masks[k, w]


@device_function_norefcount
def _load_spread(program: Lanes, pack: Pack, size: int) -> None:
    """Load each position into its lanes."""
    used = ALL if size == MOST else (ONE << uint64(size)) - ONE
    for base in range(program.searched):
        _spread(pack, base, used)
        for w in range(WORDS):
            pack.values[(1 + base) * WORDS + w] = pack.spread[w]


@device_function_norefcount
def _read_children(program: Lanes, game: Game, positions: Positions, pack: Pack, size: int) -> None:
    """Write the states and evaluations of the children: those of the parent with the facts that differ changed."""
    used, states, logits = positions.counts[USED], positions.states, positions.logits
    for k in range(size):
        parent = pack.asked[k]
        for lane in range(pack.begins[k], pack.begins[k + 1]):
            child = used + lane
            for w in range(states.shape[1]):
                states[child, w] = states[parent, w]
            logits[child] = logits[parent]
            positions.parents[child], positions.moves[child] = parent, pack.moves[lane]
            positions.sizes[child] = positions.visits[child] = 0
            positions.depths[child] = positions.depths[parent] + 1
            positions.horizons[child] = positions.busy[child] = 0
            positions.marks[child] = 0
    count, all_used = int64(pack.begins[size]), ALL if size == MOST else (ONE << uint64(size)) - ONE
    for base in range(program.searched):
        place, bit, row = base >> 6, ONE << uint64(base & 63), (1 + base) * WORDS
        _spread(pack, base, all_used)
        for w in range((count + 63) >> 6):
            old = pack.spread[w]
            changed = (pack.values[row + w] ^ old) & _below(count, w)
            while changed:
                lane = lowest_bit(changed)
                changed &= changed - ONE
                child = used + 64 * w + int64(lane)
                states[child, place] ^= bit
                logits[child] += -game.weights[base] if (old >> lane) & ONE else game.weights[base]


@device_function_norefcount
def _count_children(program: Lanes, game: Game, pack: Pack, words: int) -> None:
    """Count the legal moves of each role in each lane."""
    pack.planes[:] = ZERO
    for role in range(ROLES):
        for move in range(game.starts[role], game.starts[role + 1]):
            for w in range(words):
                carry, plane = word(pack.values, program.legal[move], w), 0
                while carry and plane < PLANES:
                    both = pack.planes[plane, role, w] & carry
                    pack.planes[plane, role, w] ^= carry
                    carry, plane = both, plane + 1


@device_function_norefcount
def _count_in(pack: Pack, role: int, lane: int) -> int:
    count = int64(0)
    for plane in range(PLANES):
        count |= int64((pack.planes[plane, role, lane >> 6] >> uint64(lane & 63)) & ONE) << plane
    return count


@device_function_norefcount
def _add_leads(program: Lanes, game: Game, positions: Positions, pack: Pack, size: int) -> None:
    """Evaluate the legal moves of the role that moves in each child, and of the one that moved before."""
    used = positions.counts[USED]
    _count_children(program, game, pack, (int64(pack.begins[size]) + 63) >> 6)
    for k in range(size):
        parent = pack.asked[k]
        mover, before = int64(positions.movers[parent]), positions.leads[parent]
        former = int64(pack.counts[k, mover])
        for lane in range(pack.begins[k], pack.begins[k + 1]):
            child, now, lead = used + lane, _count_in(pack, 1 - mover, lane), before
            if now > 1:
                lead = np.float32(former - now) / np.float32(former + now)
                lead = min(max(lead, np.float32(-MAX_LEAD)), np.float32(MAX_LEAD))
                lead = lead if mover == 0 else -lead
            positions.leads[child] = lead
            positions.logits[child] += np.float32(game.mobility) * (lead - before)


@device_function_norefcount
def _evaluate(program: Lanes, game: Game, positions: Positions, pack: Pack, count: int) -> None:
    """Set the values of the children: the goals where the game is over, else the evaluation."""
    used, some = positions.counts[USED], False
    for lane in range(count):
        child = used + lane
        positions.values[child] = 1.0 / (1.0 + np.exp(-positions.logits[child]))
    for w in range((count + 63) >> 6):
        some = some or (pack.values[program.stop * WORDS + w] & _below(count, w)) != ZERO
    if not some:
        return
    section(pack.values, program, GOAL)
    for lane in range(count):
        pack.goals[lane, 0] = pack.goals[lane, 1] = 0.0
    for g in range(len(program.goals)):
        role, value, literal = program.goals[g, 0], program.goals[g, 1], program.goals[g, 2]
        for w in range((count + 63) >> 6):
            true = word(pack.values, literal, w) & _below(count, w)
            while true:
                pack.goals[64 * w + int64(lowest_bit(true)), role] = np.float32(value)
                true &= true - ONE
    for lane in range(count):
        if (pack.values[program.stop * WORDS + (lane >> 6)] >> uint64(lane & 63)) & ONE:
            total = pack.goals[lane, 0] + pack.goals[lane, 1]
            if total > game.points:
                positions.counts[FAULT] = UNOPPOSED
            elif total < game.points:
                positions.counts[UNEVEN] = 1
            won = (pack.goals[lane, 0] - pack.goals[lane, 1]) / game.points
            positions.values[used + lane] = min(max(0.5 + 0.5 * won, 0.0), 1.0)
            positions.marks[used + lane], positions.distances[used + lane] = SOLVED, 0


@kernel_norefcount
def expand_pack(program: Lanes, game: Game, positions: Positions, pack: Pack, size: int) -> int:
    """Expand the first `size` positions of `pack.asked`; return how many of them were expanded.

    They are fewer than `size` if the lanes or the memory do not suffice.
    """
    values = pack.values
    _load_alone(program, positions, pack, size)
    section(values, program, LEGAL)
    _count_moves(program, game, pack, size)
    size = _give_lanes(positions, pack, size)
    if size <= 0:
        return 0
    _put_moves(program, game, positions, pack, size)
    _load_spread(program, pack, size)
    section(values, program, LEGAL)
    section(values, program, NEXT)
    values[(1 + program.bases) * WORDS : program.hold * WORDS] = ZERO
    _read_children(program, game, positions, pack, size)
    section(values, program, LEGAL)
    count = int64(pack.begins[size])
    if game.mobility:
        _add_leads(program, game, positions, pack, size)
    _evaluate(program, game, positions, pack, count)
    used = positions.counts[USED]
    for k in range(size):
        positions.first[pack.asked[k]] = used + pack.begins[k]
        positions.sizes[pack.asked[k]] = pack.begins[k + 1] - pack.begins[k]
    positions.counts[USED] = used + count
    positions.counts[EXPANDED] += size
    return size
