"""Kernels for actions: check legality, write given or drawn moves to rows of lanes, and read moves from rows."""

from __future__ import annotations

from reasoner.arrays import Ints, Words
from reasoner.batch.plan import NONE, STAY, Plan, Work
from reasoner.kernels import device_function, kernel
from reasoner.kernels.bits import ONE, ZERO
from reasoner.kernels.scalars import int64, uint64
from reasoner.lanes.play import Lanes, choose, forget_moves, word
from reasoner.lanes.rows import LANES, WORDS, lowest_bit


@kernel
def first_wrong(values: Words, program: Lanes, plan: Plan, actions: Ints, replace: int) -> int:
    """Return the index ``game * roles + role`` of the first illegal action; NONE if every action is legal.

    Games that are over are skipped. If `replace` is set, each illegal action becomes NONE, so that a move is drawn.
    """
    found = NONE
    games, roles = actions.shape
    for game in range(games):
        rows, w, bit = values[game // LANES], (game % LANES) >> 6, uint64(game & 63)
        if (rows[program.hold * WORDS + w] >> bit) & ONE:
            continue
        for role in range(roles):
            action, first = actions[game, role], plan.starts[role]
            if STAY <= action <= NONE:
                continue
            known = 0 <= action < plan.starts[role + 1] - first
            if known and (word(rows, program.legal[first + action], w) >> bit) & ONE:
                continue
            if replace:
                actions[game, role] = NONE
            if found == NONE:
                found = game * roles + role
    return found


@device_function
def _given_lanes(actions: Ints, lanes: Words) -> bool:
    """Mark the lanes with a given move, role by role, and the lanes with STAY; return whether no move must be drawn."""
    games, roles = actions.shape
    lanes[:] = ZERO
    every = True
    for game in range(games):
        w, bit = game >> 6, ONE << uint64(game & 63)
        for role in range(roles):
            action = actions[game, role]
            if action >= 0:
                lanes[role, w] |= bit
            elif action == STAY:
                lanes[roles, w] |= bit
            else:
                every = False
    return every


@device_function
def put_moves(values: Words, program: Lanes, plan: Plan, actions: Ints, own: Work) -> None:
    """Write the given actions to the rows of the moves, draw a move for each NONE, and hold the games with a STAY."""
    every = _given_lanes(actions, own.lanes)
    for w in range(WORDS):
        values[program.hold * WORDS + w] |= own.lanes[program.roles, w]
    forget_moves(values, program, own.picks)
    first = 1 + program.bases
    if not every:
        choose(values, program, own.drawing, own.picks)
        for role in range(program.roles):
            for move in range(plan.starts[role], plan.starts[role + 1]):
                for w in range(WORDS):
                    values[(first + move) * WORDS + w] &= ~own.lanes[role, w]
    for game in range(len(actions)):
        for role in range(program.roles):
            if actions[game, role] >= 0:
                move = int64(plan.starts[role]) + actions[game, role]
                values[(first + move) * WORDS + (game >> 6)] |= ONE << uint64(game & 63)


@device_function
def take_moves(values: Words, program: Lanes, plan: Plan, out: Ints) -> None:
    """Write the moves made in the lanes to `out`, as indices into each role's moves.  # out [games, roles]."""
    out[:] = NONE
    first = 1 + program.bases
    for role in range(program.roles):
        for move in range(plan.starts[role], plan.starts[role + 1]):
            for w in range(WORDS):
                made = values[(first + move) * WORDS + w]
                while made:
                    game = 64 * w + int64(lowest_bit(made))
                    made &= made - ONE
                    if game < len(out):
                        out[game, role] = move - plan.starts[role]
