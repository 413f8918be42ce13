from agent.boards.board import picture
from agent.boards.find_boards import layouts_of
from agent.boards.look import Look, look_of
from agent.boards.terms import term_of


def drawn(facts, layouts, roles=("cross", "nought")):
    return picture(facts, look_of(layouts, facts, roles, []))


TIC = ["(cell 1 1 x)", "(cell 1 2 b)", "(cell 2 1 b)", "(cell 2 2 o)", "(control cross)", "over"]


def test_facts_with_two_coordinates_become_a_grid_and_others_are_listed_by_relation():
    shown = drawn(TIC, layouts_of(TIC, []))
    assert (shown["grids"][0]["columns"], shown["grids"][0]["rows"]) == (("1", "2"), ("2", "1"))
    assert shown["grids"][0]["cells"] == [["b", "o"], ["x", "b"]]
    assert (shown["others"], shown["counters"]) == ({"over": [[]]}, [["control", "cross"]])
    symbols = shown["grids"][0]["symbols"]
    assert (symbols["b"]["blank"], symbols["x"]["blank"], symbols["x"]["glyph"]) == (True, False, "marks.x")


def test_facts_that_are_no_grid_are_listed_and_arguments_may_be_deep():
    facts = ["(at (pos 1 2) queen)", "(score white 10)"]
    assert layouts_of(facts, []) == ()
    shown = picture(facts, Look())
    assert (shown["grids"], shown["others"]) == ([], {"at": [["(pos 1 2)", "queen"]]})
    assert shown["counters"] == [["score white", "10"]]


def test_what_rules_declare_amiss_takes_no_board_away():
    facts = [f"(cell {column} {row} b)" for column in "abc" for row in "123"]
    (layout,) = layouts_of(facts, [f"(cell {column} {row} b)" for column in "123" for row in "123"])
    assert (layout.columns, layout.rows) == (("a", "b", "c"), ("3", "2", "1"))


def test_facts_that_may_come_make_room_on_the_board():
    layouts = layouts_of(["(stone 1 1 red)", "(stone 2 2 red)"], ["(stone 3 4 blue)"])
    (layout,) = layouts
    assert (layout.columns, layout.rows) == (("1", "2", "3"), ("4", "2", "1"))
    tints = drawn(["(stone 1 1 red)"], layouts)["grids"][0]["symbols"]
    assert tints["red"]["tint"] == "red"


def test_the_largest_board_and_all_full_boards_are_drawn_and_other_facts_are_listed():
    marks = [f"(cell {x} {y} b)" for x in "12" for y in "12"]
    pawns = ["(pawn 1 1 white)", "(pawn 2 3 black)"]
    possible = [f"(pawn {x} {y} white)" for x in "12" for y in "123"]
    facts = [*marks, *pawns, "(at red 1 2)", "(at blue 2 3)"]
    layouts = layouts_of(facts, possible)
    assert [layout.title for layout in layouts] == ["pawn", "cell"]
    assert drawn(facts, layouts)["others"] == {"at": [["blue", "2", "3"], ["red", "1", "2"]]}


def test_a_relation_with_one_argument_more_is_several_boards_of_the_same_form():
    facts = [f"(cell {x} {y} {z} b)" for x in "123" for y in "12" for z in "12"]
    layouts = layouts_of(facts, [f.replace(" b)", " x)") for f in facts])
    assert [layout.title for layout in layouts] == ["cell 1", "cell 2", "cell 3"]
    assert drawn(["(cell 2 1 2 x)"], layouts)["grids"][1]["cells"] == [["x", ""], ["", ""]]
    assert layouts_of(facts[:2], []) == ()


def test_of_several_ways_to_make_boards_that_with_the_broadest_ones_is_taken():
    facts = [f"(cell {x} {y} {z} b)" for x in "12345678" for y in "1234" for z in "12"]
    layouts = layouts_of(facts, [fact.replace(" b)", " red)") for fact in facts])
    assert [(layout.title, len(layout.columns), len(layout.rows)) for layout in layouts] == [
        ("cell 1", 8, 4),
        ("cell 2", 8, 4),
    ]


def test_a_states_size_is_bounded_before_a_grid_is_looked_for():
    assert layouts_of([f"(cell {n} {n} x)" for n in range(20_000)], []) == ()


def test_text_that_is_no_fact_stays_one():
    assert str(term_of("()")) == "()"


def test_arguments_stay_text_however_deep_they_are():
    assert [str(argument) for argument in term_of("(at (pos 1 (x y)) queen)").arguments] == ["(pos 1 (x y))", "queen"]
