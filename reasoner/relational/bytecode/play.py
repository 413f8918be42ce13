"""Kernels that load states, read moves and goals from relations, play random games, and count features.

A state is an array of facts, one after another: ``relation column column …``. The relations are those of `true`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reasoner.arrays import Ints, Longs
from reasoner.kernels import device_function, kernel
from reasoner.kernels.memory import int_at, long_at, put_int, put_long
from reasoner.kernels.random import GOLDEN, below, scrambled
from reasoner.kernels.scalars import uint64
from reasoner.relational.bytecode import layout
from reasoner.relational.bytecode.layout import RelationStore, relation_at
from reasoner.relational.bytecode.run import evaluate, evaluate_unit


class GameRelations(NamedTuple):
    """The numbers of the relations that contain a state machine's answers.

    `*_units` are the units to evaluate before these relations are read.
    """

    state_relations: Ints  # [relations of a state]
    joint_relations: Ints  # [relations of a joint move]
    terminal: int
    roles: Ints
    moves: Ints
    facts: Ints
    goals: Ints
    values: Ints
    terminal_units: Ints
    legal_units: Ints
    goal_units: Ints
    next_units: Ints


@device_function
def forget(s: RelationStore, kind: int, relations: Ints) -> None:
    """Begin the next generation of a kind, and discard these relations and everything derived from them."""
    put_long(s.counters, layout.GENERATIONS, long_at(s.counters, layout.GENERATIONS) + 1)
    put_long(s.counters, kind, long_at(s.counters, layout.GENERATIONS))
    for relation in relations:
        relation_at(s.relations, relation).generation = long_at(s.counters, layout.GENERATIONS)
        relation_at(s.relations, relation).count = 0
        relation_at(s.relations, relation).high = 0


@device_function
def begin_state(s: RelationStore, game: GameRelations) -> None:
    """Discard a state and everything derived from it."""
    forget(s, layout.STATE_GENERATION, game.state_relations)
    put_long(s.counters, layout.STEPS, 0)
    begin_joint(s, game)


@kernel
def begin_joint(s: RelationStore, game: GameRelations) -> None:
    """Discard a joint move and everything derived from it."""
    forget(s, layout.JOINT_GENERATION, game.joint_relations)


@kernel
def append(s: RelationStore, relation: int, source: int, at: int) -> int:
    """Append a row that the relation does not contain yet; return the status."""
    row, arity = relation_at(s.relations, relation).count, relation_at(s.relations, relation).arity
    if row >= relation_at(s.relations, relation).capacity:
        put_long(s.counters, layout.FAULT, relation)
        return layout.ROWS_FULL
    base = relation_at(s.relations, relation).first + row * arity
    for i in range(arity):
        put_int(s.rows, base + i, int_at(source, at + i))
    relation_at(s.relations, relation).count = row + 1
    return layout.FINE


@kernel
def load_state(s: RelationStore, game: GameRelations, state: int, length: int) -> int:
    """Make `state` the current state; return the status."""
    begin_state(s, game)
    at = 0
    while at < length:
        status = append(s, int_at(state, at), state, at + 1)
        if status != layout.FINE:
            return status
        at += 1 + relation_at(s.relations, int_at(state, at)).arity
    return layout.FINE


@kernel
def advance(s: RelationStore, game: GameRelations) -> int:
    """Make the facts of `next` the current state; return the status."""
    counts = np.empty(game.facts.shape[0], np.int32)
    for f in range(counts.size):
        source, target = game.facts[f, 0], game.facts[f, 1]
        counts[f] = relation_at(s.relations, source).count
        if counts[f] > relation_at(s.relations, target).capacity:
            put_long(s.counters, layout.FAULT, target)
            return layout.ROWS_FULL
    begin_state(s, game)
    for f in range(counts.size):
        source, target = game.facts[f, 0], game.facts[f, 1]
        start, base = relation_at(s.relations, source).first, relation_at(s.relations, target).first
        for i in range(counts[f] * relation_at(s.relations, source).arity):
            put_int(s.rows, base + i, int_at(s.rows, start + i))
        relation_at(s.relations, target).count = counts[f]
    return layout.FINE


@device_function
def _random(generator: NDArray[np.uint64]) -> int:
    """Return the next word of a splitmix64 generator."""
    generator[0] += GOLDEN
    return scrambled(generator[0])


@kernel
def choose(s: RelationStore, game: GameRelations, generator: NDArray[np.uint64]) -> int:
    """Add a random legal move of every role to `does`; return FINE, ROWS_FULL, or -1 if a role has no legal move."""
    begin_joint(s, game)
    for role in range(game.roles.size):
        found = 0
        for m in range(game.moves.shape[0]):
            found += _owned(s, game.moves[m, 0], game.roles[role], -1)
        if found == 0:
            return -1
        wanted = below(_random(generator), found)
        for m in range(game.moves.shape[0]):
            relation = game.moves[m, 0]
            owned = _owned(s, relation, game.roles[role], -1)
            if wanted < owned:
                row = _owned(s, relation, game.roles[role], wanted)
                base = relation_at(s.relations, relation).first + row * relation_at(s.relations, relation).arity
                status = append(s, game.moves[m, 1], s.rows, base)
                if status != layout.FINE:
                    return status
                break
            wanted -= owned
    return layout.FINE


@device_function
def _owned(s: RelationStore, relation: int, role: int, wanted: int) -> int:
    """Return the count of rows that begin with `role`; if `wanted` >= 0, the row number of the `wanted`-th such row."""
    base, arity, found = relation_at(s.relations, relation).first, relation_at(s.relations, relation).arity, 0
    for row in range(relation_at(s.relations, relation).count):
        if int_at(s.rows, base + row * arity) == role:
            if found == wanted:
                return row
            found += 1
    return found


@kernel
def read_goals(s: RelationStore, game: GameRelations, out: Ints) -> None:
    """Write the goal of each role, or -1 if the rules give none or several; terms that are no numbers are ignored."""
    for role in range(game.roles.size):
        found, several = -1, False
        for g in range(game.goals.shape[0]):
            relation, value = game.goals[g, 0], game.goals[g, 1]
            base, arity = relation_at(s.relations, relation).first, relation_at(s.relations, relation).arity
            for row in range(relation_at(s.relations, relation).count):
                if int_at(s.rows, base + row * arity) == game.roles[role]:
                    term = int_at(s.rows, base + row * arity + arity - 1) if value < 0 else value
                    points = game.values[term] if 0 <= term < game.values.size else -1
                    several |= found >= 0 and points >= 0 and found != points
                    found = max(found, points)
        out[role] = -1 if several else found


@kernel
def play(
    s: RelationStore,
    game: GameRelations,
    start: int,
    length: int,
    seed: int,
    most: int,
    goals: Ints,
    out: Longs,
) -> int:
    """Play one random game from `start`, of at most `most` joint moves; return the status.

    Writes `goals` [roles] as `read_goals` does, and `out`: the number of joint moves, and 1 if the game is over.
    """
    generator = np.full(1, uint64(seed), np.uint64)
    status, made, over = load_state(s, game, start, length), 0, False
    while status == layout.FINE:
        status = evaluate(s, game.terminal_units)
        over = game.terminal >= 0 and relation_at(s.relations, game.terminal).count > 0
        if status != layout.FINE or over or made == most:
            break
        status = evaluate(s, game.legal_units)
        if status == layout.FINE:
            status = choose(s, game, generator)
        if status == layout.FINE:
            status = evaluate(s, game.next_units)
        if status == layout.FINE:
            status = advance(s, game)
        made += status == layout.FINE
    if status <= layout.FINE:
        status = evaluate(s, game.goal_units)
        read_goals(s, game, goals)
    out[0], out[1] = (made, over)
    return status


class Groups(NamedTuple):
    """The groups of features to count. The value of a feature is the product of its groups' counts."""

    before: Ints  # units of the relations that features read
    units: Ints  # [groups]
    relations: Ints  # [groups] a relation with a row per solution, or ~relation if it only has to be non-empty
    ends: Ints  # [features] end of the feature's groups in `relations`


@kernel
def count(
    s: RelationStore,
    game: GameRelations,
    groups: Groups,
    lines: int,
    starts: Longs,
    out: Longs,
    progress: Longs,
) -> int:
    """Compute the feature values in all states from number `progress` on; return the status.

    `lines` is the address of the states, one after another; `starts` [states + 1] are their first positions in it; the
    result is written to `out` [states, features].
    """
    for place in range(progress[0], starts.size - 1):
        progress[0] = place
        status = load_state(s, game, lines + 4 * starts[place], starts[place + 1] - starts[place])
        if status == layout.FINE:
            status = evaluate(s, groups.before)
        if status != layout.FINE:
            return status
        group = 0
        for feature in range(groups.ends.size):
            value = 1
            while group < groups.ends[feature]:
                if value:
                    status = evaluate_unit(s, groups.units[group])
                    if status != layout.FINE:
                        return status
                    relation = groups.relations[group]
                    found = relation_at(s.relations, relation if relation >= 0 else ~relation).count
                    value *= found if relation >= 0 else min(found, 1)
                group += 1
            out[place, feature] = value
    return layout.FINE
