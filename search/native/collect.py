"""Ended lanes: every sweep detects them; later their results are collected and added to their batches.

In a one-player game, the moves to the best end so far are kept: the moves of the path and those recorded in the sweeps.
"""

from __future__ import annotations

import numpy as np

from reasoner.arrays import Ints, Words
from reasoner.kernels import device_function
from reasoner.kernels.bits import ONE, ZERO
from reasoner.kernels.memory import put_int, put_real, put_word, real_at, word_at
from reasoner.kernels.scalars import int64, uint64
from reasoner.lanes.lane_graph import GOAL
from reasoner.lanes.play import Lanes, section, word
from reasoner.lanes.rows import WORDS, lowest_bit
from search.native.backup import path_of
from search.native.layout import MAX_LINE_MOVES, Record, batch_at, cell, edge_at, lane_at, step_at, tree_of
from search.native.leaf import POINTS
from search.native.stages import FINISHED, enter_stage


@device_function
def note_moves(thread: Record, values: Words) -> None:
    """Record the moves of this sweep; runs after the moves are final."""
    width, first = thread.moves * WORDS, (1 + thread.bases) * WORDS
    row = thread.history + 8 * width * (thread.sweep_now % thread.history_sweeps)
    for i in range(width):
        put_word(row, i, values[first + i])


@device_function
def keep_line(tree: Record, thread: Record, number: int, value: float) -> None:
    """Keep the moves of a lane that reached an end of `value`, 0..1, if this is the best value so far.

    Of two lines with the same value below 1, the longer one is kept: it leaves more time to find a better line.
    """
    lane = lane_at(thread.lanes, number)
    batch = batch_at(thread.batches, lane.batch)
    begin = lane.begun + (1 if batch.edge else 0)  # the move of an edge is the last move of the path
    total = batch.length + lane.over - begin
    longer = value == thread.line_value and value < 1 and total > thread.line_length
    forgotten = thread.sweep_now - begin > thread.history_sweeps
    if not (value > thread.line_value or longer) or total > MAX_LINE_MOVES or forgotten:
        return
    for i in range(batch.length):
        put_int(thread.line, i, edge_at(tree.edges, step_at(path_of(thread, lane.batch), i).edge).move)
    for sweep in range(begin, lane.over):
        put_int(thread.line, batch.length + sweep - begin, _move_made(thread, sweep, number))
    thread.line_value = value
    thread.line_length = total


@device_function
def _move_made(thread: Record, sweep: int, number: int) -> int:
    """Return the move that a lane made in a sweep; -1 if there is none."""
    row, bit = sweep % thread.history_sweeps, ONE << uint64(number & 63)
    for move in range(thread.moves):
        if word_at(thread.history, cell(row, thread.moves, move) * WORDS + (number >> 6)) & bit:
            return move
    return -1


UNDECIDED_POINTS = 50.0
"""Points for every role after a playout that was cut off before any role had points."""
NEVER = 2**62  # number of a sweep that is never reached


@device_function
def note_ended(thread: Record, values: Words) -> None:
    """Put the lanes whose game is over on hold; runs after LEGAL."""
    hold, over = thread.hold * WORDS, thread.over * WORDS
    for w in range(WORDS):
        ended = values[over + w] & ~values[hold + w]
        if ended:
            values[hold + w] |= ended
            put_word(thread.ended, w, word_at(thread.ended, w) | ended)
            while ended:
                lane_at(thread.lanes, 64 * w + int64(lowest_bit(ended))).over = thread.sweep_now
                ended &= ended - ONE
                thread.pending += 1
                thread.running -= 1
    if thread.sweep_now >= thread.next_cut:
        _cut(thread, values)


