"""Kernels that step many games: make given or drawn moves, compute the new states, and record ends and goals.

Games fill *blocks* of 512 lanes. Each block has its own rows; game g is lane ``g % 512`` of block ``g // 512``. Between
two calls the rows of every block contain its games' states, and LEGAL has been run on them. A lane is on hold if its
game is over or if it has no game.
"""

from __future__ import annotations

from reasoner.arrays import Bytes, Ints, Rows, Words
from reasoner.batch.actions import put_moves, take_moves
from reasoner.batch.plan import NONE, STAY, Plan, Shown, Work
from reasoner.batch.turn import HIGHEST_FIRST, put, take
from reasoner.kernels import device_function, kernel
from reasoner.kernels.bits import ALL, ONE, ZERO
from reasoner.kernels.scalars import int64, uint64
from reasoner.lanes.lane_graph import GOAL, LEGAL, NEXT, REST
from reasoner.lanes.play import Lanes, choose, forget_moves, load, section, word
from reasoner.lanes.rows import LANES, WORDS, lowest_bit, row_put


@device_function
def take_goals(values: Words, program: Lanes, lanes: Words, out: Ints) -> None:
    """Write the goals of the given lanes, for which GOAL has been run.  # out [games, roles]."""
    for w in range(WORDS):
        left = lanes[w]
        while left:
            out[64 * w + int64(lowest_bit(left))] = NONE
            left &= left - ONE
    for g in range(len(program.goals)):
        role, value, literal = program.goals[g, 0], program.goals[g, 1], program.goals[g, 2]
        for w in range(WORDS):
            true = word(values, literal, w) & lanes[w]
            while true:
                game = 64 * w + int64(lowest_bit(true))
                true &= true - ONE
                out[game, role] = value if out[game, role] == NONE else STAY
    for game in range(len(out)):
        for role in range(out.shape[1]):
            if out[game, role] == STAY:
                out[game, role] = NONE


@device_function
def idle_lanes(games: int, lanes: Words) -> None:
    """Set the bits of the lanes that have no game: those after the first `games`."""
    for w in range(WORDS):
        used = games - 64 * w
        lanes[w] = ZERO if used >= 64 else ALL if used <= 0 else ALL << uint64(used)


@device_function
def _hold(values: Words, program: Lanes, idle: Words, ended: Words) -> bool:
    """Hold the idle lanes and those whose game is over; set `ended` to the latter; return whether any game is over."""
    some = False
    for w in range(WORDS):
        over = values[program.stop * WORDS + w]
        values[program.hold * WORDS + w] = over | idle[w]
        ended[w] = over & ~idle[w]
        some = some or ended[w] != ZERO
    return some


@device_function
def look(values: Words, program: Lanes, plan: Plan, again: int, own: Work, shown: Shown) -> None:
    """Evaluate the new states and write the results; restart games if `again`."""
    idle, ended = own.lanes[program.roles], own.lanes[program.roles + 1]
    games = len(shown.ended)
    idle_lanes(games, idle)
    section(values, program, LEGAL)
    over = _hold(values, program, idle, ended)
    for game in range(games):
        w, bit = game >> 6, uint64(game & 63)
        shown.ended[game] = (ended[w] >> bit) & ONE
        shown.terminal[game] = (word(values, program.terminal, w) >> bit) & ONE
    if not over:
        shown.goals[:] = NONE
        return
    section(values, program, GOAL)
    shown.goals[:] = NONE
    take_goals(values, program, ended, shown.goals)
    if again:
        load(values, plan.start, ended)
        for i in range(len(plan.left)):  # the values that LEGAL would compute in the start state
            row_put(values, plan.left[i], ALL if plan.begun[i] else ZERO, ended)
        _hold(values, program, idle, ended)


@device_function
def _part(shown: Shown, block: int, games: int) -> Shown:
    """Return the results of one block."""
    first, end = block * LANES, min((block + 1) * LANES, games)
    return Shown(shown.ended[first:end], shown.terminal[first:end], shown.goals[first:end])


@device_function
def _move_on(values: Words, program: Lanes, plan: Plan) -> None:
    if plan.rest:
        section(values, program, REST)
    section(values, program, NEXT)


