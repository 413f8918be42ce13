import pytest

from agent.gamemaster.board import find_layout
from agent.gamemaster.games import bundled, find_game
from reasoner import load
from reasoner.language.parse import read_term


def facts(*texts):
    return [read_term(text) for text in texts]


BOARD = facts(*(f"(cell {x} {y} {'x' if x == y else 'b'})" for x in (1, 2, 3) for y in (1, 2)), "(control white)")


def test_cells_are_rows_from_the_top():
    layout = find_layout(BOARD)
    assert (layout.columns, layout.rows) == (("1", "2", "3"), ("2", "1"))
    assert layout.cells(BOARD) == [["b", "x", "b"], ["x", "b", "b"]]


def test_facts_outside_the_grid_are_listed():
    assert find_layout(BOARD).others(BOARD) == ["(control white)"]


def test_cells_without_a_fact_are_empty_where_the_rules_declare_them():
    layout = find_layout([], BOARD)
    assert layout.cells(facts("(cell 3 1 x)")) == [["", "", ""], ["", "", "x"]]


def test_contents_of_several_words_are_joined():
    board = facts("(piece a 1 white king)", "(piece b 2 black king)")
    layout = find_layout(board)
    assert layout.cells(board) == [["", "black-king"], ["white-king", ""]]
    assert layout.legend() == "b black-king, w white-king"


def test_symbols_are_the_shortest_beginnings_that_differ():
    layout = find_layout(facts("(at 1 1 red)", "(at 1 2 rose)", "(at 2 1 empty)", "(at 2 2 x)"))
    assert layout.symbols == {"empty": " .", "red": "re", "rose": "ro", "x": " x"}


@pytest.mark.parametrize(
    "texts",
    [
        ["(cell 1 1 red)", "(cell 1 1 blue)", "(cell 2 2 blank)"],
        ["(on apple pear 1)", "(on fig plum 2)"],
        ["(step 1)", "start"],
        [f"(far {n} {n} x)" for n in range(40)],
        [],
    ],
    ids=["two facts in one cell", "no coordinates", "no places", "too large", "nothing"],
)
def test_what_is_no_grid_has_no_layout(texts):
    assert find_layout(facts(*texts)) is None


GRIDS = {
    "ticTacToe": 9,
    "connectFour": 42,
    "breakthrough": 36,
    "eightPuzzle": 9,
    "lightCycles": 36,
    "lightsOut": 9,
    "trio": 25,
    "hodgepodge": 9,
}


@pytest.mark.parametrize("game", bundled())
def test_the_boards_of_the_bundled_games_are_found(game):
    machine = load(find_game(game).text, engine="relational")
    layout = find_layout(machine.facts(machine.initial()))
    assert (len(layout.columns) * len(layout.rows) if layout else 0) == GRIDS.get(game, 0)
