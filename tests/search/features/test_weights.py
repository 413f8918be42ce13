"""Weights of generated features: a feature that decides games is found, and shown first."""

from __future__ import annotations

from math import inf
from time import monotonic

import numpy as np

from search.features.generate import sampled
from search.features.transformations import Candidate
from search.features.weights import show, weigh
from search.minimax.learner import Drawn
from tests.machines import built
from tests.search.features.test_generate import SMALL_OTHELLO

MOVES = Candidate("(playable ink ?s)", ("?s",))
OTHERS = [Candidate("(true (disc ?s ink))", ("?s",)), Candidate("(true (turn ink))", ())]


def test_a_feature_that_decides_games_has_the_largest_weight_and_helps_patterns() -> None:
    machine = built(SMALL_OTHELLO)
    states = list(dict.fromkeys(s for seed in range(12) for s in sampled(machine, seed, inf, monotonic)))
    size = machine.circuit.searched
    bits = np.unpackbits(np.array([np.frombuffer(s, np.uint8) for s in states if isinstance(s, bytes)]), axis=1)[
        :, :size
    ]
    results = (machine.counts(states, [MOVES])[:, 0] > 2).astype(np.float32)
    drawn = Drawn(bits, results, results, np.arange(len(states)))
    found = weigh(machine, drawn, [*OTHERS, MOVES])
    assert found.games == len(states)
    assert found.together > found.alone + 2 * found.error
    assert np.abs(found.weights).argmax() == len(OTHERS)
    data, text = show([*OTHERS, MOVES], found)
    assert "(playable ink ?s)" in text.splitlines()[3]
    assert data["error"] == round(found.error, 4)