@kernel
def step(values: Words, program: Lanes, plan: Plan, own: Work, actions: Ints, shown: Shown) -> None:
    """Step all games; the actions must be legal.  # values [blocks, rows * WORDS]; actions [games, roles]."""
    games = len(actions)
    for block in range(len(values)):
        put_moves(values[block], program, plan, actions[block * LANES : (block + 1) * LANES], own)
        _move_on(values[block], program, plan)
        look(values[block], program, plan, plan.again, own, _part(shown, block, games))


@kernel
def reset(values: Words, program: Lanes, plan: Plan, own: Work, chosen: Words, shown: Shown) -> None:
    """Restart the chosen games.  # chosen [blocks, WORDS] lanes."""
    for block in range(len(values)):
        load(values[block], plan.start, chosen[block])
        look(values[block], program, plan, 0, own, _part(shown, block, len(shown.ended)))


@kernel
def put_states(
    values: Words, program: Lanes, plan: Plan, own: Work, chosen: Words, packed: Words, shown: Shown
) -> None:
    """Set the states of the chosen games.  # chosen [blocks, WORDS] lanes; packed [games, words]."""
    for block in range(len(values)):
        part = packed[block * LANES : (block + 1) * LANES]
        put(values[block], part, program.bases, 1, own.turned, chosen[block])
        look(values[block], program, plan, 0, own, _part(shown, block, len(shown.ended)))


@kernel
def finish(values: Words, program: Lanes, plan: Plan, own: Work, max_steps: int, shown: Shown) -> None:
    """Play all games at random until they are over, for at most `max_steps`.  # values [blocks, rows * WORDS]."""
    games = len(shown.ended)
    idle, ended = own.lanes[program.roles], own.lanes[program.roles + 1]
    for block in range(len(values)):
        rows, part = values[block], _part(shown, block, games)
        idle_lanes(len(part.ended), idle)
        forget_moves(rows, program, own.picks)
        for _ in range(max_steps):
            running = ZERO
            for w in range(WORDS):
                running |= ~rows[program.hold * WORDS + w]
            if not running:
                break
            choose(rows, program, own.drawing, own.picks)
            _move_on(rows, program, plan)
            section(rows, program, LEGAL)
            _hold(rows, program, idle, ended)
        look(rows, program, plan, 0, own, part)


@kernel
def evaluate(values: Words, program: Lanes, own: Work, goals: Ints) -> None:
    """Write the goals of the current states, terminal or not.  # goals [games, roles]."""
    lanes = own.lanes[program.roles]
    for block in range(len(values)):
        part = goals[block * LANES : (block + 1) * LANES]
        idle_lanes(len(part), lanes)
        for w in range(WORDS):
            lanes[w] = ~lanes[w]
        section(values[block], program, LEGAL)  # GOAL reads rows of LEGAL, which the last step may have overwritten
        section(values[block], program, GOAL)
        take_goals(values[block], program, lanes, part)


@kernel
def roll(
    values: Words,
    program: Lanes,
    plan: Plan,
    own: Work,
    literals: Rows,  # the literals whose values are recorded in `states`
    shown: Shown,  # the results of these games
    column: int,  # the first column of these games in the record
    states: Words,  # [steps, games, words] the state before each step; `states` and the next four arrays are written
    moves: Ints,  # [steps, games, roles]
    ended: Bytes,  # [steps, games]
    terminal: Bytes,  # [steps, games]
    goals: Ints,  # [steps, games, roles]
) -> None:
    """Play ``len(states)`` random steps and record them; games that are over are restarted."""
    games = len(shown.ended)
    for block in range(len(values)):
        rows, part = values[block], _part(shown, block, games)
        first = column + block * LANES
        end = first + len(part.ended)
        for number in range(len(states)):
            take(rows, literals, HIGHEST_FIRST, own.turned, end - first, states[number, first:end])
            forget_moves(rows, program, own.picks)
            choose(rows, program, own.drawing, own.picks)
            take_moves(rows, program, plan, moves[number, first:end])
            _move_on(rows, program, plan)
            look(rows, program, plan, 1, own, part)
            ended[number, first:end] = part.ended
            terminal[number, first:end] = part.terminal
            goals[number, first:end] = part.goals
