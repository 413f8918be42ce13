"""Expansion of a position: all its children in one sweep of the lanes.

Lane i makes the i-th move of the role that chooses. The facts of a child that differ from its parent's are read row by
row; they update the packed state and its Zobrist hashes (Zobrist 1970), one for each symmetry of the game. The
smallest hash stands for the position and all its symmetric images. Indices of the inner loops are unsigned, because the
code for negative indices keeps the compiler from using vectors, and these loops would take twice as long.

A child's *bounds* are the lowest and the highest score of the first role that are possible. They are equal if the game
is over. If the roles are opposed and the role that moves next can win at once, this win gives one bound. The lanes try
such moves.

The score is the first role's goal; or, with a *horizon* H, it is H minus the smallest number of joint moves in which
the first role can force its highest goal, and 0 if it cannot within H.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reasoner.arrays import Ints, Words
from reasoner.kernels import device_function_norefcount
from reasoner.kernels.bits import ALL, ONE, ZERO
from reasoner.kernels.scalars import int64, uint64
from reasoner.lanes.lane_graph import GOAL, LEGAL, NEXT, PREFER
from reasoner.lanes.play import Lanes, section, seed_generators, word
from reasoner.lanes.rows import LANES, WORDS, aligned, lowest_bit
from search.solver.proof_table import fetch

JOINT, CROWDED, UNOPPOSED, OVER = -1, -2, -3, -4
"""Results of `expand` other than the role that chooses: several roles choose; more than 512 moves; the goals of a final
position do not add up to the total; the position itself is over."""
MAX_SCORE = 255
"""The highest score that a table can hold."""
PLANES = 24
"""Bits of the number of a role's legal moves; a circuit has fewer moves than 2**24."""


class Rules(NamedTuple):
    """What a solver needs of a game; B searched bases, S symmetries, W words of a state."""

    starts: Ints  # [roles + 1] the first move of each role, then the number of moves
    first: int  # the role whose score is computed
    total: int  # the sum of the goals of both roles at each end; -1: the other roles need not be opposed
    lowest: int  # the lowest goal of the first role
    highest: int  # the highest goal of the first role
    horizon: int  # 0: the score is the goal
    zobrist: Words  # [B, S] the hash of base b under each symmetry


class Children(NamedTuple):
    """The children found by an expansion, in memory that holds LANES of them."""

    states: Words  # [N, W]
    hashes: Words  # [N, S]
    moves: Ints  # [N] numbers of moves
    bounds: Ints  # [N, 2] the lowest and the highest score
    counts: Ints  # [N, 2] the number of legal moves of the first role, and of the other role


class Work(NamedTuple):
    """Work memory of one thread."""

    values: Words  # rows of the lanes
    goals: Ints  # [LANES] the goal of the first role in each lane whose game has ended
    others: Ints  # [LANES] the goal of the other role there
    ended: Words  # [WORDS] bit set of these lanes
    planes: Words  # [PLANES] work memory of `_count_moves`


def children_of(count: int, words: int, symmetries: int) -> Children:
    """Allocate memory for `count` children."""
    return Children(
        states=np.zeros((count, words), np.uint64),
        hashes=np.zeros((count, symmetries), np.uint64),
        moves=np.zeros(count, np.int32),
        bounds=np.zeros((count, 2), np.int32),
        counts=np.zeros((count, 2), np.int32),
    )


def part_of(children: Children, count: int) -> Children:
    """Return the first `count` children."""
    states, hashes, moves, bounds, counts = children
    return Children(states[:count], hashes[:count], moves[:count], bounds[:count], counts[:count])


@device_function_norefcount
def part_from(children: Children, first: int) -> Children:
    """Return the memory of the children from number `first` on."""
    return Children(
        children.states[first:],
        children.hashes[first:],
        children.moves[first:],
        children.bounds[first:],
        children.counts[first:],
    )


def new_work(program: Lanes, rows: int, seed: int) -> Work:
    """Allocate the work memory of a thread for a program of `rows` rows."""
    values = aligned(rows)
    seed_generators(values, program.random, seed)
    goals, others = np.zeros(LANES, np.int32), np.zeros(LANES, np.int32)
    return Work(values, goals, others, np.zeros(WORDS, np.uint64), np.zeros(PLANES, np.uint64))


@device_function_norefcount
def load_state(values: Words, program: Lanes, state: Words) -> None:
    """Set one packed state in all lanes."""
    for base in range(program.searched):
        bit = (state[base >> 6] >> uint64(base & 63)) & ONE
        full = ZERO - bit
        row = uint64((1 + base) * WORDS)
        for w in range(WORDS):
            values[row + uint64(w)] = full


@device_function_norefcount
def _put_move(values: Words, program: Lanes, move: int, lane: int) -> None:
    values[(1 + program.bases + move) * WORDS + (lane >> 6)] |= ONE << uint64(lane & 63)


