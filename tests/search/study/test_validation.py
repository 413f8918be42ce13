"""Losses reported without PyTorch are those that training makes small."""

from __future__ import annotations

import numpy as np
import pytest

from reasoner.batch import Batch
from search.study.selfplay import SelfPlayJob, machine_of, play_games
from search.study.shape import fresh_network, shape_for
from search.study.validation import losses
from search.study.vocabulary import numbering
from tests.search.study.games import misled, rules


@pytest.mark.long  # trains with PyTorch
@pytest.mark.parametrize("name", ["ticTacToe", "goofspiel", "trio"])
def test_they_are_those_of_training(name):
    pytest.importorskip("torch", reason="studying is an extra")
    from search.study.training import Trainer

    network = misled(machine_of(rules(name))).network
    games = play_games(SelfPlayJob(rules(name), None, 6, simulations=16))
    reported = losses(network, games)
    trained = Trainer(network).step(games, 1e-9)
    assert reported.value == pytest.approx(trained.value, abs=1e-4)
    assert reported.policy == pytest.approx(trained.policy, abs=1e-4)


@pytest.mark.long  # self-play on kernels that only studies need
def test_a_network_that_knows_nothing_is_even_about_values_and_moves():
    vocabulary = numbering(Batch(machine_of(rules("ticTacToe")), 1)).vocabulary
    games = play_games(SelfPlayJob(rules("ticTacToe"), None, 6, simulations=16))
    reported = losses(fresh_network(vocabulary, shape_for(vocabulary), 0), games)
    assert reported.value == pytest.approx(np.log(2), abs=1e-5)
    counts = sum(np.diff(own.starts) for own in games.policies)
    assert reported.policy == pytest.approx(np.log(counts).mean(), abs=1e-2)
