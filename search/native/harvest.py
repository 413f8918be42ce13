"""Lanes that end: noticed in every sweep, and from time to time their goals read and their jobs told."""

from __future__ import annotations

import numpy as np

from reasoner.kernels import subkernel
from reasoner.lanes.lane_graph import GOAL
from reasoner.lanes.play import Lanes, section, word
from reasoner.lanes.rows import WORDS, lowest_bit
from search.native.backup import POINTS
from search.native.evaluate import evaluate_cut
from search.native.layout import Ints, Record, Words, cell
from search.native.line import keep_line
from search.native.memory import job_at, lane_at, put_int, put_real, put_word, real_at, word_at

UNDECIDED = 50.0
"""What a playout cut short is worth to everyone where nobody has anything yet."""
FAR = 2**62

_ONE = np.uint64(1)
_ZERO = np.uint64(0)


@subkernel
def note_ended(crew: Record, values: Words) -> None:
    """Hold the lanes whose game is over; runs after LEGAL."""
    hold, over = crew.hold * WORDS, crew.over * WORDS
    for w in range(WORDS):
        ended = values[over + w] & ~values[hold + w]
        if ended:
            values[hold + w] |= ended
            put_word(crew.ended, w, word_at(crew.ended, w) | ended)
            while ended:
                lane_at(crew.lanes, 64 * w + np.int64(lowest_bit(ended))).over = crew.sweep_now
                ended &= ended - _ONE
                crew.pending += 1
                crew.running -= 1
    if crew.sweep_now >= crew.next_cut:
        _cut(crew, values)


@subkernel
def _cut(crew: Record, values: Words) -> None:
    """Hold the lanes that have made all the steps they may, and note when to look again."""
    hold, soonest = crew.hold * WORDS, FAR
    for w in range(WORDS):
        running = ~values[hold + w]
        while running:
            at = lowest_bit(running)
            running &= running - _ONE
            lane = lane_at(crew.lanes, 64 * w + np.int64(at))
            due = lane.begun + crew.max_steps
            if due > crew.sweep_now:
                soonest = min(soonest, due)
                continue
            lane.over = crew.sweep_now
            values[hold + w] |= _ONE << at
            put_word(crew.ended, w, word_at(crew.ended, w) | _ONE << at)
            put_word(crew.cut, w, word_at(crew.cut, w) | _ONE << at)
            crew.pending += 1
            crew.running -= 1
    crew.next_cut = min(soonest, crew.sweep_now + crew.max_steps)


@subkernel
def harvest(tree: Record, rules: Record, crew: Record, lanes: Lanes, values: Words) -> None:
    """Read the goals of all lanes that have ended, tell their jobs, and free the lanes."""
    section(values, lanes, GOAL)
    _read_goals(rules, crew, lanes.goals, values)
    if rules.evaluates and _some(crew.cut):
        evaluate_cut(rules, crew, values)
    for w in range(WORDS):
        ended, cut = word_at(crew.ended, w), word_at(crew.cut, w)
        while ended:
            at = lowest_bit(ended)
            ended &= ended - _ONE
            _tell(tree, rules, crew, 64 * w + np.int64(at), (cut >> at) & _ONE != _ZERO)
        put_word(crew.ended, w, _ZERO)
        put_word(crew.cut, w, _ZERO)
    crew.playouts += crew.pending
    crew.pending = 0
    crew.harvests += 1


@subkernel
def _some(row: int) -> bool:
    """Whether any lane of a row at an address is set."""
    any_lane = _ZERO
    for w in range(WORDS):
        any_lane |= word_at(row, w)
    return any_lane != _ZERO


@subkernel
def _read_goals(rules: Record, crew: Record, goals: Ints, values: Words) -> None:
    """Write the goals of the ended lanes, -1 where there is none, -2 where there are several."""
    for w in range(WORDS):
        ended = word_at(crew.ended, w)
        while ended:
            lane = 64 * w + np.int64(lowest_bit(ended))
            ended &= ended - _ONE
            for role in range(rules.roles):
                put_real(crew.goals, cell(lane, rules.roles, role), -1.0)
    for g in range(len(goals)):
        role, value, literal = np.int64(goals[g, 0]), np.float64(goals[g, 1]), goals[g, 2]
        for w in range(WORDS):
            true = word(values, literal, w) & word_at(crew.ended, w)
            while true:
                place = cell(64 * w + np.int64(lowest_bit(true)), rules.roles, role)
                true &= true - _ONE
                put_real(crew.goals, place, value if real_at(crew.goals, place) == -1.0 else -2.0)


@subkernel
def _tell(tree: Record, rules: Record, crew: Record, number: int, cut: bool) -> None:
    """Add the goals of a lane to its job, and free the lane."""
    lane = lane_at(crew.lanes, number)
    job, goals = lane.job, crew.goals + 8 * rules.roles * number
    if cut and not rules.evaluates:
        _decide(rules, goals)
    for role in range(rules.roles):
        value = real_at(goals, role)
        if value > 0 and role != rules.chance:
            place = cell(job, rules.roles, role)
            put_real(crew.sums, place, real_at(crew.sums, place) + value)
    own = max(real_at(goals, rules.searcher), 0.0)
    put_real(crew.bests, job, max(real_at(crew.bests, job), own))
    if rules.single and not cut:
        keep_line(tree, crew, number, own / POINTS)
    crew.steps += lane.over - lane.begun
    put_int(crew.free, crew.free_count, number)
    crew.free_count += 1
    row = job_at(crew.jobs, job)
    row.left -= 1
    if not row.left:
        put_int(crew.finished, crew.finished_count, job)
        crew.finished_count += 1


@subkernel
def _decide(rules: Record, goals: int) -> None:
    """Where a game was cut before anyone had anything, neither for nor against anyone, but for one player alone."""
    for role in range(rules.roles):
        if real_at(goals, role) > 0 and role != rules.chance:
            return
    if not rules.single:
        for role in range(rules.roles):
            put_real(goals, role, UNDECIDED)
