"""Play in lanes: random games, one for each lane, scored when they end; also evaluate or advance a single state.

A game that has ended keeps its state until enough other games have ended (`goal_batch`), because goals are computed for
all lanes at once. Games are numbered as they start, and each is played to its end. So short games are not
over-represented in the results.

All kernels work on `values`, rows with the layout of `reasoner.lanes.loaded`, and read the program from `Lanes`.
"""

from __future__ import annotations

import operator
from typing import NamedTuple

import numpy as np

from reasoner.arrays import Bools, Bytes, Ints, Rows, Singles, Words
from reasoner.kernels import device_function, kernel
from reasoner.kernels.bits import ALL, ONE, ZERO
from reasoner.kernels.scalars import int64
from reasoner.lanes.draw import draw, scratch_rows
from reasoner.lanes.lane_graph import CHOOSE, GOAL, LEGAL, NEXT, REST
from reasoner.lanes.loaded import RANDOM_ROWS, Addresses, Emitted, Layout
from reasoner.lanes.program import LaneProgram
from reasoner.lanes.rows import LANES, WORDS, aligned, call, lowest_bit, row_put


class Lanes(NamedTuple):
    """The data of a loaded program that kernels need; B bases, M moves. Literals are over rows."""

    entries: Addresses  # [6] the functions of the sections
    operands: Addresses  # [6] the second argument of each function
    roles: int
    bases: int  # B; rows 1 … B
    searched: int  # the number of bases that play depends on; these are the first bases
    moves: int  # M; rows B + 1 … B + M
    hold: int  # the row of the lanes that keep their state
    random: int  # the first row of the generators' state
    stop: int  # the row of the lanes whose game stops
    terminal: int  # literal
    legal: Rows  # [M] literals
    goals: Ints  # [goals, 3] role, value, literal
    drawn: Ints  # [roles that draw lane by lane, 2] the first move and the end of each role's moves
    won: int  # literal, written by PREFER: some role has a winning move
    decisive: int  # 1: there is PREFER


def lanes(program: LaneProgram, emitted: Emitted) -> Lanes:
    """The data of a loaded program for kernels."""
    bases, moves = len(program.circuit.bases), len(program.circuit.legal)
    layout = Layout(bases, moves)
    return Lanes(
        entries=emitted.entries,
        operands=emitted.operands,
        roles=len(program.circuit.roles),
        bases=bases,
        searched=program.circuit.searched,
        moves=moves,
        hold=layout.hold,
        random=layout.random,
        stop=layout.stop,
        terminal=emitted.terminal,
        legal=emitted.legal,
        goals=emitted.goals,
        drawn=program.drawn,
        won=emitted.won,
        decisive=int(program.decisive > 0),
    )


def scratch(drawn: Ints) -> tuple[Words, Ints]:
    """Memory for drawing moves: transposed rows, and each lane's last move or -1.  # rows; [drawn roles, LANES]."""
    rows = max((scratch_rows(int(end - start)) for start, end in drawn), default=1)
    return aligned(rows), np.full((len(drawn), LANES), -1, np.int32)


def seed_generators(values: Words, first: int, seed: int) -> None:
    """Set the state of eight generators side by side, in rows `first` and following, from one seed."""
    words = RANDOM_ROWS * WORDS
    sequence = np.random.SeedSequence(operator.index(seed) % 2**64)  # an integer of Python or NumPy
    values[first * WORDS :][:words] = sequence.generate_state(words, np.uint64)


@device_function
def run(values: Words, entries: Addresses, operands: Addresses, number: int) -> None:
    """Run one section of code."""
    call(entries[number], values, operands[number])


@kernel
def section(values: Words, lanes: Lanes, number: int) -> None:
    """Run one section."""
    run(values, lanes.entries, lanes.operands, number)


@device_function
def forget_moves(values: Words, lanes: Lanes, picks: Ints) -> None:
    """Clear the rows of the moves, so that none is chosen."""
    values[(1 + lanes.bases) * WORDS : lanes.hold * WORDS] = ZERO
    picks[:] = -1


@device_function
def word(values: Words, literal: int, index: int) -> int:
    """One word of the row of a literal."""
    return values[(literal >> 1) * WORDS + index] ^ (ALL if literal & 1 else ZERO)


@kernel
def load(values: Words, start: Bytes, lanes: Words) -> None:
    """Set the state `start` (one byte a base) in the given lanes."""
    for base in range(len(start)):
        row_put(values, 1 + base, ALL if start[base] else ZERO, lanes)


@kernel
def choose(values: Words, lanes: Lanes, turned: Words, picks: Ints) -> None:
    """Choose a move of every role in every lane."""
    section(values, lanes, CHOOSE)
    for i in range(len(lanes.drawn)):
        start, end = lanes.drawn[i, 0], lanes.drawn[i, 1]
        state = values[lanes.random * WORDS :]
        draw(values, turned, state, lanes.legal[start:end], 1 + lanes.bases + start, picks[i])


@device_function
def score(values: Words, program: Lanes, lanes: Words, games: Ints, result: Singles, finished: Bools) -> None:
    """Write the goals of the given lanes' games, 0 for none or several, and whether each game ended by the rules."""
    goals = program.goals
    held = np.zeros((LANES, result.shape[1]), np.uint8)
    for w in range(WORDS):
        own = lanes[w]
        while own:
            at = lowest_bit(own)
            own &= own - ONE
            finished[games[w * 64 + int64(at)]] = (word(values, program.terminal, w) >> at) & ONE
    for g in range(len(goals)):
        role, value, literal = goals[g, 0], goals[g, 1], goals[g, 2]
        for w in range(WORDS):
            true = word(values, literal, w) & lanes[w]
            while true:
                lane = w * 64 + int64(lowest_bit(true))
                true &= true - ONE
                held[lane, role] += 1
                result[games[lane], role] = value if held[lane, role] == 1 else 0


