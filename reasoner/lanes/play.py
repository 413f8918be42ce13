"""Play in lanes: at random, every lane its own game, harvested when it ends; or one given state at a time.

A game that has ended keeps its state until enough others have ended too (`patience`), because goals are computed for
all lanes at once. Games are numbered as they start and each is played to its end, so that short games are not
over-represented among those counted.

A program's arrays come as one tuple, `Code`; see `reasoner.lanes.program.LaneProgram` for what they hold.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reasoner.kernels import kernel
from reasoner.lanes.draw import draw, scratch_rows
from reasoner.lanes.portable import Words, run
from reasoner.lanes.program import CHOOSE, GOAL, LEGAL, NEXT, REST, Ints, LaneProgram, Rows
from reasoner.lanes.rows import LANES, WORDS, aligned, lowest_bit, row_random, row_update

Code = tuple[Rows, Rows, Rows, Ints, Ints, int, int, int, int, Rows, Rows, Ints, int, Ints, Rows]
"""out, left, right, runs, sections, searched, first random row, randoms, terminal, able, next, goals, bases, drawn,
legal."""

Bytes = NDArray[np.uint8]
Bools = NDArray[np.bool_]

ALL = np.uint64(2**64 - 1)
ZERO = np.uint64(0)
ONE = np.uint64(1)


def code(program: LaneProgram) -> Code:
    """What the kernels need of a program."""
    return (
        program.out,
        program.left,
        program.right,
        program.runs,
        program.sections,
        program.searched,
        1 + program.bases + len(program.legal),
        program.randoms,
        program.terminal,
        program.able,
        program.next,
        program.goals,
        program.bases,
        program.drawn,
        program.legal,
    )


def scratch(program: LaneProgram) -> tuple[Words, Ints]:
    """Memory for drawing moves: turned rows, and the moves drawn last.  # rows; [drawn roles, LANES] int32, -1 none."""
    rows = max((scratch_rows(int(end - start)) for start, end in program.drawn), default=1)
    return aligned(rows), np.full((len(program.drawn), LANES), -1, np.int32)


def generator(seed: int) -> Words:
    """The random state of eight generators side by side, spread from one seed.  # [4] rows."""
    state = aligned(4)
    state[:] = np.random.SeedSequence(seed % 2**64).generate_state(len(state), np.uint64)
    return state


@kernel
def section(values: Words, code: Code, start: int, end: int) -> None:
    """Execute the sections `start … end`, the last included."""
    out, left, right, runs, sections = code[0], code[1], code[2], code[3], code[4]
    run(values, out, left, right, runs, sections[start], sections[end + 1])


@kernel
def word(values: Words, literal: int, index: int) -> int:
    """One word of the row of a literal."""
    return values[(literal >> 1) * WORDS + index] ^ (ALL if literal & 1 else ZERO)


@kernel
def load(values: Words, start: Bytes, lanes: Words) -> None:
    """Put the state `start` (one byte a base) into the given lanes."""
    for base in range(len(start)):
        row = (1 + base) * WORDS
        for w in range(WORDS):
            values[row + w] = (values[row + w] & ~lanes[w]) | (lanes[w] if start[base] else ZERO)


@kernel
def begin(values: Words, starts: Bytes, each: int, lanes: Words, games: Ints, count: int) -> None:
    """Put the state that its game starts from into each of the given lanes."""
    if len(starts) == 1:
        load(values, starts[0], lanes)
        return
    its = np.zeros(WORDS, np.uint64)
    for state in range(len(starts)):
        its[:] = ZERO
        some = False
        for lane in range(min(LANES, count)):
            if games[lane] // each == state and (lanes[lane >> 6] >> np.uint64(lane & 63)) & ONE:
                its[lane >> 6] |= ONE << np.uint64(lane & 63)
                some = True
        if some:
            load(values, starts[state], its)


@kernel
def advance(values: Words, random: Words, code: Code, turned: Words, picks: Ints) -> None:
    """Let every lane choose its moves and take on its next state, except those held by the last row of `values`."""
    searched, first_random, randoms, following = code[5], code[6], code[7], code[10]
    bases, drawn, legal = code[12], code[13], code[14]
    for i in range(randoms):
        row_random(values, first_random + i, random)
    section(values, code, CHOOSE, CHOOSE)
    for i in range(len(drawn)):
        start, end = drawn[i, 0], drawn[i, 1]
        draw(values, turned, random, legal[start:end], 1 + bases + start, picks[i])
    section(values, code, NEXT, NEXT)
    hold = len(values) // WORDS - 1
    for base in range(searched):
        literal = following[base]
        row_update(values, 1 + base, literal >> 1, ALL if literal & 1 else ZERO, hold)


@kernel
def stopped(values: Words, code: Code, index: int) -> int:
    """The lanes of one word whose game is over or has a role without a move."""
    terminal, able = code[8], code[9]
    stop = word(values, terminal, index)
    for role in range(len(able)):
        stop |= ~word(values, able[role], index)
    return stop


