"""Moves as rows of classes."""

from search.subgames.plan.action_combinations import FINISHED, NEVER_LEGAL, WAITING, rows_in_stages, rows_of


def test_where_a_move_acts_on_one_subgame_the_others_are_still_and_a_step_costs_one():
    rows = rows_of([((0,), (1,), (2, 3)), ((2,), (3,), (0, 1))], moves=4)
    assert rows.apart
    assert rows.still == ((2,), (2,))
    assert sorted(map(tuple, rows.classes.tolist())) == [(0, 2), (1, 2), (2, 0), (2, 1)]


def test_of_two_subgames_with_a_move_each_one_class_each_is_still():
    rows = rows_of([((0,), (1,)), ((0,), (1,))], moves=2)
    assert rows.acts == 1


def test_where_a_move_acts_on_all_subgames_a_step_may_cost_as_many():
    rows = rows_of([((0, 1), (2, 3)), ((0, 2), (1, 3))], moves=4)
    assert (len(rows.classes), rows.acts, rows.apart) == (4, 2, False)


def test_a_move_in_no_class_of_a_subgame_is_never_legal():
    rows = rows_of([((0,),), ((0, 1),)], moves=2)
    assert [row.tolist() for row in rows.classes] == [[NEVER_LEGAL, 0], [0, 0]]


def test_in_stages_the_subgames_before_are_finished_and_those_after_wait():
    rows = rows_in_stages([((0,), (1,)), ((2,),)])
    assert rows.classes.tolist() == [[0, 1 + WAITING], [1, 1 + WAITING], [2 + FINISHED, 0]]
    assert rows.staged