@device_function
def _cut(thread: Record, values: Words) -> None:
    """Put the lanes that have reached the step limit on hold, and compute the next sweep to check."""
    hold, soonest = thread.hold * WORDS, NEVER
    for w in range(WORDS):
        running = ~values[hold + w]
        while running:
            at = lowest_bit(running)
            running &= running - ONE
            lane = lane_at(thread.lanes, 64 * w + int64(at))
            end = lane.begun + thread.max_steps
            if end > thread.sweep_now:
                soonest = min(soonest, end)
                continue
            lane.over = thread.sweep_now
            values[hold + w] |= ONE << at
            put_word(thread.ended, w, word_at(thread.ended, w) | ONE << at)
            put_word(thread.cut, w, word_at(thread.cut, w) | ONE << at)
            thread.pending += 1
            thread.running -= 1
    thread.next_cut = min(soonest, thread.sweep_now + thread.max_steps)


@device_function
def collect_results(rules: Record, thread: Record, lanes: Lanes, values: Words) -> None:
    """Read the goals of all ended lanes, add them to their batches, and free the lanes."""
    section(values, lanes, GOAL)
    _read_goals(rules, thread, lanes.goals, values)
    for w in range(WORDS):
        ended, cut = word_at(thread.ended, w), word_at(thread.cut, w)
        while ended:
            at = lowest_bit(ended)
            ended &= ended - ONE
            _add_result(rules, thread, 64 * w + int64(at), (cut >> at) & ONE != ZERO)
        put_word(thread.ended, w, ZERO)
        put_word(thread.cut, w, ZERO)
    thread.playouts += thread.pending
    thread.pending = 0
    thread.collections += 1


@device_function
def _read_goals(rules: Record, thread: Record, goals: Ints, values: Words) -> None:
    """Write the goals of the ended lanes, 0..100; -1: a role has no goal, -2: it has several."""
    for w in range(WORDS):
        ended = word_at(thread.ended, w)
        while ended:
            lane = 64 * w + int64(lowest_bit(ended))
            ended &= ended - ONE
            for role in range(rules.roles):
                put_real(thread.goals, cell(lane, rules.roles, role), -1.0)
    for g in range(len(goals)):
        role, value, literal = int64(goals[g, 0]), rules.scale * np.float64(goals[g, 1]), goals[g, 2]
        for w in range(WORDS):
            true = word(values, literal, w) & word_at(thread.ended, w)
            while true:
                place = cell(64 * w + int64(lowest_bit(true)), rules.roles, role)
                true &= true - ONE
                put_real(thread.goals, place, value if real_at(thread.goals, place) == -1.0 else -2.0)


@device_function
def _add_result(rules: Record, thread: Record, number: int, cut: bool) -> None:
    """Add the goals of a lane to its batch, and free the lane."""
    lane = lane_at(thread.lanes, number)
    batch, goals = lane.batch, thread.goals + 8 * rules.roles * number
    if cut:
        _decide(rules, goals)
    for role in range(rules.roles):
        value = real_at(goals, role)
        if value > 0 and role != rules.chance:
            place = cell(batch, rules.roles, role)
            put_real(thread.sums, place, real_at(thread.sums, place) + value)
    own = max(real_at(goals, rules.searcher), 0.0)
    put_real(thread.bests, batch, max(real_at(thread.bests, batch), own))
    if thread.keeps_line and not cut:
        keep_line(tree_of(thread, batch), thread, number, own / POINTS)
    thread.steps += lane.over - lane.begun
    put_int(thread.free, thread.free_count, number)
    thread.free_count += 1
    row = batch_at(thread.batches, batch)
    row.left -= 1
    if not row.left:
        enter_stage(thread, FINISHED, batch)


@device_function
def _decide(rules: Record, goals: int) -> None:
    """Set the goals of a cut-off lane to `UNDECIDED_POINTS` if no role has points, except in one-player games."""
    for role in range(rules.roles):
        if real_at(goals, role) > 0 and role != rules.chance:
            return
    if not rules.single:
        for role in range(rules.roles):
            put_real(goals, role, UNDECIDED_POINTS)