@kernel
def score(values: Words, code: Code, lanes: Words, games: Ints, result: NDArray[np.float32]) -> None:
    """Write the goals of the given lanes' games; 0 where the rules give none or several."""
    goals = code[11]
    held = np.zeros((LANES, result.shape[1]), np.uint8)
    for g in range(len(goals)):
        role, value, literal = goals[g, 0], goals[g, 1], goals[g, 2]
        for w in range(WORDS):
            true = word(values, literal, w) & lanes[w]
            while true:
                lane = w * 64 + np.int64(lowest_bit(true))
                true &= true - ONE
                held[lane, role] += 1
                result[games[lane], role] = value if held[lane, role] == 1 else 0


@kernel
def end_games(
    values: Words,
    code: Code,
    ended: Words,
    games: Ints,
    begun: Ints,
    sweep: int,
    max_steps: int,
    lengths: Ints,
    finished: Bools,
) -> int:
    """Note which running games are over in sweep number `sweep`, each begun in its own; how many."""
    terminal, over = code[8], 0
    for w in range(WORDS):
        stop, end = stopped(values, code, w), word(values, terminal, w)
        running = ~ended[w] & (ALL if sweep >= max_steps else stop)
        while running:
            at = lowest_bit(running)
            running &= running - ONE
            lane = w * 64 + np.int64(at)
            steps = sweep - begun[lane]
            if (stop >> at) & ONE or steps >= max_steps:
                lengths[games[lane]] = steps
                finished[games[lane]] = (end >> at) & ONE
                ended[w] |= ONE << at
                over += 1
    return over


@kernel
def next_games(lanes: Words, idle: Words, games: Ints, begun: Ints, sweep: int, started: int, count: int) -> int:
    """Give each of `lanes` the next game, to begin in `sweep`, or make it idle; how many have started then."""
    for w in range(WORDS):
        true = lanes[w]
        while true:
            at = lowest_bit(true)
            true &= true - ONE
            if started < count:
                lane = w * 64 + np.int64(at)
                games[lane], begun[lane] = started, sweep
                started += 1
            else:
                idle[w] |= ONE << at
        lanes[w] &= ~idle[w]
    return started


@kernel
def play(
    values: Words,  # [rows + 1] rows; the last one holds the lanes that have ended
    random: Words,  # [4] rows, the generator's state
    code: Code,
    turned: Words,  # memory for drawing moves, from `scratch`
    picks: Ints,  # likewise
    starts: Bytes,  # [states, searched] game g starts from state g // each
    each: int,
    max_steps: int,
    patience: int,
    result: NDArray[np.float32],  # [games, roles], written
    lengths: Ints,  # [games], written
    finished: Bools,  # [games], written
) -> None:
    """Play one game per row of `result`, from its start to the end, a role without a move, or `max_steps`."""
    count = len(lengths)
    ended, idle, fresh = values[len(values) - WORDS :], np.zeros(WORDS, np.uint64), np.full(WORDS, ALL)
    games, begun = np.zeros(LANES, np.int32), np.zeros(LANES, np.int32)
    values[(1 + code[12]) * WORDS : code[6] * WORDS] = ZERO  # the rows of the moves: none is chosen yet
    picks[:] = -1
    started = next_games(fresh, idle, games, begun, 0, 0, count)
    begin(values, starts, each, fresh, games, count)
    ended[:] = idle
    playing, pending, sweep = started, 0, 0
    while playing:
        section(values, code, LEGAL, LEGAL)
        pending += end_games(values, code, ended, games, begun, sweep, max_steps, lengths, finished)
        harvest = pending >= min(patience, playing)
        if harvest:
            section(values, code, GOAL, GOAL)
            for w in range(WORDS):
                fresh[w] = ended[w] & ~idle[w]
            score(values, code, fresh, games, result)
            playing -= pending
            before, pending = started, 0
            started = next_games(fresh, idle, games, begun, sweep + 1, started, count)
            playing += started - before
        advance(values, random, code, turned, picks)
        sweep += 1
        if harvest:
            begin(values, starts, each, fresh, games, count)
            for w in range(WORDS):
                ended[w] &= ~fresh[w]


@kernel
def held(values: Words, literal: int) -> int:
    """The value of a literal in lane 0."""
    return word(values, literal, 0) & ONE


@kernel
def look(values: Words, code: Code, state: Bytes, legal: Bytes, goals: Bytes) -> int:
    """Evaluate one state (one byte a base): whether it is terminal; which moves are legal and which goals hold."""
    load(values, state, np.full(WORDS, ALL))
    section(values, code, LEGAL, GOAL)
    scores, literals = code[11], code[14]
    for move in range(len(literals)):
        legal[move] = held(values, literals[move])
    for goal in range(len(scores)):
        goals[goal] = held(values, scores[goal, 2])
    return held(values, code[8])


@kernel
def follow(values: Words, code: Code, state: Bytes, moves: Ints, following: Bytes) -> None:
    """Set `following` to the state after `state` (one byte a base) and the numbered moves, one a role."""
    bases, first_random, literals = code[12], code[6], code[10]
    load(values, state, np.full(WORDS, ALL))
    section(values, code, LEGAL, LEGAL)
    values[(1 + bases) * WORDS : first_random * WORDS] = ZERO
    for move in moves:
        values[(1 + bases + move) * WORDS] = ONE
    section(values, code, NEXT, REST)
    for base in range(bases):
        following[base] = held(values, literals[base])
