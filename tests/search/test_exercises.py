"""An exercise has one best move, by exhaustive search."""

from __future__ import annotations

from functools import cache
from itertools import islice

from search.exercises import LEVELS, exercises
from tests.machines import BUNDLED, built

TIC_TAC_TOE = next(p.values[0] for p in BUNDLED if p.values[0].stem == "ticTacToe")


def test_one_move_keeps_the_value_and_all_others_lose_some():
    machine = built(TIC_TAC_TOE)

    @cache
    def value(state: object) -> int:
        """The goal of the first role if both play perfectly."""
        if machine.terminal(state):
            return machine.goal(state)[0]
        return (max if len(machine.legal(state)[0]) > 1 else min)(value(after) for _, after in following(state))

    def following(state):
        legal = machine.legal(state)
        role = 0 if len(legal[0]) > 1 else 1
        for move in legal[role]:
            joint = [move if each == role else own[0] for each, own in enumerate(legal)]
            yield str(move), machine.next(state, joint)

    found = [each for each in islice(exercises(machine, seed=1), 40) if each is not None]
    assert len(found) >= 3
    for each in found:
        state = machine.initial()
        for joint in each.history:
            state = machine.next(state, joint)
        assert set(each.facts) == set(map(str, machine.facts(state)))
        role = machine.roles.index(each.role)
        goals = {move: value(after) if role == 0 else 100 - value(after) for move, after in following(state)}
        assert [move for move, goal in goals.items() if goal == max(goals.values())] == [each.move]
        assert goals[each.move] == each.goal
        assert each.level in (0, *LEVELS)
