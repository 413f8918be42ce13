"""Sums over vectors of either width are those that numpy makes."""

import numpy as np
import pytest

from reasoner.kernels import kernel, vectors
from reasoner.kernels.memory import address

ROWS, INS, WIDTH = vectors.TOGETHER, 48, 96


def four(floats):
    layer = vectors._layer(ROWS, floats)

    @kernel
    def run(out, given, weights, bias):
        layer(out, given, weights, bias, WIDTH, INS)

    return run


@pytest.mark.parametrize("floats", [8, 16])
def test_a_layer_of_several_rows_is_the_same_with_vectors_of_either_width(floats):
    random = np.random.default_rng(1)
    given, weights, bias = (random.standard_normal(shape, np.float32) for shape in ((ROWS, INS), (INS, WIDTH), WIDTH))
    out = np.zeros((ROWS, WIDTH), np.float32)
    four(floats)(*map(address, (out, given, weights, bias)))
    assert np.allclose(out, np.maximum(given @ weights + bias, 0), atol=1e-4)
    assert out.any()


@pytest.mark.parametrize(("features", "floats"), [({"avx512f": True}, 16), ({"avx2": True}, 8), ({}, 8)])
def test_narrower_registers_get_narrower_vectors_where_rows_are_summed_together(monkeypatch, features, floats):
    monkeypatch.setattr(vectors.binding, "get_host_cpu_features", lambda: features)
    assert vectors._width_together() == floats
    assert vectors.TILE % (2 * floats) == 0
