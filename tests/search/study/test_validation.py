"""Losses reported without PyTorch are those that training makes small."""

from __future__ import annotations

import numpy as np
import pytest

from reasoner.batch import Batch
from reasoner.rules.read import read_program
from search.study.grid import find_grid
from search.study.selfplay import SelfPlayJob, machine_of, play_games
from search.study.validation import losses
from search.study.vocabulary import numbering
from tests.search.study.games import rules, untrained


@pytest.mark.long  # trains with PyTorch
@pytest.mark.parametrize("name", ["ticTacToe", "connectFour", "goofspiel", "trio"])
def test_they_are_those_of_training(name):
    pytest.importorskip("torch", reason="studying is an extra")
    from search.study.shape import layers_for
    from search.study.training import Trainer

    vocabulary = numbering(Batch(machine_of(rules(name)), 1)).vocabulary
    layers = layers_for(vocabulary, find_grid(read_program(rules(name))[0], vocabulary), 20)
    games = play_games(SelfPlayJob(rules(name), None, 6, simulations=16))
    trainer = Trainer(layers, seed=1)
    for rate in (10.0, 0.0):  # the first step is the only one that the average has seen
        trained, network = trainer.step(games, rate), trainer.network()
    assert (network.board is None) == (name == "goofspiel")
    reported = losses(network, games)
    assert reported.value == pytest.approx(trained.value, abs=1e-4)
    assert reported.policy == pytest.approx(trained.policy, abs=1e-4)


@pytest.mark.long  # self-play on kernels that only studies need
def test_a_network_that_knows_nothing_is_even_about_values_and_moves():
    vocabulary = numbering(Batch(machine_of(rules("ticTacToe")), 1)).vocabulary
    games = play_games(SelfPlayJob(rules("ticTacToe"), None, 6, simulations=16))
    reported = losses(untrained(vocabulary), games)
    assert reported.value == pytest.approx(np.log(2), abs=1e-5)
    counts = sum(np.diff(own.starts) for own in games.policies)
    assert reported.policy == pytest.approx(np.log(counts).mean(), abs=1e-2)
