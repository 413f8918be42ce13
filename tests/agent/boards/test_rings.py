"""Boards of nested rings: they are drawn as rings without crossings, in the orientation that their names say."""

from itertools import pairwise

import pytest

from agent.boards.board import picture
from agent.boards.find_boards import layouts_of
from agent.boards.move_cells import places
from agent.boards.rings import ringed
from agent.boards.time_limit import TimeLimitError, within
from tests.agent.boards.drawn import calls_of, looked

ROUND = ("nw", "n", "ne", "e", "se", "s", "sw", "w")
RINGS = ("inner", "middle", "outer")
MORRIS = sorted(f"{ring} {way}" for ring in RINGS for way in ROUND)
NUMBERS = """
(role white) (role black) (other white black) (other black white) (init (control white))
(edge 1 2) (edge 2 3) (edge 3 4) (edge 4 5) (edge 5 6) (edge 6 7) (edge 7 8) (edge 8 1)
(edge 9 10) (edge 10 11) (edge 11 12) (edge 12 13) (edge 13 14) (edge 14 15) (edge 15 16) (edge 16 9)
(edge 2 10) (edge 4 12) (edge 6 14) (edge 8 16)
(<= (near ?x ?y) (edge ?x ?y)) (<= (near ?x ?y) (edge ?y ?x)) (<= (init (at ?x free)) (near ?x ?y))
(<= (legal ?p (put ?x)) (true (control ?p)) (true (at ?x free))) (<= (legal ?p noop) (other ?p ?q) (true (control ?q)))
(<= (put ?x) (does ?p (put ?x))) (<= (next (at ?x ?p)) (does ?p (put ?x)))
(<= (next (at ?x ?c)) (true (at ?x ?c)) (not (put ?x))) (<= (next (control ?q)) (true (control ?p)) (other ?p ?q))
(<= terminal (true (at 1 black))) (goal white 50) (goal black 50)
"""


def morris_ways():
    cells = [[f"{ring} {way}" for way in ROUND] for ring in RINGS]
    yield from (pair for ring in cells for pair in pairwise([*ring, ring[0]]))
    yield from ((one[at], other[at]) for one, other in pairwise(cells) for at in (1, 3, 5, 7))


def numbered_ways():
    index = {name: number for number, name in enumerate(MORRIS)}
    return tuple((index[one], index[other]) for one, other in morris_ways())


def test_three_squares_lie_in_each_other_and_words_say_which_way():
    at = dict(zip(MORRIS, ringed(tuple(MORRIS), numbered_ways()), strict=True))
    assert [at["outer nw"], at["middle nw"], at["inner nw"]] == [(0, 0), (1, 1), (2, 2)]
    assert [at["outer n"], at["outer e"], at["inner s"]] == [(3, 0), (6, 3), (3, 4)]
    assert all(at[one][0] == at[other][0] or at[one][1] == at[other][1] for one, other in morris_ways())


def test_a_cube_is_two_squares_and_a_graph_that_is_no_rings_is_none():
    ways = ((0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7))
    spots = ringed(tuple("abcdefgh"), ways)
    assert len(set(spots)) == 8
    assert spots[0] == (0, 0)  # the first cell is outside at the top left
    assert ringed(tuple("abcdefgh"), (*ways, (0, 6))) is None
    assert ringed(tuple("abc"), ((0, 1), (1, 2), (2, 0))) is None


def test_points_named_by_numbers_are_found_in_rules_and_moves_name_them():
    look, first, _ = looked(NUMBERS)
    (grid,) = picture(first, look)["grids"]
    at = dict(zip(grid["columns"], grid["spots"], strict=True))
    assert [at[name] for name in ("1", "2", "9", "6")] == [(0, 0), (2, 0), (1, 1), (2, 4)]
    (move,) = places(["(put 10)"], first, look.layouts)
    assert [grid["columns"][x] for _, x, _ in move["cells"]] == ["10"]


def test_two_words_may_name_a_point():
    facts = [f"(pit {name} empty)" for name in MORRIS]
    net = [pair for one, other in morris_ways() for pair in ((one, other), (other, one))]
    (layout,) = layouts_of(facts, [], (), (), [net])
    assert set(layout.columns) == set(MORRIS)
    (move,) = places(["(move inner n inner ne)"], facts, (layout,))
    assert [layout.columns[x] for _, x, _ in move["cells"]] == ["inner n", "inner ne"]


def test_the_search_for_rings_is_limited_where_cells_have_thousands_of_divisions_into_cycles():
    """The cells of a stranger's rules: one step along a ring, or nine, leads to the neighbours."""
    cells = range(48)
    ways = {(min(pair), max(pair)) for cell in cells for pair in ((cell, (cell + 1) % 48), (cell, (cell + 9) % 48))}
    assert calls_of(lambda: ringed(tuple(map(str, cells)), tuple(sorted(ways)))) < 3_000_000
    with within(-1.0), pytest.raises(TimeLimitError):
        ringed(tuple(f"{name}!" for name in MORRIS), numbered_ways())
