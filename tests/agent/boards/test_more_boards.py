"""Games with a large board and small ones."""

import pytest

from agent.boards.board import picture
from agent.boards.find_boards import layouts_of, over_of
from agent.boards.look import look_of

LINE = "123"
SMALL = {(a, b, c, d): "b" for a in LINE for b in LINE for c in LINE for d in LINE}
MARKED = SMALL | {("2", "1", "1", "1"): "x", ("2", "1", "2", "2"): "o", ("1", "3", "3", "3"): "x"}


def told(name, cells, blank=True):
    return [f"({name} {' '.join(cell)} {content})" for cell, content in cells.items() if blank or content != "b"]


def drawn(states):
    """The picture of the last of the states."""
    positions = [((), state) for state in states]
    layouts = layouts_of(states[0], [], positions)
    look = look_of(layouts, states[0], ("x", "o"), positions, (), None, over_of(layouts, states[0], [], positions))
    return picture(states[-1], look)


@pytest.mark.parametrize("blank", [True, False])
def test_the_results_of_small_boards_are_a_board_in_their_order(blank):
    """Whether or not facts tell the empty cells."""
    results = {(a, b): "b" for a in LINE for b in LINE}
    first = told("cell", SMALL, blank) + told("won", results, blank)
    full = told("cell", dict.fromkeys(SMALL, "x"), blank)
    last = told("cell", MARKED, blank) + told("won", results | {("2", "1"): "x", ("1", "3"): "o"}, blank)
    shown = drawn([first, full, last] if blank else [full, last])
    titles = [grid["title"] for grid in shown["grids"]]
    assert (titles[:2], titles[3], titles[9:]) == (["cell 1 1", "cell 1 2"], "cell 2 1", ["won"])
    assert (shown["across"], shown["dense"], shown["others"]) == (3, True, {})
    empty = "b" if blank else ""
    assert shown["grids"][9]["cells"] == [[empty, empty, "o"], ["x", empty, empty], [empty] * 3]


def test_a_smaller_board_with_the_same_contents_is_no_part_of_the_larger_one():
    large = [f"(large {x} {y} {'xo'[(x + y) % 2]})" for x in range(1, 7) for y in range(1, 7)]
    small = ["(small 1 1 x)", "(small 2 3 o)", "(small 3 2 x)", "(small 3 3 o)", "(small 1 3 x)"]
    shown = drawn([large[:9], large[:20] + small[:3], large + small])
    assert [(grid["title"], len(grid["columns"])) for grid in shown["grids"]] == [("large", 6), ("small", 3)]
    assert shown["grids"][1]["cells"] == [["x", "o", "o"], ["", "", "x"], ["x", "", ""]]
    assert shown["grids"][0]["more"] == {}


def test_marks_of_few_cells_of_a_board_are_no_board():
    board = [f"(cell {x} {y} {'xo'[(x + y) % 2]})" for x in range(1, 7) for y in range(1, 7)]
    states = [[*board, f"(last {x} {y} x)"] for x in (1, 2, 3) for y in (1, 2, 3)]
    assert [grid["title"] for grid in drawn(states)["grids"]] == ["cell"]