@device_function_norefcount
def _fill_move(values: Words, program: Lanes, move: int, full: int) -> None:
    row = (1 + program.bases + move) * WORDS
    for w in range(WORDS):
        values[row + w] = full


@device_function_norefcount
def _legal(values: Words, program: Lanes, move: int) -> bool:
    return (word(values, program.legal[move], 0) & ONE) != ZERO


@device_function_norefcount
def _choose(values: Words, program: Lanes, rules: Rules, moves: Ints) -> tuple[int, int]:
    """Set the moves of the roles without a choice in all lanes, and one move of the other role in each lane.

    Returns the role that chooses and the number of its moves, which are written to `moves`.
    """
    chooser, count, own = -1, 0, -1
    for role in range(program.roles):
        first, found = -1, 0
        for move in range(rules.starts[role], rules.starts[role + 1]):
            if not _legal(values, program, move):
                continue
            found += 1
            if found == 1:
                first = move
                continue
            if chooser >= 0 or found > LANES:
                _clear_moves(values, program)
                return (JOINT if chooser >= 0 else CROWDED), 0
            if found == 2:
                moves[0] = first
                _put_move(values, program, first, 0)
            moves[found - 1] = move
            _put_move(values, program, move, found - 1)
        if found > 1:
            chooser, count = role, found
        elif found == 1:
            _fill_move(values, program, first, ALL)
            own = first if role == rules.first else own
    if chooser >= 0:
        return chooser, count
    moves[0] = own
    return rules.first, 1


@device_function_norefcount
def _clear_moves(values: Words, program: Lanes) -> None:
    values[(1 + program.bases) * WORDS : program.hold * WORDS] = ZERO  # six times as fast as a loop over the words


@device_function_norefcount
def _read_children(
    values: Words, program: Lanes, rules: Rules, state: Words, hashes: Words, out: Children, count: int
) -> None:
    """Write the children's states and hashes: those of the parent with the facts that differ changed."""
    for i in range(count):
        for k in range(len(state)):
            out.states[uint64(i), uint64(k)] = state[uint64(k)]
        for s in range(len(hashes)):
            out.hashes[uint64(i), uint64(s)] = hashes[uint64(s)]
    for w in range((count + 63) >> 6):
        used = used_lanes(count, w)
        for k in range(len(state)):
            facts = state[uint64(k)]
            differ = _changed_facts(values, facts, 64 * k, min(64, program.searched - 64 * k), w, used)
            while differ:
                bit = differ & (ZERO - differ)
                base = uint64(64 * k) + uint64(lowest_bit(differ))
                differ ^= bit
                changed = (values[(base + ONE) * uint64(WORDS) + uint64(w)] ^ (ALL if facts & bit else ZERO)) & used
                while changed:
                    child = uint64(64 * w) + uint64(lowest_bit(changed))
                    changed &= changed - ONE
                    out.states[child, uint64(k)] ^= bit
                    for s in range(len(hashes)):
                        out.hashes[child, uint64(s)] ^= rules.zobrist[base, uint64(s)]


@device_function_norefcount
def _changed_facts(values: Words, facts: int, first: int, count: int, w: int, used: int) -> int:
    """Return the bit set of those of `count` bases from `first` on whose value is not that of `facts` in some lane."""
    differ = ZERO
    for i in range(count):
        lanes = values[uint64((1 + first + i) * WORDS + w)]
        differ |= uint64(((lanes ^ (ZERO - ((facts >> uint64(i)) & ONE))) & used) != ZERO) << uint64(i)
    return differ


@device_function_norefcount
def _count_moves(values: Words, program: Lanes, rules: Rules, work: Work, out: Children, count: int) -> None:
    """Count the legal moves of both roles in each child, for which LEGAL has been run.

    64 lanes are counted at once: `work.planes[k]` has bit k of the number in each lane.
    """
    planes = work.planes
    for role in range(program.roles):
        column = 0 if role == rules.first else 1
        for w in range((count + 63) >> 6):
            planes[:] = ZERO
            for move in range(rules.starts[role], rules.starts[role + 1]):
                carry, k = word(values, program.legal[move], w), 0
                while carry:
                    sums = planes[k]
                    planes[k] = sums ^ carry
                    carry &= sums
                    k += 1
            for i in range(64 * w, min(count, 64 * w + 64)):
                number = 0
                for k in range(len(planes)):
                    number |= int64((planes[k] >> uint64(i & 63)) & ONE) << k
                out.counts[i, column] = number


