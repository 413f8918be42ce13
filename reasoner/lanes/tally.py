"""Random play that returns only sums; it counts bits of rows and does not examine single lanes.

As in `reasoner.lanes.play.play`, games are numbered as they start, and each is played to its end.
"""

from __future__ import annotations

import numpy as np

from reasoner.arrays import Bytes, Ints, Longs, Words
from reasoner.kernels import device_function, kernel
from reasoner.kernels.bits import ALL, ONE, ZERO
from reasoner.kernels.scalars import int64, uint64
from reasoner.lanes.lane_graph import GOAL, LEGAL, NEXT
from reasoner.lanes.play import Lanes, choose, forget_moves, load, section, word
from reasoner.lanes.rows import LANES, WORDS, mark, popcount


@device_function
def cut_off(cut: Words, begun: Ints, sweep: int, max_steps: int) -> int:
    """Set in `cut` the lanes whose game has made `max_steps` moves by `sweep`; return the sweep of the next call."""
    oldest = sweep
    for lane in range(LANES):
        if sweep - begun[lane] >= max_steps:
            cut[lane >> 6] |= ONE << uint64(lane & 63)
        else:
            oldest = min(oldest, begun[lane])
    return oldest + max_steps


@device_function
def count(row: Words) -> int:
    """Count the lanes set in a row."""
    total = 0
    for w in range(WORDS):
        total += int64(popcount(row[w]))
    return total


@device_function
def first_lanes(lanes: Words, wanted: int) -> None:
    """Clear all set lanes of a row except the first `wanted`."""
    for w in range(WORDS):
        left, kept = lanes[w], ZERO
        if int64(popcount(left)) > wanted:
            for _ in range(wanted):
                kept |= left & ~(left - ONE)
                left &= left - ONE
            lanes[w] = kept
        wanted -= int64(popcount(lanes[w]))


@device_function
def add_goals(values: Words, program: Lanes, lanes: Words, held: Longs) -> None:
    """Count the lanes in which each goal is true, except lanes in which the rules give its role several goals."""
    goals = program.goals
    once, twice = np.zeros((program.roles, WORDS), np.uint64), np.zeros((program.roles, WORDS), np.uint64)
    for g in range(len(goals)):
        role = goals[g, 0]
        for w in range(WORDS):
            true = word(values, goals[g, 2], w) & lanes[w]
            twice[role, w] |= once[role, w] & true
            once[role, w] |= true
    for g in range(len(goals)):
        for w in range(WORDS):
            true = word(values, goals[g, 2], w) & lanes[w]
            held[g] += int64(popcount(true & ~twice[goals[g, 0], w]))


@device_function
def end_lanes(stop: Words, cut: Words, ended: Words) -> int:
    """Move the lanes that stop or are cut off to `ended`, and clear `cut`; return the number still playing."""
    running = 0
    for w in range(WORDS):
        ended[w] |= stop[w] | cut[w]
        cut[w] = ZERO
        running += int64(popcount(~ended[w]))
    return running


@kernel
def tally(
    values: Words,
    program: Lanes,
    turned: Words,  # memory for drawing moves, from `scratch`
    picks: Ints,  # likewise
    start: Bytes,  # [searched]
    games: int,
    max_steps: int,
    goal_batch: int,
    held: Longs,  # [goals] number of games in which each goal was true at the end, written
    totals: Longs,  # [2] number of games that ended by the rules; number of joint moves; written
) -> None:
    """Play `games` games from `start`.

    A game ends when it is over, when a role has no move, or after `max_steps` joint moves. Goals are counted when the
    games of `goal_batch` lanes have ended, or of all lanes that are in use.
    """
    ended = values[program.hold * WORDS : (program.hold + 1) * WORDS]
    stop = values[program.stop * WORDS : (program.stop + 1) * WORDS]
    idle, fresh, begun = np.zeros(WORDS, np.uint64), np.full(WORDS, ALL), np.zeros(LANES, np.int32)
    cut = np.zeros(WORDS, np.uint64)
    forget_moves(values, program, picks)
    first_lanes(fresh, games)
    ended[:] = ~fresh
    idle[:] = ~fresh
    load(values, start, fresh)
    started = playing = count(fresh)
    sweep, due = 0, max_steps
    while playing:
        if sweep >= due:
            due = cut_off(cut, begun, sweep, max_steps)
        section(values, program, LEGAL)
        running = end_lanes(stop, cut, ended)
        totals[1] += running
        pending = playing - running
        compute_goals = pending >= min(goal_batch, playing)
        if compute_goals:
            section(values, program, GOAL)
            for w in range(WORDS):
                fresh[w] = ended[w] & ~idle[w]
                totals[0] += int64(popcount(word(values, program.terminal, w) & fresh[w]))
            add_goals(values, program, fresh, held)
            if games - started < pending:
                first_lanes(fresh, games - started)
                for w in range(WORDS):
                    idle[w] = ended[w] & ~fresh[w]
            again = min(pending, games - started)
            started += again
            playing += again - pending
        choose(values, program, turned, picks)
        section(values, program, NEXT)
        sweep += 1
        if compute_goals:
            load(values, start, fresh)
            for w in range(WORDS):
                ended[w] &= ~fresh[w]
                mark(begun, w, fresh[w], sweep)
