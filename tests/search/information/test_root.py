"""Which moves at the root are taken for equally good."""

from __future__ import annotations

import numpy as np

from search.information.root import Root


def found(*moves: tuple[int, float]) -> Root:
    """Moves by visits and mean values, whose games were all won or lost."""
    visits, means = (np.array(figures) for figures in zip(*moves, strict=True))
    return Root.of(np.array([visits, visits * means, visits * means]))


def test_moves_of_one_value_are_close_the_one_tried_most_first():
    assert found((40_000, 0.5), (50_000, 0.5), (40_000, 0.4)).close() == [1, 0]


def test_a_move_is_not_given_up_for_what_another_tells_because_little_was_searched():
    root = found((80, 0.5), (60, 0.46))
    assert root.errors().min() > 0.05  # the values are not told apart
    assert root.close() == [0]


def test_a_move_that_won_its_only_game_is_not_close_to_a_good_one():
    assert found((80, 0.7), (1, 1.0)).close() == [0]


def test_asking_for_a_move_is_worth_what_is_made_in_its_place_where_it_is_not_legal():
    root = found((80, 0.5), (80, 0.0), (80, 0.6))
    legal = np.array([[True, True, False], [False, False, True]])
    assert root.close() == [2]
    requested = root.requested(legal, np.array([0.5, 0.5]))
    assert np.allclose(requested.means(), [0.55, 0.3, 0.425])
    assert np.allclose(requested.errors(), root.errors(), atol=0.01)
    assert requested.close() == [0]
