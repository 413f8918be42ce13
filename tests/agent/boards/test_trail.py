"""The cells of the last moves."""

from agent.boards.find_boards import layouts_of
from agent.boards.look import look_of
from agent.boards.trail import cells_of, trail

FACTS = [f"(cell {x} {y} {'white' if y == '1' else 'blank'})" for x in "123" for y in "123"]
LOOK = look_of(layouts_of(FACTS, []), FACTS, ("white", "black"), [])


def test_the_own_move_is_reported_with_an_answer_that_came_at_once():
    positions = [([], FACTS), (["(move 1 1 1 2)", "noop"], FACTS), (["noop", "(move 3 3 3 2)"], FACTS)]
    assert trail(positions, LOOK) == [
        {"role": 0, "cells": [[0, 0, 2], [0, 0, 1]], "last": False},
        {"role": 1, "cells": [[0, 2, 0], [0, 2, 1]], "last": True},
    ]


def test_only_the_last_move_of_a_role_is_told_and_none_of_the_beginning():
    positions = [([], FACTS), (["(put 1 2)", "noop"], FACTS), (["(put 2 2)", "noop"], FACTS)]
    assert [one["cells"] for one in trail(positions, LOOK)] == [[[0, 1, 1]]]
    assert trail([([], FACTS)], LOOK) == []


def test_facts_that_decided_are_marked_where_something_stands():
    decided = ["(cell 1 1 white)", "(cell 2 2 blank)", "(control white)", "(cell 9 9 white)"]
    assert cells_of(decided, LOOK) == [(0, 0, 2)]


def test_moves_that_name_no_cells_leave_no_trail():
    assert trail([([], FACTS), (["(drop 2)", "(say hello)"], FACTS)], LOOK) == []
