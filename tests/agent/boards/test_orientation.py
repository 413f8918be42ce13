"""Forward is up, walls are blocks, and a number in a move is a column only where games show it."""

from agent.boards.board import picture
from agent.boards.move_cells import places
from agent.boards.pieces import BLOCK, symbols
from agent.gamemaster.games import bundled_game
from tests.agent.boards.drawn import looked

ARMY = "(role first) (role second) (init (control first)) (file 1) (file 2) (file 3)"
STEPS = """
(up a b) (up b c) (up c d) (other first second) (other second first)
(<= (init (cell ?x {own} first)) (file ?x)) (<= (init (cell ?x {others} second)) (file ?x))
(<= (taken ?x ?y) (true (cell ?x ?y ?p)))
(<= (legal ?p (go ?x ?y ?x ?z)) (true (control ?p)) (true (cell ?x ?y ?p)) (beside ?y ?z) (not (taken ?x ?z)))
(<= (beside ?y ?z) (up ?y ?z)) (<= (beside ?y ?z) (up ?z ?y)) (<= (legal ?p noop) (other ?p ?q) (true (control ?q)))
(<= (left ?x ?y) (does ?p (go ?x ?y ?u ?z))) (<= (next (cell ?u ?z ?p)) (does ?p (go ?x ?y ?u ?z)))
(<= (next (cell ?x ?y ?p)) (true (cell ?x ?y ?p)) (not (left ?x ?y)))
(<= (next (control ?q)) (true (control ?p)) (other ?p ?q)) (<= terminal (not go)) (<= go (file 1))
(goal first 50) (goal second 50)
"""


def test_the_pieces_of_the_first_role_start_at_the_bottom():
    for own, others in (("a", "d"), ("d", "a")):
        look, first, _ = looked(ARMY + STEPS.format(own=own, others=others))
        (grid,) = picture(first, look)["grids"]
        assert grid["rows"] == (("d", "c", "b", "a") if own == "a" else ("a", "b", "c", "d"))
        assert (set(grid["cells"][0]), set(grid["cells"][-1])) == ({"second"}, {"first"})
        (move,) = places([f"(go 1 {own} 1 b)"], first, look.layouts)
        assert move["cells"][0][2] == 3


TRON = """
(role me) (init (at 1 1)) (index 1) (index 2) (index 3) (index 4) (after 1 2) (after 2 3) (after 3 4)
(<= (init (cell ?x 4 v)) (index ?x)) (init (cell 4 1 v)) (init (cell 4 2 v)) (init (cell 4 3 v))
(<= (legal me east) (true (at ?x ?y)) (after ?x ?z)) (<= (legal me north) (true (at ?x ?y)) (after ?y ?z))
(<= (next (at ?z ?y)) (does me east) (true (at ?x ?y)) (after ?x ?z))
(<= (next (at ?x ?z)) (does me north) (true (at ?x ?y)) (after ?y ?z))
(<= (next (cell ?x ?y v)) (true (cell ?x ?y v))) (<= (next (cell ?x ?y v)) (true (at ?x ?y)))
(<= terminal (true (at ?x ?y)) (true (cell ?x ?y v))) (goal me 50)
"""


def test_what_stays_in_its_cells_and_has_no_name_is_a_block():
    look, _, _ = looked(TRON)
    assert (look.symbols["v"].glyph, look.symbols["v"].said) == (BLOCK, False)


SHAPES = """
(role me) (role you) (other me you) (other you me) (index 1) (index 2) (index 3) (index 4) (init (control me))
(init (cell 1 1 me)) (init (cell 4 4 you)) (<= (full ?x ?y) (true (cell ?x ?y ?p)))
(<= (legal ?p (place ?n ?x ?y)) (true (control ?p)) (index ?n) (index ?x) (index ?y) (not (full ?x ?y)))
(<= (legal ?p noop) (other ?p ?q) (true (control ?q)))
(<= (next (cell ?x ?y ?p)) (does ?p (place ?n ?x ?y))) (<= (next (cell ?x ?y ?p)) (true (cell ?x ?y ?p)))
(<= (next (control ?q)) (true (control ?p)) (other ?p ?q)) (<= terminal (true (cell 2 2 me))) (goal me 50) (goal you 50)
"""


def test_a_number_before_the_cell_is_no_column():
    look, first, _ = looked(SHAPES)
    assert look.starts == {"place": 1}
    (move,) = places(["(place 4 1 2)"], first, look.layouts, look.starts)
    assert move["cells"] == [[0, 0, look.layouts[0].rows.index("2")]]


def test_numbers_in_a_state_are_drawn_as_numbers_dark_unless_the_game_starts_so():
    made = symbols(["5-e", "5-b", "3-e"], set(), ("me",), {}, first=["5-e", "3-e"])
    found = [(made[name].label, made[name].glyph) for name in ("5-e", "5-b", "3-e")]
    assert found == [("5", None), ("5", BLOCK), ("3", None)]


def test_a_pawn_alone_is_a_chessman_and_states_are_no_names():
    made = symbols(["wpawn", "bpawn"], set(), ("white", "black"), {})
    assert [(made[name].glyph, made[name].tint) for name in ("wpawn", "bpawn")] == [
        ("chess.pawn", "white"),
        ("chess.pawn", "black"),
    ]
    names = [f"{role}-{piece}" for role in ("black", "white") for piece in SHOGI]
    made = symbols(names, set(), ("black", "white"), {}, first=names[:1])
    assert made["black-lance-unpromoted"].glyph == "shogi.lance"
    assert made["white-silver-promoted"].glyph == "shogi.promotedsilver"
    assert made["white-rook-promoted"].glyph == "shogi.dragon"


SHOGI = ("lance-unpromoted", "gold-unpromotable", "silver-promoted", "rook-promoted", "king-unpromotable")


def test_a_piece_that_stays_where_it_shoots_from_is_named_first():
    look, _, seen = looked(bundled_game("amazons").text)
    assert any("(shoot " in move for joint, _ in seen.positions for move in joint)
    assert look.starts == {}
