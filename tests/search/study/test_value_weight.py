"""The estimated weight of a network's values is the one that predicts results best."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from reasoner.batch import Batch
from search.study.selfplay import SelfPlayJob, machine_of, play_games
from search.study.value_weight import value_weight
from search.study.vocabulary import numbering
from tests.search.study.games import misled, rules, untrained

pytestmark = pytest.mark.long  # playouts of many positions


def played(name, games=60):
    return play_games(SelfPlayJob(rules(name), None, games, simulations=16))


def test_the_values_of_an_ignorant_or_misled_network_get_little_weight_beside_playouts():
    machine, held = machine_of(rules("connectFour")), played("connectFour")
    vocabulary = numbering(Batch(machine, 1)).vocabulary
    ignorant = untrained(vocabulary)
    assert value_weight(machine, ignorant, held, 200, 1) < 0.5
    assert value_weight(machine, misled(machine).network, held, 200, 1) < 0.2


def test_a_network_that_knows_the_results_gets_all_the_weight():
    machine, held = machine_of(rules("connectFour")), played("connectFour")
    vocabulary = numbering(Batch(machine, 1)).vocabulary
    sure = untrained(vocabulary)
    sure = replace(sure, value=(sure.value[0], np.array([6.0, -6.0], np.float32)))
    won = replace(held, results=np.tile(np.array([1.0, 0.0], np.float32), (len(held), 1)))
    assert value_weight(machine, sure, won, 200, 1) > 0.95


def test_few_positions_or_playouts_without_an_end_give_no_estimate():
    machine, held = machine_of(rules("connectFour")), played("connectFour")
    network = misled(machine).network
    assert value_weight(machine, network, held.take(np.arange(50)), 200, 1) is None
    assert value_weight(machine, network, held, 1, 1) is None
