"""Tuning finds what plays best, and that nothing is better than a network that misleads."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import numpy as np
import pytest

from reasoner.batch import Batch
from search.network.storage import Studied
from search.study.selfplay import machine_of
from search.study.shape import fresh_network, shape_for
from search.study.tuning import Tuning
from search.study.vocabulary import numbering
from tests.search.study.games import rules


class Ticks:
    """Every look at this clock is a quarter of the time later."""

    def __init__(self, seconds):
        self._count, self._seconds = count(), seconds

    def now(self):
        return next(self._count) * self._seconds / 4


def misled(machine):
    """A network whose values are drawn at random, and which is sure of them."""
    vocabulary = numbering(Batch(machine, 1)).vocabulary
    network = fresh_network(vocabulary, shape_for(vocabulary), 1)
    weights, bias = network.value
    drawn = np.random.default_rng(1).normal(0, 3, weights.shape).astype(np.float32)
    return Studied(replace(network, value=(drawn, bias)), 1.0, 1.0)


def tuning(name, seconds=24.0, **given):
    machine = machine_of(rules(name))
    return Tuning(machine, misled(machine), 90.0, seconds, 1, Ticks(seconds), **given)


def test_a_network_that_misleads_is_left_out():
    tuned = tuning("connectFour", candidates=((0.0, 0.0), (1.0, 1.0))).run(lambda: False)
    assert (tuned.weight, tuned.prior) == (0, 0)
    assert tuned.goal == tuned.without


@pytest.mark.parametrize("name", ["trio", "goofspiel", "diceRace", "lightsOut"])
def test_games_of_all_kinds_are_tuned(name):
    tuned = tuning(name, seconds=120.0).run(lambda: False)
    assert (tuned.weight, tuned.prior) in tuning(name).candidates
    assert tuned.games > 0


def test_too_little_time_tells_nothing():
    assert tuning("ticTacToe", seconds=0.1).run(lambda: False) is None
