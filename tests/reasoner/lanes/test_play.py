"""Random play in lanes is the random play of the rules."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from reasoner.lanes import choice_plan, program
from tests.machines import built

GAMES = Path(__file__).parents[3] / "games"

SEVERAL_GOALS = """
(role r) (role s) (init (p a)) (legal r go) (legal r stop) (legal s go) (<= (next (p b)) (does r go))
(<= (next (p a)) (true (p a)) (does r stop)) (<= terminal (true (p b)))
(goal r 10) (<= (goal r 20) (true (p b))) (<= (goal s 30) (true (p b))) (<= (goal s 40) (true (p a)))
"""


def z_scores(lanes, twin):
    """How many standard errors apart the means of lengths and of each role's goals are."""
    for a, b in ((lanes.lengths, twin.lengths), *zip(lanes.goals.T, twin.goals.T, strict=True)):
        a, b = a.astype(float), b.astype(float)
        error = (a.var() / len(a) + b.var() / len(b)) ** 0.5
        yield abs(a.mean() - b.mean()) / error if error else float(a.mean() != b.mean())


@pytest.mark.parametrize(("name", "games"), [("ticTacToe", 300), ("nim", 300), ("doors", 100), ("diceRace", 100)])
def test_means_are_those_of_the_relational_engine(name, games):
    lanes = built(GAMES / f"{name}.kif")
    twin = lanes.relational
    a = lanes.playouts(lanes.initial(), 100_000, seed=1)
    b = twin.playouts(twin.initial(), games, seed=2)
    assert max(z_scores(a, b)) < 4


def test_drawing_lane_by_lane_gives_the_same_play_as_the_choice_circuit(monkeypatch):
    by_circuit = built(GAMES / "breakthrough.kif")
    monkeypatch.setattr(choice_plan, "CIRCUIT_MOVES", 2)
    drawn = program.schedule(by_circuit.circuit)
    assert len(drawn.drawn) == 2
    lanes = type(by_circuit)(drawn, by_circuit.relational)
    a = lanes.playouts(lanes.initial(), 20_000, seed=1)
    b = by_circuit.playouts(by_circuit.initial(), 20_000, seed=2)
    assert max(z_scores(a, b)) < 4


def test_a_count_that_fills_no_row_is_played_in_full():
    machine = built(GAMES / "ticTacToe.kif")
    for count in (1, 63, 64, 65, 511, 512, 513, 2000):
        played = machine.playouts(machine.initial(), count, seed=3)
        assert played.finished.all()
        assert (played.lengths >= 5).all()
        assert np.all(played.goals.sum(1) == 100)


def test_play_begins_at_the_given_state():
    machine = built(GAMES / "ticTacToe.kif")
    state = machine.initial()
    for _ in range(8):
        state = machine.next(state, [moves[0] for moves in machine.legal(state)])
        if machine.terminal(state):
            break
    played = machine.playouts(state, 100, seed=1)
    assert (played.lengths == 0).all()
    assert {tuple(row) for row in played.goals.tolist()} == {machine.goal(state)}


def test_several_goals_of_a_role_count_as_none():
    machine = built(SEVERAL_GOALS)
    assert set(map(tuple, machine.playouts(machine.initial(), 600, seed=1).goals.tolist())) == {(0, 30)}


def test_threads_share_a_machine():
    machine = built(GAMES / "connectFour.kif")
    with ThreadPoolExecutor(4) as pool:
        played = list(pool.map(lambda seed: machine.playouts(machine.initial(), 2000, seed), [1, 2, 1, 2]))
    assert np.array_equal(played[0].lengths, played[2].lengths)
    assert np.array_equal(played[1].goals, played[3].goals)
