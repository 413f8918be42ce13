"""What is told of a board's cells by other facts than its own: things, walls, lines."""

from agent.boards.board import picture
from agent.boards.find_boards import layouts_of, over_of
from agent.boards.look import look_of
from agent.boards.move_cells import places


def drawn(facts, positions=(), roles=("red", "blue")):
    layouts = layouts_of(facts, [], positions)
    look = look_of(layouts, facts, roles, positions, over=over_of(layouts, facts, [], positions))
    return picture(facts, look)


SQUARE = [f"(cell {x} {y} b)" for x in "1234" for y in "1234"]


def test_things_that_other_facts_put_into_a_cell_are_drawn_there_with_what_stands_there():
    painted = [fact.replace("2 2 b", "2 2 red") for fact in SQUARE]
    shown = drawn([*painted, "(at hero 2 2)", "(at ghost 4 1)", "(cellOffLimits 1 4)", "(score red 3)"])
    (grid,) = shown["grids"]
    assert grid["more"] == {"1 2": ["red", "hero"]}
    assert (grid["cells"][3][3], grid["cells"][0][0]) == ("ghost", "cellOffLimits")
    assert grid["symbols"]["cellOffLimits"]["glyph"] == "things.hole"
    assert (shown["others"], shown["counters"]) == ({}, [["score red", "3"]])


def test_a_fact_about_every_stone_is_no_thing_of_its_own():
    stones = [fact.replace(" b)", " red)") for fact in SQUARE[:6]] + SQUARE[6:]
    groups = [f"(group {fact.split()[1]} {fact.split()[2]} g1)" for fact in SQUARE[:6]]
    shown = drawn([*stones, *groups, "(last 2 2)"])
    assert shown["grids"][0]["more"] == {}
    assert len(shown["others"]["group"]) == 6
    assert over_of(layouts_of(SQUARE, []), [*SQUARE, "(at hero 2 2)"], [], hidden=["at"]).overlays == ()


def test_several_things_in_every_cell_make_a_board_as_large_as_the_known_facts():
    facts = [f"(location pellet {x} {y})" for x in "123" for y in "123"]
    facts += ["(location hero 2 2)", "(blockedEast 1 1)", "(blockedEast 4 2)", "(wall 2 3 north)", "(blockedEast 1 2)"]
    (grid,) = drawn([*facts, "(wall 3 3 north)", "(wall 3 4 east)"])["grids"]
    assert (grid["columns"], grid["rows"]) == (("1", "2", "3", "4"), ("4", "3", "2", "1"))
    assert grid["more"] == {"1 2": ["hero", "pellet"]}
    assert grid["edges"]["0 3"] == ["right"]
    assert grid["edges"]["1 1"] == ["top"]
    assert set(grid["symbols"]) == {"hero", "pellet"}


def test_facts_that_join_two_neighbours_are_lines_between_points_and_boxes_lie_between_them():
    joined = [f"(line {x} {y} {x + 1} {y})" for x in (1, 2) for y in (1, 2, 3)]
    joined += [f"(line {x} {y} {x} {y + 1})" for x in (1, 2, 3) for y in (1, 2)]
    shown = drawn([*joined[1:], "(box 1 1 x)", "(box 2 1 o)", "(count x 1)"])
    (grid,) = shown["grids"]
    assert grid["points"]
    assert (len(grid["columns"]), len(grid["lines"]), shown["others"]) == (3, 11, {})
    assert grid["between"] == {"0 2": "x", "1 2": "o"}
    layouts = layouts_of(joined, [])
    (move,) = places(["(draw 1 1 2 1)"], [], layouts)
    assert move["cells"] == [[0, 0, 2], [0, 1, 2]]


def test_walls_between_two_cells_are_distinguished_from_lines():
    walls = [f"(wall {x} 1 {x} 2)" for x in (1, 2, 3)] + ["(wall 3 2 4 2)"]
    assert drawn([*SQUARE, *walls])["grids"][0]["walled"]


def test_comparisons_with_the_cell_beside_are_signs_on_edges_and_no_things():
    signs = ["(cell_gt_right 1 1)", "(cell_less_below 2 1)", "(moreUp 3 3)"]
    shown = drawn([*SQUARE, *signs])
    (grid,) = shown["grids"]
    assert grid["signs"] == {"0 3": [("right", "greater")], "1 3": [("bottom", "less")], "2 1": [("top", "greater")]}
    assert (set(grid["symbols"]), shown["others"]) == ({"b"}, {})


def test_rows_that_are_named_before_columns_go_down():
    (layout,) = layouts_of(SQUARE[:4] + SQUARE[4:12], [], upright=["cell"])
    assert (layout.columns, layout.rows) == (("1", "2", "3", "4"), ("1", "2", "3"))
    (move,) = places(["(mark 3 1)"], SQUARE, [layout])
    assert move["cells"] == [[0, 0, 2]]


def test_a_board_of_four_cells_is_one_where_all_of_them_are_always_named():
    cells = [f"(lamp {x} {y} 0)" for x in "12" for y in "12"]
    assert drawn([*cells, "(lamp 1 1 4)"])["grids"][0]["more"] == {"0 1": ["0", "4"]}
    assert drawn([*cells[1:], "(lamp 1 2 4)"])["grids"] == []