@device_function
def end_games(
    values: Words,
    lanes: Lanes,
    ended: Words,
    games: Ints,
    begun: Ints,
    sweep: int,
    max_steps: int,
    lengths: Ints,
) -> int:
    """Record the running games that are over in sweep number `sweep`; return their number.

    ended: [WORDS] the lanes whose game is over, changed; games, begun: [LANES] each lane's game and the sweep in which
    it began; lengths: [games] the number of joint moves, written.
    """
    over = 0
    for w in range(WORDS):
        stop = values[lanes.stop * WORDS + w]
        running = ~ended[w] & (ALL if sweep >= max_steps else stop)
        while running:
            at = lowest_bit(running)
            running &= running - ONE
            lane = w * 64 + int64(at)
            steps = sweep - begun[lane]
            if (stop >> at) & ONE or steps >= max_steps:
                lengths[games[lane]] = steps
                ended[w] |= ONE << at
                over += 1
    return over


@device_function
def next_games(lanes: Words, idle: Words, games: Ints, begun: Ints, sweep: int, started: int, count: int) -> int:
    """Assign the next game to each of `lanes`, or make the lane idle; return the number of games started so far.

    lanes, idle: [WORDS] a bit a lane, both changed; games, begun: [LANES] as in `end_games`; sweep: the sweep in which
    the games begin; started: the number of games started before; count: the number of all games.
    """
    for w in range(WORDS):
        true = lanes[w]
        while true:
            at = lowest_bit(true)
            true &= true - ONE
            if started < count:
                lane = w * 64 + int64(at)
                games[lane], begun[lane] = started, sweep
                started += 1
            else:
                idle[w] |= ONE << at
        lanes[w] &= ~idle[w]
    return started


@kernel
def play(
    values: Words,
    program: Lanes,
    turned: Words,  # memory for drawing moves, see `scratch`
    picks: Ints,  # likewise
    start: Bytes,  # [searched] the state from which each game starts
    max_steps: int,
    goal_batch: int,
    result: Singles,  # [games, roles], written
    lengths: Ints,  # [games], written
    finished: Bools,  # [games], written
) -> None:
    """Play one game for each row of `result`.

    A game ends when it is over, when a role has no move, or after `max_steps` joint moves. Goals are computed when the
    games of `goal_batch` lanes have ended, or of all lanes that are in use.
    """
    count = len(lengths)
    ended = values[program.hold * WORDS : (program.hold + 1) * WORDS]
    idle, fresh = np.zeros(WORDS, np.uint64), np.full(WORDS, ALL)
    games, begun = np.zeros(LANES, np.int32), np.zeros(LANES, np.int32)
    forget_moves(values, program, picks)
    started = next_games(fresh, idle, games, begun, 0, 0, count)
    load(values, start, fresh)
    ended[:] = idle
    playing, pending, sweep = started, 0, 0
    while playing:
        section(values, program, LEGAL)
        pending += end_games(values, program, ended, games, begun, sweep, max_steps, lengths)
        compute_goals = pending >= min(goal_batch, playing)
        if compute_goals:
            section(values, program, GOAL)
            for w in range(WORDS):
                fresh[w] = ended[w] & ~idle[w]
            score(values, program, fresh, games, result, finished)
            playing -= pending
            before, pending = started, 0
            started = next_games(fresh, idle, games, begun, sweep + 1, started, count)
            playing += started - before
        choose(values, program, turned, picks)
        section(values, program, NEXT)
        sweep += 1
        if compute_goals:
            load(values, start, fresh)
            for w in range(WORDS):
                ended[w] &= ~fresh[w]


@device_function
def lane_zero(values: Words, literal: int) -> int:
    """The value of a literal in lane 0."""
    return word(values, literal, 0) & ONE


@kernel
def evaluate_state(values: Words, lanes: Lanes, state: Bytes, legal: Bytes, goals: Bytes) -> int:
    """Evaluate a state (one byte a base): write the legal moves and the goals; return whether it is terminal."""
    load(values, state, np.full(WORDS, ALL))
    section(values, lanes, LEGAL)
    section(values, lanes, GOAL)
    for move in range(lanes.moves):
        legal[move] = lane_zero(values, lanes.legal[move])
    for goal in range(len(lanes.goals)):
        goals[goal] = lane_zero(values, lanes.goals[goal, 2])
    return lane_zero(values, lanes.terminal)


@kernel
def apply_joint_move(values: Words, lanes: Lanes, state: Bytes, moves: Ints, following: Bytes) -> None:
    """Write to `following` the state after a joint move in `state`; states have one byte for each base.

    moves: [roles] the number of each role's move.
    """
    load(values, state, np.full(WORDS, ALL))
    values[lanes.hold * WORDS : (lanes.hold + 1) * WORDS] = ZERO
    section(values, lanes, LEGAL)
    values[(1 + lanes.bases) * WORDS : lanes.hold * WORDS] = ZERO
    for move in moves:
        values[(1 + lanes.bases + move) * WORDS] = ONE
    section(values, lanes, REST)
    section(values, lanes, NEXT)
    for base in range(lanes.bases):
        following[base] = lane_zero(values, 2 * (1 + base))