@device_function_norefcount
def _read_goals(values: Words, program: Lanes, rules: Rules, work: Work) -> bool:
    """Read the goals of the lanes in `work.ended`, for which GOAL has been run; whether they add up to the total."""
    for w in range(WORDS):
        left = work.ended[w]
        while left:
            lane = 64 * w + int64(lowest_bit(left))
            left &= left - ONE
            work.goals[lane] = work.others[lane] = 0
    for g in range(len(program.goals)):
        role, value, literal = program.goals[g, 0], program.goals[g, 1], program.goals[g, 2]
        for w in range(WORDS):
            true = word(values, literal, w) & work.ended[w]
            while true:
                lane = 64 * w + int64(lowest_bit(true))
                true &= true - ONE
                if role == rules.first:
                    work.goals[lane] = value
                else:
                    work.others[lane] = value
    if rules.total < 0:
        return True
    for w in range(WORDS):
        left = work.ended[w]
        while left:
            lane = 64 * w + int64(lowest_bit(left))
            left &= left - ONE
            if work.goals[lane] + work.others[lane] != rules.total:
                return False
    return True


@device_function_norefcount
def score_of(rules: Rules, goal: int, moves: int) -> int:
    """Return the score of a position whose game ends with this goal after this number of joint moves."""
    if rules.horizon == 0:
        return goal
    return rules.horizon - moves if goal == rules.highest else 0


@device_function_norefcount
def used_lanes(count: int, w: int) -> int:
    """The lanes of word `w` that belong to the first `count` lanes."""
    left = count - 64 * w
    return ALL if left >= 64 else ZERO if left <= 0 else (ONE << uint64(left)) - ONE


@device_function_norefcount
def _bound_ends(values: Words, program: Lanes, rules: Rules, work: Work, out: Children, count: int) -> bool:
    """Set the bounds of the children whose game is over; whether their goals add up to the total."""
    some = False
    for i in range(count):
        out.bounds[i, 0], out.bounds[i, 1] = score_of(rules, rules.lowest, 1), score_of(rules, rules.highest, 1)
    for w in range(WORDS):
        work.ended[w] = values[program.stop * WORDS + w] & used_lanes(count, w)
        some = some or work.ended[w] != ZERO
    if not some:
        return True
    section(values, program, GOAL)
    if not _read_goals(values, program, rules, work):
        return False
    for w in range(WORDS):
        left = work.ended[w]
        while left:
            lane = 64 * w + int64(lowest_bit(left))
            left &= left - ONE
            out.bounds[lane, 0] = out.bounds[lane, 1] = score_of(rules, int64(work.goals[lane]), 0)
    return True


@device_function_norefcount
def _bound_wins(values: Words, program: Lanes, rules: Rules, work: Work, out: Children, count: int) -> bool:
    """Make the winning moves of the next role, where it has one, and set the bound that follows.

    The role that has the win is read from the result: it has the whole total. Whether the goals add up to the total.
    """
    some = False
    for w in range(WORDS):
        won = word(values, program.won, w) & used_lanes(count, w) & ~values[program.stop * WORDS + w]
        work.ended[w] = won
        some = some or won != ZERO
    if some:
        section(values, program, NEXT)
        section(values, program, LEGAL)
        for w in range(WORDS):
            work.ended[w] &= values[program.stop * WORDS + w]
        section(values, program, GOAL)
        if not _read_goals(values, program, rules, work):
            return False
        for w in range(WORDS):
            left = work.ended[w]
            while left:
                lane = 64 * w + int64(lowest_bit(left))
                left &= left - ONE
                goal = int64(work.goals[lane])
                if goal == rules.highest:
                    out.bounds[lane, 0] = score_of(rules, goal, 1)
                elif goal == rules.lowest:
                    out.bounds[lane, 1] = score_of(rules, goal, 1)
    return True


@device_function_norefcount
def canonical(hashes: Words) -> int:
    """Return the smallest hash of the symmetric images of a position."""
    code: int = hashes[0]
    for s in range(1, len(hashes)):
        code = min(code, hashes[s])
    return code


@device_function_norefcount
def expand(
    program: Lanes,
    rules: Rules,
    work: Work,
    table: Words,
    state: Words,
    hashes: Words,
    out: Children,
    counting: bool,
) -> tuple[int, int]:
    """Find the children of a position; return the role that chooses, and the number of children.

    The children's entries in `table` are loaded into the cache meanwhile. `counting`: count the children's moves.
    Without children, the results are JOINT, CROWDED, UNOPPOSED or OVER, and 0.
    """
    values = work.values
    load_state(values, program, state)
    section(values, program, LEGAL)
    if values[program.stop * WORDS] & ONE:
        return OVER, 0
    role, count = _choose(values, program, rules, out.moves)
    if role < 0:
        return role, 0
    section(values, program, NEXT)
    _clear_moves(values, program)
    _read_children(values, program, rules, state, hashes, out, count)
    for i in range(count):
        fetch(table, canonical(out.hashes[i]))
    section(values, program, LEGAL)
    if counting:
        _count_moves(values, program, rules, work, out, count)
    opposed = program.decisive and rules.total >= 0
    if opposed:
        section(values, program, PREFER)
    if not _bound_ends(values, program, rules, work, out, count):
        return UNOPPOSED, 0
    if opposed:
        fine = _bound_wins(values, program, rules, work, out, count)
        _clear_moves(values, program)
        if not fine:
            return UNOPPOSED, 0
    return role, count
