"""Weights fitted by ridge regression: planted ones come out, and what cannot be foretold is said to be so."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from search.evaluation.fit import fit


@given(st.lists(st.floats(-5, 5), min_size=1, max_size=6), st.floats(-50, 50), st.integers(0, 999))
@settings(max_examples=40, deadline=None)
def test_planted_weights_are_found_again(planted: list[float], bias: float, seed: int) -> None:
    random = np.random.default_rng(seed)
    features = random.integers(0, 8, (400, len(planted))).astype(float)
    targets = features @ np.array(planted)[:, None] + bias
    found = fit(features, targets, np.arange(400), penalty=1e-9)
    assert found.weights[:, 0] == pytest.approx(planted, abs=1e-4)
    assert found.bias[0] == pytest.approx(bias, abs=1e-3)
    assert not targets.std() > 0.1 or found.r2[0] > 0.999


def test_noise_is_not_foretold() -> None:
    """The held-out share shows it: R² is about 0, not what was fitted."""
    random = np.random.default_rng(1)
    found = fit(random.normal(size=(600, 20)), random.normal(size=(600, 1)), np.arange(600))
    assert found.r2[0] < 0.1


def test_equal_and_constant_features_do_no_harm() -> None:
    random = np.random.default_rng(2)
    one = random.normal(size=(200, 1))
    found = fit(np.hstack([one, one, np.ones((200, 1))]), 3 * one + 1, np.arange(200))
    assert found.weights[:, 0] == pytest.approx([1.5, 1.5, 0], abs=0.02)


def test_positions_of_one_game_alone_are_learned_from() -> None:
    """With one game nothing can be held out; with the fifth alone nothing else can be learned from."""
    for game in (0, 4):
        found = fit(np.eye(3), np.ones((3, 1)), np.full(3, game))
        assert found.bias + found.weights[0] == pytest.approx([1])
        assert found.r2[0] == 0
