"""The gate lets through what plays better, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from reasoner.batch import Batch
from search.network.storage import Studied
from search.study.gate import Contest, GateOptions, compare
from search.study.rating import Step, step_of
from search.study.selfplay import machine_of
from search.study.sequential import STRONGER
from search.study.shape import fresh_network, shape_for
from search.study.vocabulary import numbering
from tests.search.study.games import rules

QUICK = GateOptions(simulations=16, playouts=2, pairs=64, batches=2)


def blank(machine):
    vocabulary = numbering(Batch(machine, 1)).vocabulary
    return Studied(fresh_network(vocabulary, shape_for(vocabulary), 0), 1.0, 1.0)


def test_random_games_tell_more_than_a_network_that_knows_nothing():
    machine = machine_of(rules("connectFour"))
    assert not compare(machine, blank(machine), None, QUICK).taken
    assert compare(machine, None, blank(machine), QUICK).verdict == STRONGER


@pytest.mark.parametrize("name", ["trio", "goofspiel", "diceRace", "lightsOut"])
def test_games_of_all_kinds_are_compared_pair_by_pair(name):
    machine = machine_of(rules(name))
    results = Contest(machine, None, blank(machine), QUICK).play(1)
    assert len(results) == 64
    assert all(0 <= result <= 100 for result in results)


def test_both_games_of_a_pair_begin_alike():
    machine = machine_of(rules("connectFour"))
    contest = Contest(machine, None, None, QUICK)
    batch = Batch(machine, 128, again=False)
    contest._open(batch, np.random.default_rng(1))
    assert np.array_equal(batch.states[0::2], batch.states[1::2])
    assert len(np.unique(batch.states, axis=0)) > 20


def test_a_rating_step_grows_with_the_score_and_its_interval_shrinks_with_the_results():
    assert step_of([50.0] * 10).points == pytest.approx(0)
    assert step_of([100.0, 50.0] * 50).points == pytest.approx(191, abs=12)
    assert step_of([100.0, 0.0] * 400).error < step_of([100.0, 0.0] * 40).error
    both = Step(100, 30) + Step(50, 40)
    assert (both.points, both.error) == (150, 50)
