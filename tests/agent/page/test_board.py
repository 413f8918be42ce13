from agent.page.board import layout_of, picture, places, term_of

TIC = ["(cell 1 1 x)", "(cell 1 2 b)", "(cell 2 1 b)", "(cell 2 2 o)", "(control cross)", "over"]


def test_facts_with_two_coordinates_and_a_content_become_a_grid_and_the_others_are_listed_by_relation():
    shown = picture(TIC, layout_of(TIC, []))
    assert (shown["grid"]["columns"], shown["grid"]["rows"]) == (("1", "2"), ("2", "1"))
    assert shown["grid"]["cells"] == [["b", "o"], ["x", "b"]]
    assert shown["others"] == {"control": [["cross"]], "over": [[]]}
    symbols = shown["grid"]["symbols"]
    assert (symbols["b"]["blank"], symbols["x"]["blank"], symbols["b"]["tint"]) == (True, False, None)


def test_facts_that_are_no_grid_are_listed_and_arguments_may_be_deep():
    facts = ["(at (pos 1 2) queen)", "(score white 10)"]
    assert layout_of(facts, []) is None
    assert picture(facts, None) == {
        "grid": None,
        "others": {"at": [["(pos 1 2)", "queen"]], "score": [["white", "10"]]},
    }


def test_facts_that_may_come_make_room_on_the_board():
    layout = layout_of(["(stone 1 1 red)", "(stone 2 2 red)"], ["(stone 3 4 blue)"])
    assert (layout.columns, layout.rows) == (("1", "2", "3"), ("4", "2", "1"))
    tints = picture(["(stone 1 1 red)"], layout)["grid"]["symbols"]
    assert tints["red"]["tint"] == "red"


def test_a_move_names_its_cells_or_its_column_or_nothing():
    layout = layout_of(TIC, [])
    shown = places(["(mark 1 2)", "(move 1 1 2 2)", "(drop 2)", "noop", "(say hello 7)"], layout)
    assert [entry["cells"] for entry in shown] == [[[0, 0]], [[0, 1], [1, 0]], [], [], []]
    assert [entry["column"] for entry in shown] == [None, None, 1, None, None]
    assert places(["(mark 1 2)"], None) == [{"move": "(mark 1 2)", "cells": [], "column": None}]


def test_a_states_size_is_bounded_before_a_grid_is_looked_for():
    assert layout_of([f"(cell {n} {n} x)" for n in range(20_000)], []) is None


def test_text_that_is_no_fact_stays_one():
    assert str(term_of("()")) == "()"
