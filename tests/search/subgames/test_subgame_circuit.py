"""A subgame by itself does what it does in the whole."""

from __future__ import annotations

import pytest

from reasoner.lanes.machine import CircuitMachine
from reasoner.lanes.program import schedule
from search.factoring import factor
from search.factoring.factors import ACTIONS
from tests.machines import built
from tests.search.subgames.games import compiled, cones, cones_of, plays
from tests.shared import needs_shared

COMPOUND = ["multipleButtons", "bestButtons", "fusedButtons", "jointButtons", "hodgepodge", "nim", "multipleTicTacToe"]


@pytest.mark.parametrize("name", COMPOUND)
def test_the_classes_of_the_moves_of_the_whole_lead_where_the_whole_goes(name: str) -> None:
    follow(name)


@needs_shared
@pytest.mark.parametrize("name", ["dualConnect4", "ticTacToeParallel", "connectFourSimultaneous"])
def test_the_cones_of_public_games_go_where_the_whole_goes(name: str) -> None:
    follow(name)


@needs_shared
def test_a_subgame_that_others_follow_ends_where_they_begin() -> None:
    machine = compiled("ticTacToeSerial")
    cone = cones("ticTacToeSerial")[0]
    small = CircuitMachine(schedule(cone.circuit), machine.relational)
    played = small.playouts(small.initial(), 200, seed=1)
    assert played.finished.all()
    assert set(played.lengths.tolist()) <= set(range(5, 10))


@needs_shared
def test_a_board_that_is_full_while_the_other_continues_is_worth_half_to_both() -> None:
    machine = compiled("connectFourSimultaneous")
    for cone in cones("connectFourSimultaneous"):
        small = CircuitMachine(schedule(cone.circuit), machine.relational)
        played = small.playouts(small.initial(), 50_000, seed=1)
        assert {tuple(goals) for goals in played.goals.tolist()} == {(100, 0), (50, 50), (0, 100)}


def follow(name: str) -> None:
    """Compare the states of the cones with the whole's in random play."""
    machine = compiled(name)
    terms = [move for own in machine.circuit.moves for move in own]
    roles = [role for role, own in enumerate(machine.circuit.moves) for _ in own]
    for cone in cones(name):
        small = CircuitMachine(schedule(cone.circuit), machine.relational)
        own = [(role, move) for role, moves in enumerate(cone.circuit.moves) for move in moves]
        of = {(roles[m], terms[m]): own[c][1] for c, members in enumerate(cone.members) for m in members}
        for state, joint, following in plays(machine, seed=3, games=2):
            if not small.terminal(cone.state(state)):
                classes = [of[role, move] for role, move in enumerate(joint)]
                assert small.next(cone.state(state), classes) == cone.state(following)


def test_a_move_that_acts_elsewhere_is_idle_here_where_moves_are_apart() -> None:
    found = factor(compiled("bestButtons").circuit)
    for cone in cones("bestButtons"):
        assert len(cone.members[cone.idle[0]]) == 6
    assert found.kind != ACTIONS
    assert all(cone.idle == (-1,) for cone in cones("jointButtons"))


ONE_MOVE_ELSEWHERE = """
(role r) (init (at start)) (init (lamp off)) (way start left) (way start right) (way left end) (way right end)
(<= (legal r (go ?to)) (true (at ?from)) (way ?from ?to))
(<= (legal r light) (true (lamp off)))
(<= gone (does r (go ?to)))
(<= (next (at ?to)) (does r (go ?to)))
(<= (next (at ?from)) (true (at ?from)) (not gone))
(<= (next (lamp on)) (does r light)) (<= (next (lamp on)) (true (lamp on)))
(<= (next (lamp off)) (true (lamp off)) (not (does r light)))
(<= terminal (true (at end)) (true (lamp on)))
(<= won (true (at right)) (true (lamp on)))
(<= (goal r 100) won) (<= (goal r 0) (not won))
"""
"""Two subgames, of which the second has a single move, fewer than the first has classes."""


def test_the_idle_move_is_the_one_that_acts_elsewhere_however_few_these_are() -> None:
    machine = built(ONE_MOVE_ELSEWHERE)
    walk, lamp = cones_of(machine)
    texts = [str(move) for move in machine.circuit.moves[0]]
    assert [texts[move] for move in walk.members[walk.idle[0]]] == ["light"]
    assert all(texts[move].startswith("(go") for move in lamp.members[lamp.idle[0]])


@pytest.mark.parametrize("name", ["nim", "hodgepodge"])
def test_a_subgame_that_is_over_ends_its_cone_whether_all_or_any_end_the_whole(name: str) -> None:
    machine = compiled(name)
    for cone in cones(name):
        small = CircuitMachine(schedule(cone.circuit), machine.relational)
        played = small.playouts(small.initial(), 200, seed=1, max_steps=200)
        assert played.finished.all()
        assert played.lengths.min() < played.lengths.max() < 200
        assert len(set(played.goals[:, 0].tolist())) > 1
