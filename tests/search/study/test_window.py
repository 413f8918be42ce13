"""The window keeps the last positions, as many as it says."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from search.study.window import Window
from tests.search.study.test_games import some_games


@given(st.lists(st.integers(1, 40), min_size=1, max_size=20))
def test_a_window_keeps_the_newest_parts_and_tells_which_ones_it_forgets(sizes):
    window, kept = Window(least=50, share=0.5, most=100), []
    for number, size in enumerate(sizes):
        gone = window.add(number, some_games(size))
        kept = [own for own in [*kept, number] if own not in gone]
        room = min(max(50, sum(sizes[: number + 1]) // 2), 100)
        assert kept == list(range(kept[0], number + 1))
        assert len(window) == len(window.positions()) == sum(sizes[own] for own in kept)
        assert len(window) - sizes[kept[0]] < room
        assert kept[0] == 0 or len(window) >= room


def test_values_to_learn_are_mixed_from_results_and_searches():
    window, games = Window(), some_games(30)
    window.add(0, games)
    drawn = window.drawn(np.random.default_rng(1), 200, mix=0.25)
    wanted = 0.75 * games.results + 0.25 * games.values
    assert np.allclose(drawn.results, wanted[drawn.game])
    assert len(np.unique(drawn.game)) == 30


def test_positions_are_drawn_from_joined_parts_that_are_renewed_when_many_are_new():
    window, rng = Window(), np.random.default_rng(1)
    window.add(0, some_games(640))
    for number, (added, renewed) in enumerate([(10, False), (10, False), (1, True), (20, False)], 1):
        before = window.drawn(rng, 1, mix=0) and window._together
        window.add(number, some_games(added))
        window.drawn(rng, 1, mix=0)
        assert (window._together is not before) == renewed
    assert len(window.positions()) == len(window) == 681
