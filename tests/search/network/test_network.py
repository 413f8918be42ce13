"""One network as arrays."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from reasoner.language.terms import Constant
from search.network import Network


def drawn_network(seed: int = 1) -> Network:
    """A small network with random weights: two facts, one role of three moves, layers of four and five units."""
    rng = np.random.default_rng(seed)

    def floats(*shape: int) -> np.ndarray:
        return rng.normal(size=shape).astype(np.float32)

    return Network(
        roles=(Constant("r"),),
        facts=(Constant("p"), Constant("q")),
        moves=((Constant("a"), Constant("b"), Constant("c")),),
        fact_rows=floats(2, 4),
        fact_bias=floats(4),
        hidden=((floats(4, 5), floats(5)),),
        value=(floats(5, 1), floats(1)),
        policy=((floats(3, 5), floats(3)),),
    )


def test_answers_are_what_the_layers_say_unit_by_unit():
    network = drawn_network()
    answers = network.forward(np.array([[1, 0]], np.uint8))
    first = [max(0.0, network.fact_rows[0, h] + network.fact_bias[h]) for h in range(4)]
    weights, bias = network.hidden[0]
    last = [max(0.0, sum(first[h] * weights[h, k] for h in range(4)) + bias[k]) for k in range(5)]
    value = sum(last[k] * network.value[0][k, 0] for k in range(5)) + network.value[1][0]
    rows, move_bias = network.policy[0]
    assert answers.values[0, 0] == pytest.approx(1 / (1 + np.exp(-value)), rel=1e-5)
    for move in range(3):
        logit = sum(last[k] * rows[move, k] for k in range(5)) + move_bias[move]
        assert answers.logits[0][0, move] == pytest.approx(logit, rel=1e-4, abs=1e-5)


def test_priors_share_one_over_the_legal_moves_and_are_zero_where_there_are_none():
    answers = drawn_network().forward(np.array([[1, 0], [0, 1]], np.uint8))
    priors = answers.priors(0, np.array([[True, False, True], [False, False, False]]))
    assert priors[0].sum() == pytest.approx(1)
    assert priors[0, 1] == 0
    assert not priors[1].any()


def test_shapes_that_do_not_fit_are_reported_with_their_name():
    with pytest.raises(ValueError, match=r"policy rows of r: float32 of shape \(2, 5\) instead of float32 of \(3, 5\)"):
        dataclasses.replace(drawn_network(), policy=((np.zeros((2, 5), np.float32), np.zeros(3, np.float32)),))
