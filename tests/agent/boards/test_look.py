"""What is found of a game's look from how it is played."""

import random

import pytest

from agent.boards.author import Author, author_of, read_author
from agent.boards.board import picture
from agent.boards.find_boards import layouts_of
from agent.boards.look import look_of
from agent.boards.pieces import pieces
from agent.gamemaster.games import bundled, bundled_game
from agent.gamemaster.scramble import Scrambler
from tests.agent.boards.drawn import looked

NAMES = "abcdefghijklmnopqrstuvwxyz"


def scrambled(rules, words):
    """The rules with these words made nonsense."""
    chance = random.Random(7)
    new = {word: "".join(chance.sample(NAMES, 5)) for word in words}
    text = rules.replace("(", " ( ").replace(")", " ) ")
    return " ".join(new.get(word, word) for line in text.splitlines() for word in line.split(";")[0].split()), new


def test_scrambled_names_still_give_owners_and_empty_cells():
    rules, new = scrambled(bundled_game("breakthrough").text, ["white", "black", "cell", "blank", "move"])
    look, _, _ = looked(rules)
    made = look.symbols
    assert (made[new["white"]].owner, made[new["black"]].owner) == (0, 1)
    assert made[new["white"]].tint != made[new["black"]].tint
    assert all(symbol.blank for name, symbol in made.items() if name not in (new["white"], new["black"]))


def test_what_both_roles_add_is_nobodys_and_what_one_adds_is_its():
    look, _, _ = looked(bundled_game("ticTacToe").text)
    assert (look.symbols["x"].owner, look.symbols["o"].owner, look.symbols["b"].blank) == (0, 1, True)


HEX = """
(role red) (role blue) (row 1) (row 2) (row 3) (row 4) (col a) (col b) (col c) (col d)
(after 1 2) (after 2 3) (after 3 4) (after a b) (after b c) (after c d)
(<= (beside ?c ?r ?c ?s) (col ?c) (after ?r ?s) (row ?r)) (<= (beside ?c ?r ?d ?r) (row ?r) (after ?c ?d) (col ?c))
(<= (beside ?c ?s ?d ?r) (after ?c ?d) (col ?c) (after ?r ?s) (row ?r))
(<= (near ?a ?b ?c ?d) (beside ?a ?b ?c ?d)) (<= (near ?a ?b ?c ?d) (beside ?c ?d ?a ?b))
(init (control red)) (<= (init (cell ?c ?r blank)) (col ?c) (row ?r))
(<= (legal ?p (put ?c ?r)) (true (control ?p)) (true (cell ?c ?r blank)))
(<= (legal red noop) (true (control blue))) (<= (legal blue noop) (true (control red)))
(<= (next (cell ?c ?r ?p)) (does ?p (put ?c ?r)))
(<= (next (cell ?c ?r ?x)) (true (cell ?c ?r ?x)) (does ?p (put ?d ?s)) (distinct ?c ?d))
(<= (next (cell ?c ?r ?x)) (true (cell ?c ?r ?x)) (does ?p (put ?d ?s)) (distinct ?r ?s))
(<= (next (control red)) (true (control blue))) (<= (next (control blue)) (true (control red)))
(<= joined (true (cell ?a ?b red)) (true (cell ?c ?d red)) (near ?a ?b ?c ?d))
(<= terminal (not open)) (<= terminal joined) (<= open (true (cell ?c ?r blank)))
(goal red 50) (goal blue 50)
"""


def test_cells_with_six_neighbours_are_hexagons_and_those_of_other_boards_squares():
    assert looked(HEX)[0].skew == 1
    assert looked(bundled_game("ticTacToe").text)[0].skew == 0


def test_an_author_says_pieces_colours_directions_and_what_is_of_no_interest():
    author = read_author(
        'board = "checkered"\nrows = "down"\nhidden = ["control"]\n[pieces]\nx = "chess.king"\n[colours]\nx = "green"'
    )
    look, first, _ = looked(bundled_game("ticTacToe").text, author)
    assert (look.symbols["x"].glyph, look.symbols["x"].tint, look.checkered) == ("chess.king", "green", True)
    drawn = picture(first, look)
    assert (drawn["grids"][0]["rows"], drawn["counters"], drawn["others"]) == (("1", "2", "3"), [], {})
    assert read_author("board = 7\nhidden = 3\n[pieces]\nx = 1") == Author()


