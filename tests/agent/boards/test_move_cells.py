from agent.boards.find_boards import layouts_of
from agent.boards.move_cells import MAX_MOVES, places

TIC = ["(cell 1 1 x)", "(cell 1 2 b)", "(cell 2 1 b)", "(cell 2 2 o)", "(control cross)", "over"]


def placed(moves, facts, possible=()):
    return places(moves, facts, layouts_of(facts, possible))


def cells(moves, facts):
    return [entry["cells"] for entry in placed(moves, facts)]


def test_a_move_names_its_cells_or_its_column_or_nothing():
    shown = placed(["(mark 1 2)", "(move 1 1 2 2)", "(drop 2)", "noop", "(say hello 7)"], TIC)
    assert [entry["cells"] for entry in shown] == [[[0, 0, 0]], [[0, 0, 1], [0, 1, 0]], [], [], []]
    assert [entry["column"] for entry in shown] == [None, None, 1, None, None]
    assert places(["(mark 1 2)"], [], ()) == [{"move": "(mark 1 2)", "cells": [], "column": None}]


def test_a_column_that_two_moves_name_is_not_one_to_click():
    """The click would make one of them, which the visitor did not choose."""
    shown = placed(["(drop 1)", "(drop 2)", "(pop 2)"], TIC)
    assert [entry["column"] for entry in shown] == [0, None, None]


def test_of_too_many_moves_none_names_a_cell():
    """Looking for the cells of tens of thousands would keep others waiting, and nobody could click them."""
    moves = [f"(mark 1 {n})" for n in range(MAX_MOVES)]
    assert placed(moves, TIC)[2]["cells"] == [[0, 0, 0]]
    assert [entry["cells"] for entry in placed([*moves, "(mark 1 2)"], TIC)] == [[]] * (MAX_MOVES + 1)


def test_a_move_that_names_a_content_names_the_only_cell_where_it_stands_and_no_column():
    tiles = ["(cell 1 1 1)", "(cell 1 2 2)", "(cell 2 1 3)", "(cell 2 2 gap)"]
    assert placed(["(slide 2)", "(slide 3)"], tiles) == [
        {"move": "(slide 2)", "cells": [[0, 0, 0]], "column": None},
        {"move": "(slide 3)", "cells": [[0, 1, 1]], "column": None},
    ]
    assert cells(["(take b)"], TIC) == [[]]


def test_a_move_names_the_board_that_its_cell_is_on():
    boards = [f"(cell {board} {x} {y} b)" for board in ("left", "right") for x in "12" for y in "12"]
    assert cells(["(mark right 1 2)", "(mark left 2 1)", "(mark 1 2)"], boards) == [[[1, 0, 0]], [[0, 1, 1]], []]


def test_where_two_boards_share_coordinates_a_move_is_on_the_one_whose_cells_are_of_one_kind_for_all_moves():
    marks = [f"(cell {x} {y} b)" for x in "12" for y in "123"]
    pawns = ["(pawn 1 1 white)", "(pawn 2 1 white)", "(pawn 1 4 black)", "(pawn 2 4 black)"]
    moves = [f"(play {x} {y} {file} 1 {file} 2)" for x in "12" for y in "123" for file in "12"]
    shown = placed(moves, marks + pawns, [f"(pawn {x} {y} white)" for x in "12" for y in "1234"])
    assert shown[0]["cells"] == [[1, 0, 2], [0, 0, 3], [0, 0, 2]]
    assert {tuple(cell[0] for cell in entry["cells"]) for entry in shown} == {(1, 0, 0)}
