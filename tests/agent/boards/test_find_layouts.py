import pytest

from agent.boards.find_layouts import find_layout, find_layouts
from agent.gamemaster.games import bundled, find_game
from reasoner import load
from reasoner.language.parse import read_term
from tests.agent.boards.drawn import calls_of


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
    "amazons": 100,
    "checkers": 64,
    "chess": 64,
    "fiveInARow": 169,
    "hex": 81,
    "mancala": 12,
    "reversi": 64,
}


@pytest.mark.parametrize("game", bundled())
def test_the_boards_of_the_bundled_games_are_found(game):
    machine = load(find_game(game).text, engine="relational")
    layout = find_layout(machine.facts(machine.initial()))
    assert (len(layout.columns) * len(layout.rows) if layout else 0) == GRIDS.get(game, 0)


def test_letters_go_across_and_rows_that_are_called_so_from_the_top():
    layout = find_layout(facts(*(f"(cell {y} {x} b)" for x in "abc" for y in (1, 2))))
    assert (layout.columns, layout.rows) == (("a", "b", "c"), ("2", "1"))
    layout = find_layout(facts(*(f"(cell r{y} c{x} b)" for x in range(1, 12) for y in (1, 2))))
    assert (layout.columns[-1], layout.rows) == ("c11", ("r1", "r2"))


def test_one_word_may_name_a_cell_and_one_relation_its_only_content():
    layout = find_layout(facts(*(f"(cell {x}{y} {'red' if x == 'a' else 'blank'})" for x in "abc" for y in "123")))
    assert layout.cells(facts("(cell b3 red)"))[0] == ["", "red", ""]
    assert layout.spelling("b", "3") == ("b3",)
    bites = find_layout(facts(*(f"(left {x} {y})" for x in "1234" for y in "123")))
    assert bites.cells(facts("(left 2 3)"))[0] == ["", "left", "", ""]


def test_numbers_for_each_name_are_no_board():
    assert find_layout(facts(*(f"(heap {n} {n + 2})" for n in range(1, 6)))) is None


@pytest.mark.parametrize("numbers", [("1", "²"), ("1" * 4301, "2" * 4301), ("0", "00")])
def test_boards_have_any_names_even_numbers_that_python_does_not_read(numbers):
    every = facts(*(f"(cell {board} {x} {y} blank)" for board in numbers for x in "123" for y in "123"))
    assert [layout.title for layout in find_layouts(every)] == [f"cell {board}" for board in numbers]


def test_two_arguments_more_are_boards_of_boards():
    every = facts(*(f"(cell {a} {b} {x} {y} blank)" for a in "123" for b in "123" for x in "123" for y in "123"))
    layouts = find_layouts(every)
    assert (len(layouts), layouts[3].title, layouts[0].size) == (9, "cell 2 1", 9)


def test_other_states_tell_boards_that_the_first_is_too_empty_for():
    games = [facts("(at 1 1 1 red)", "(at 1 2 3 blue)", "(at 2 1 1 red)")]
    games.append(facts(*(f"(at {q} {x} {y} red)" for q in "12" for x in "123" for y in "123")))
    assert [layout.title for layout in find_layouts([], [], games)] == ["at 1", "at 2"]


def test_the_work_for_symbols_grows_with_the_number_of_contents():
    """Pairs of contents are not compared: a stranger's board may have thousands of them."""
    few, many = (facts(*(f"(cell {n % 30} {n // 30} thing{n * 7919})" for n in range(count))) for count in (150, 900))
    assert calls_of(lambda: find_layouts(many)) < 12 * calls_of(lambda: find_layouts(few))


def test_a_board_without_contents_but_empty_cells_has_their_symbol_only():
    assert find_layout(facts(*(f"(cell {x} {y} b)" for x in (1, 2) for y in (1, 2)))).symbols == {"b": "."}