def test_whose_turn_it_is_is_told_until_the_end():
    look, first, _ = looked(bundled_game("ticTacToe").text)
    assert len(picture(first, look)["counters"]) == 1
    assert picture(first, look, terminal=True)["counters"] == []


@pytest.mark.parametrize(
    ("facts", "name", "shown"),
    [
        (["(pit p1 s4)", "(pit p2 s0)", *(f"(pit p{n} s1)" for n in range(3, 13))], "pots", 12),
        (["(score red 10)", "(score blue 3)", "(step 7)"], "counters", 3),
    ],
)
def test_numbers_of_many_alike_names_are_pots_and_others_counters(facts, name, shown):
    drawn = picture(facts, look_of((), facts, ("red", "blue"), []))
    assert drawn["others"] == {}
    found = drawn[name][0]["names"] if name == "pots" else drawn[name]
    assert len(found) == shown


BLOBS = """
(role red) (role blue) (init (cell 1 1 r)) (init (cell 3 3 b)) (init (control red)) (index 1) (index 2) (index 3)
(<= (init (cell ?x ?y o)) (index ?x) (index ?y) (distinct ?x ?y)) (init (cell 2 2 o)) (is red r) (is blue b)
(other red blue) (other blue red) (<= (legal ?p (grow ?x ?y)) (true (control ?p)) (true (cell ?x ?y o)))
(<= (legal ?p noop) (other ?p ?q) (true (control ?q))) (<= (taken ?x ?y) (does ?p (grow ?x ?y)))
(<= (next (cell ?x ?y ?c)) (does ?p (grow ?x ?y)) (is ?p ?c))
(<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)) (not (taken ?x ?y))) (<= open (true (cell ?x ?y o)))
(<= (next (control ?p)) (other ?p ?q) (true (control ?q))) (<= terminal (not open)) (goal red 50) (goal blue 50)
"""


def test_b_is_a_piece_where_the_role_that_brings_it_begins_so():
    look, _, _ = looked(BLOBS)
    assert [look.symbols[name].blank for name in "bro"] == [False, False, True]
    assert (look.symbols["b"].tint, look.symbols["b"].glyph) == ("blue", "things.stone")


def test_names_that_end_in_numbers_are_no_counters():
    facts = ["(on b1 c1)", "(on c1 a1)", "(left 3)"]
    shown = picture(facts, look_of((), facts, ("me",), []))
    assert (shown["others"], shown["counters"]) == ({"on": [["b1", "c1"], ["c1", "a1"]]}, [["left", "3"]])


def test_a_hand_of_pieces_is_a_tray():
    facts = ["(cell 1 1 white)", "(cell 2 2 stone)", "(cell 1 2 blank)", "(cell 2 1 blank)", "(pool stone)"]
    layouts = layouts_of(facts, [])
    assert picture(facts, look_of(layouts, facts, ("white", "black"), []))["trays"][0]["pieces"] == ["stone"]


def test_the_authors_hints_of_bundled_games_are_read_and_name_only_existing_things():
    for title in bundled():
        look, _, _ = looked(bundled_game(title).text, author_of(title))
        said = author_of(title)
        assert set(said.pieces) <= {"*", *(look.symbols or {})}, title
        assert set(said.pieces.values()) <= {"seeds", *pieces()}, title
    assert author_of("../secret") == author_of("nothing of this name") == author_of("x" * 5000) == Author()
    assert author_of.cache_parameters()["maxsize"]  # visitors choose titles


def test_numbers_are_seeds_where_an_author_says_so():
    look, _, _ = looked(bundled_game("mancala").text, author_of("mancala"))
    assert {symbol.glyph for symbol in look.symbols.values()} == {"seeds"}


def test_boards_without_ordered_names_are_found_by_a_successor_relation():
    for title, side, empty in (("chess", 8, 32), ("checkers", 8, 8), ("hex", 9, 81)):
        text = bundled_game(title).text
        look, first, _ = looked(Scrambler.of(text, 5).rules(text))
        drawn = picture(first, look)["grids"][0]
        assert (len(drawn["columns"]), len(drawn["rows"])) == (side, side)
        assert bool(look.skew) == (title == "hex")
        blank = [content for row in drawn["cells"] for content in row if content and look.symbols[content].blank]
        assert len(blank) == empty
        assert {symbol.owner for symbol in look.symbols.values() if not symbol.blank} >= {0, 1}
