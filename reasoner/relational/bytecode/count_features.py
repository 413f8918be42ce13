"""Kernel that counts the solutions of features in many states."""

from __future__ import annotations

from typing import NamedTuple

from reasoner.arrays import Ints, Longs
from reasoner.kernels import kernel
from reasoner.relational.bytecode.layout import FINE, RelationStore
from reasoner.relational.bytecode.play import GameRelations, load_state
from reasoner.relational.bytecode.records import relation_at
from reasoner.relational.bytecode.run import evaluate, evaluate_unit


class Groups(NamedTuple):
    """The groups to count. A feature's value is the product of its groups' counts."""

    before: Ints  # units of the relations that features read
    units: Ints  # [groups]
    relations: Ints  # [groups] with a row per solution, or ~ one that must only be non-empty
    ends: Ints  # [features] the end of the feature's groups


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
    """Compute the values in all states from `progress` on; return the status.

    `lines` holds the states one after another, `starts` [states + 1] where each begins; `out` [states, features].
    """
    for place in range(progress[0], starts.size - 1):
        progress[0] = place
        status = load_state(s, game, lines + 4 * starts[place], starts[place + 1] - starts[place])
        if status == FINE:
            status = evaluate(s, groups.before)
        if status != FINE:
            return status
        group = 0
        for feature in range(groups.ends.size):
            value = 1
            while group < groups.ends[feature]:
                if value:
                    status = evaluate_unit(s, groups.units[group])
                    if status != FINE:
                        return status
                    relation = groups.relations[group]
                    found = relation_at(s.relations, relation if relation >= 0 else ~relation).count
                    value *= found if relation >= 0 else min(found, 1)
                group += 1
            out[place, feature] = value
    return FINE
