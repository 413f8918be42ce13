"""Games played by native code are the games that portable code plays."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from reasoner.lanes import native, portable
from reasoner.lanes.lane_graph_builder import lane_graph
from tests.machines import SOME, built
from tests.reasoner.lanes.native.machines import needs_native, on_each_target
from tests.shared import SHARED, needs_shared

pytestmark = [needs_native, on_each_target]
GAMES = Path(__file__).parents[4] / "games"


def machines(rules, target):
    """The machine of some rules with native and with portable code."""
    machine = built(rules)
    graph = lane_graph(machine.circuit)
    codes = (native.emit(graph, target), portable.emit(graph))
    return [type(machine)(replace(machine.program, code=code), machine.relational) for code in codes]


@pytest.mark.parametrize("rules", SOME)
def test_playouts_from_one_seed_are_the_same_games(rules, target):
    ours, theirs = (machine.playouts(machine.initial(), 1500, seed=7) for machine in machines(rules, target))
    assert np.array_equal(ours.lengths, theirs.lengths)
    assert np.array_equal(ours.goals, theirs.goals)
    assert np.array_equal(ours.finished, theirs.finished)


@pytest.mark.parametrize("name", ["breakthrough", "eightPuzzle", "goofspiel"])
def test_states_and_what_is_said_of_them_are_the_same(name, target):
    ours, theirs = machines(GAMES / f"{name}.kif", target)
    state, random = ours.initial(), np.random.default_rng(1)
    for _ in range(12):
        assert ours.legal(state) == theirs.legal(state)
        assert ours.goal(state) == theirs.goal(state)
        assert ours.terminal(state) == theirs.terminal(state)
        if ours.terminal(state):
            break
        joint = [moves[random.integers(len(moves))] for moves in ours.legal(state)]
        following = ours.next(state, joint)
        assert following == theirs.next(state, joint)
        assert ours.facts(following) == theirs.facts(following)
        state = following


@pytest.mark.long  # larger games
@pytest.mark.shared
@needs_shared
@pytest.mark.parametrize("name", ["pentago", "checkers", "quarto"])
def test_shared_games_are_played_alike(name, target):
    ours, theirs = (m.playouts(m.initial(), 600, seed=3) for m in machines(SHARED / "games" / f"{name}.kif", target))
    assert np.array_equal(ours.lengths, theirs.lengths)
    assert np.array_equal(ours.goals, theirs.goals)
