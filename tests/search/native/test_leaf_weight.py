"""The estimated weight of values beside those of playouts is the one that predicts results best."""

from __future__ import annotations

import numpy as np
import pytest

from search.native.leaf_weight import best_weight


@pytest.mark.parametrize("weight", [0.0, 0.3, 0.8, 1.0])
def test_the_weight_of_a_mixture_is_found_although_playouts_are_few(weight):
    rng = np.random.default_rng(3)
    values, playouts = rng.random((2, 4000, 2))
    chance = weight * values + (1 - weight) * playouts
    results = (rng.random(chance.shape) < chance).astype(np.float64)
    first, second = rng.binomial(8, playouts, (2, *playouts.shape)) / 8
    assert best_weight(results, values, first, second) == pytest.approx(weight, abs=0.1)


def test_values_that_are_those_of_playouts_have_no_best_weight():
    same = np.full((300, 2), 0.4)
    assert best_weight(np.ones((300, 2)), same, same, same) is None
