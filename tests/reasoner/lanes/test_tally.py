"""Sums of random play are the sums of the games played one by one."""

import numpy as np
import pytest

from tests.machines import SOME, built

SEVERAL_GOALS = """
(role r) (role s) (init (p a)) (legal r go) (legal r stop) (legal s go) (<= (next (p b)) (does r go))
(<= (next (p a)) (true (p a)) (does r stop)) (<= terminal (true (p b)))
(goal r 10) (<= (goal r 20) (true (p b))) (<= (goal s 30) (true (p b))) (<= (goal s 40) (true (p a)))
"""


@pytest.mark.parametrize("rules", [*SOME, pytest.param(SEVERAL_GOALS, id="odd")])
def test_the_sums_are_those_of_the_same_games(rules):
    machine = built(rules)
    state = machine.initial()
    for count, steps in ((1, 10_000), (100, 10_000), (513, 10_000), (1500, 10_000), (700, 3)):
        played, tally = machine.playouts(state, count, 7, steps), machine.tally(state, count, 7, steps)
        assert (tally.games, tally.finished, tally.steps) == (count, played.finished.sum(), played.lengths.sum())
        assert np.array_equal(tally.goals, played.goals.sum(axis=0))
