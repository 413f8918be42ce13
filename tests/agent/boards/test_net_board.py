"""Boards without lines: which facts make them, and where their cells are put."""

from math import dist

import pytest

from agent.boards.board import picture
from agent.boards.find_boards import layouts_of
from agent.boards.look import look_of
from agent.boards.move_cells import places
from agent.boards.trail import cells_of
from agent.worker.probe import sample
from reasoner import load
from tests.agent.boards.drawn import looked

ROWS = {"a": 3, "b": 4, "c": 5, "d": 4, "e": 3}
HEXAGON = [f"{row}{column}" for row, many in ROWS.items() for column in range(1, many + 1)]


def hexagon_ways():
    """Neighbours of a hexagon of 19 cells whose rows all count from 1."""
    rows = list(ROWS)
    for number, row in enumerate(rows):
        many = ROWS[row]
        yield from ((f"{row}{column}", f"{row}{column + 1}") for column in range(1, many))
        if number + 1 < len(rows):
            below = rows[number + 1]
            first = 0 if ROWS[below] > many else -1
            for column in range(1, many + 1):
                beside = (column + first, column + first + 1)
                yield from ((f"{row}{column}", f"{below}{one}") for one in beside if 1 <= one <= ROWS[below])


def board(cells, ways, content="blank"):
    facts = [f"(cell {cell} {content})" for cell in cells]
    (layout,) = layouts_of(facts, [], (), (), [list(ways)])
    return layout, facts


def test_rows_of_a_hexagon_lie_between_each_other():
    layout, _ = board(HEXAGON, hexagon_ways())
    assert set(layout.columns) == set(HEXAGON)
    spots = dict(zip(layout.columns, layout.spots, strict=True))
    assert all(dist(spots[one], spots[other]) == pytest.approx(1, abs=0.01) for one, other in hexagon_ways())
    assert spots["a1"][1] < spots["b1"][1] < spots["c1"][1]  # letters go down, numbers across
    assert spots["a1"][0] < spots["a2"][0] < spots["a3"][0]


def test_a_ring_is_round_and_what_nothing_joins_lies_beside_it():
    ring = [(str(one), str(one % 12 + 1)) for one in range(1, 13)]
    layout, _ = board([str(one) for one in range(1, 13)], ring)
    middle = [sum(spot[half] for spot in layout.spots) / 12 for half in (0, 1)]
    assert len({round(dist(spot, middle), 1) for spot in layout.spots}) == 1
    other = [(f"x{one}", f"x{one % 12 + 1}") for one in range(1, 13)]
    layout, _ = board([word for way in [*ring, *other] for word in way], [*ring, *other])
    right = [spot[0] for spot, name in zip(layout.spots, layout.columns, strict=True) if name.startswith("x")]
    left = [spot[0] for spot, name in zip(layout.spots, layout.columns, strict=True) if not name.startswith("x")]
    assert max(left) < min(right) or max(right) < min(left)


def test_a_ring_that_is_long_lies_level_and_numbers_with_a_word_in_it_are_pots():
    names = ["east", *(f"p{one}" for one in range(1, 7)), "west", *(f"p{one}" for one in range(7, 13))]
    ring = list(zip(names, names[1:] + names[:1], strict=True))
    ways = [*ring, *((f"p{one}", f"p{13 - one}") for one in range(1, 7))]
    layout, facts = board(names, ways, "s4")
    wide, high = (max(spot[half] for spot in layout.spots) for half in (0, 1))
    assert wide > 3 * high
    assert look_of((layout,), facts, ("a", "b"), []).symbols["s4"].glyph == "seeds"


def test_cells_in_lines_stay_a_grid_and_words_in_a_row_are_no_board():
    cells = [f"{column}{row}" for column in "abcd" for row in "1234"]
    ways = [(f"{c}{r}", f"{c}{int(r) + 1}") for c in "abcd" for r in "123"]
    ways += [(f"{c}{r}", f"{d}{r}") for c, d in ("ab", "bc", "cd") for r in "1234"]
    assert board(cells, ways)[0].spots == ()
    assert layouts_of(["(step one)"], [], (), (), [[("one", "two"), ("two", "three"), ("three", "four")]]) == ()
    numbers = [(str(one), str(one + 1)) for one in range(9)] + [("0", "2"), ("1", "3"), ("2", "4")]
    assert layouts_of([f"(at {one} x)" for one in range(10)], [], (), (), [numbers]) == ()


ROOMS = """
(role me) (way hall den) (way den attic) (way attic hall) (way hall porch) (way porch yard) (way yard hall)
(init (at hall me)) (init (at yard dog))
(<= (beside ?x ?y) (way ?x ?y)) (<= (beside ?x ?y) (way ?y ?x))
(<= (legal me (go ?x ?y)) (true (at ?x me)) (beside ?x ?y))
(<= (next (at ?y me)) (does me (go ?x ?y))) (<= (next (at ?x dog)) (true (at ?x dog)))
(<= terminal (true (at yard me))) (goal me 100)
"""


def test_rooms_are_found_in_rules_and_moves_name_them():
    look, first, _ = looked(ROOMS)
    drawn = picture(first, look)
    (grid,) = drawn["grids"]
    assert (len(grid["spots"]), len(grid["ways"]), drawn["others"]) == (5, 6, {})
    assert [grid["columns"][x] for _, x, _ in cells_of(["(at yard dog)"], look)] == ["yard"]
    (move,) = places(["(go hall den)"], first, look.layouts)
    assert [grid["columns"][x] for _, x, _ in move["cells"]] == ["hall", "den"]


def test_each_direction_of_a_relation_is_a_net_and_sums_are_none():
    rules = "(role me) (init (at 1 x)) (legal me go) (next (at 1 x)) (<= terminal (true (at 1 x))) (goal me 0)"
    turns = " ".join(f"(turn {k} {one} {(one + k - 1) % 6 + 1})" for k in (1, 2) for one in range(1, 7))
    sums = " ".join(f"(plus {x} {y} {x + y})" for x in range(10) for y in range(10))
    lines = "(row a b c) (row d e f) (row a d g) (row b e h)"
    nets = sample(load(f"{rules} {turns} {sums} {lines}", engine="relational"), 1).nets
    assert [sorted(net) for net in nets] == [
        sorted((str(one), str((one + k - 1) % 6 + 1)) for one in range(1, 7)) for k in (1, 2)
    ]


def test_numbers_are_cells_where_each_way_leads_back_too():
    ring = [("1", "2"), ("2", "3"), ("3", "4"), ("4", "5"), ("5", "1"), ("1", "3")]
    facts = [f"(token {cell} red)" for cell in "12345"]
    assert layouts_of(facts, [], (), (), [ring]) == ()
    (layout,) = layouts_of(facts, [], (), (), [[*ring, *((other, one) for one, other in ring)]])
    assert len(layout.ways) == 6
