"""The lossless join."""

from dataclasses import replace
from itertools import product

import numpy as np

from search.factoring import join
from search.factoring.join import Choice, one_by_one, together, two_by_two
from search.factoring.supports import joined


def choice(*rows):
    return Choice(0, 0, tuple(range(len(rows))), np.array(rows, np.int32), np.ones(len(rows), np.bool_))


def test_moves_for_all_combinations_are_joint():
    every = choice(*product((1, 2), (1, 2, 3), (0, 4)))
    assert every.joint((0, 1, 2))
    assert not every.apart((0, 1, 2))
    assert together([every]) == []


def test_pairs_are_not_enough_for_three():
    even = choice(*(row for row in product((1, 2), repeat=3) if sum(row) % 2))
    assert two_by_two([even]) == []
    assert together([even]) == [(0, 1), (0, 2), (1, 2)]


def test_many_pairs_tested_at_once_come_out_as_one_by_one(monkeypatch):
    random = np.random.default_rng(1)
    for _ in range(30):
        rows = random.integers(0, random.integers(2, 5), (random.integers(2, 40), 6))
        one_by_one = groups(choice(*rows))
        with monkeypatch.context() as patch:
            patch.setattr(join, "MAX_SINGLE_PAIRS", 0)
            assert groups(choice(*rows)) == one_by_one


def groups(some):
    return joined([1 << a | 1 << b for a, b in two_by_two([some])])


def test_a_combination_that_only_what_is_dropped_allows_counts_as_missing():
    rows = choice(*product((1, 2), (1, 2)))
    assert rows.joint((0, 1))
    assert not replace(rows, sure=np.array([True, True, True, False])).joint((0, 1))


def test_a_missing_combination_binds_its_two_groups_only():
    some = choice(*(row for row in product((1, 2), repeat=3) if row[:2] != (2, 2)))
    assert together([some]) == [(0, 1)]


def test_moves_that_act_on_one_group_at_most_are_apart():
    assert together([choice((1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, 2))]) == []


def test_where_moves_are_joint_between_boards_and_apart_within_cells_of_a_board_are_merged():
    cells = [(1, 0), (0, 1)]
    marks = choice(*((*a, *b) for a, b in product(cells, cells)))
    assert together([marks]) == [(0, 1), (2, 3)]


def test_what_passes_in_pairs_and_fails_together_is_merged_by_what_moves_act_on():
    """Two rows of two pins, of which a move takes one or two neighbours."""
    pins = choice((1, 0, 0, 0), (0, 1, 0, 0), (1, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1), (0, 0, 1, 1))
    assert two_by_two([pins]) == []
    assert one_by_one([pins]) == [(0, 1), (2, 3)]


def test_each_role_and_phase_may_be_free_in_its_own_way():
    assert together([choice((1, 0), (0, 1)), choice((0, 0)), choice(*product((1, 2), (1, 2)))]) == []
