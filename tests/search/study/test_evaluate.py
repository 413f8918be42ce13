"""A network as the evaluation of a batch says what its own forward pass says."""

from __future__ import annotations

import numpy as np
import pytest

from reasoner.batch import Batch
from search.network import Network
from search.study.evaluate import NetworkEvaluate
from search.study.selfplay import machine_of
from tests.search.study.games import rules


def drawn_network(batch, rng, facts, moves):
    def array(*shape):
        return rng.normal(0, 0.3, shape).astype(np.float32)

    return Network(
        batch.machine.circuit.roles,
        facts,
        moves,
        array(len(facts), 48),
        array(48),
        ((array(48, 17), array(17)),),
        (array(17, len(batch.roles)), array(len(batch.roles))),
        tuple((array(len(own), 17), array(len(own))) for own in moves),
    )


@pytest.mark.parametrize("name", ["ticTacToe", "goofspiel"])
def test_values_and_priors_are_those_of_the_forward_pass(name):
    batch = Batch(machine_of(rules(name)), 40, seed=1)
    batch.step(np.full(batch.goals.shape, -1))
    rng = np.random.default_rng(1)
    network = drawn_network(batch, rng, batch.facts, batch.moves)
    priors, values = NetworkEvaluate(batch, network)(batch)
    wanted = network.forward(batch.observation)
    assert np.allclose(values, wanted.values, atol=1e-5)
    for role, legal in enumerate(batch.legal):
        assert np.allclose(np.where(legal, priors[role], 0), wanted.priors(role, legal), atol=1e-5)


def test_facts_and_moves_stand_in_any_order_and_unknown_ones_count_as_nothing():
    batch = Batch(machine_of(rules("ticTacToe")), 40, seed=1)
    rng = np.random.default_rng(1)
    some = batch.facts[::-1][3:]
    moves = tuple(own[::-1][2:] for own in batch.moves)
    network = drawn_network(batch, rng, some, moves)
    priors, values = NetworkEvaluate(batch, network)(batch)
    places = [batch.facts.index(fact) for fact in some]
    wanted = network.forward(batch.observation[:, places])
    assert np.allclose(values, wanted.values, atol=1e-5)
    own = np.zeros(batch.legal[0].shape, np.float32)
    own[:, [batch.moves[0].index(move) for move in moves[0]]] = wanted.logits[0]
    shares = np.exp(own) * batch.legal[0]
    assert np.allclose(np.where(batch.legal[0], priors[0], 0), shares / shares.sum(axis=1, keepdims=True), atol=1e-5)
