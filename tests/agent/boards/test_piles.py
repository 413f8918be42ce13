"""Things on each other in the cells of a board, by facts with three coordinates."""

from agent.boards.board import picture
from agent.boards.edits import domain_of
from agent.boards.find_boards import layouts_of
from agent.boards.look import look_of
from agent.boards.svg import as_svg
from agent.worker.worker_messages import Position
from tests.agent.boards.drawn import looked

TURNS = """
(role red) (role blue) (init (control red)) (follows 1 2) (follows 2 3)
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (next (control red)) (true (control blue))) (<= (next (control blue)) (true (control red)))
(<= (goal ?p 50) (role ?p))
"""
# a pyramid in a corner: its top is 0 0 0
CORNER = (
    TURNS
    + """
(after 0 1) (after 1 2) (after 2 3)
(number 0) (number 1) (number 2) (number 3)
(spot 0 0 0) (spot 0 0 1) (spot 0 0 2) (spot 0 1 0) (spot 0 1 1) (spot 0 2 0) (spot 1 0 0) (spot 1 0 1) (spot 1 1 0)
(spot 2 0 0)
(<= (firm ?x ?y ?z) (true (cube ?x ?y ?z ?p)))
(<= (firm ?x ?y ?z) (number ?x) (number ?y) (number ?z) (not (spot ?x ?y ?z)))
(<= (legal ?p (put ?x ?y ?z)) (true (control ?p)) (spot ?x ?y ?z) (not (firm ?x ?y ?z))
    (after ?x ?u) (after ?y ?v) (after ?z ?w) (firm ?u ?y ?z) (firm ?x ?v ?z) (firm ?x ?y ?w))
(<= (next (cube ?x ?y ?z ?p)) (does ?p (put ?x ?y ?z))) (<= (next (cube ?x ?y ?z ?p)) (true (cube ?x ?y ?z ?p)))
(<= terminal (true (cube 0 0 0 ?p)))
"""
)
# the height comes first, and facts tell the empty places
EMPTY = (
    TURNS
    + """
(under h1 h2) (under h2 h3)
(spot h1 1 1) (spot h1 1 2) (spot h1 1 3) (spot h1 2 1) (spot h1 2 2) (spot h1 2 3) (spot h1 3 1) (spot h1 3 2)
(spot h1 3 3) (spot h2 1 1) (spot h2 1 2) (spot h2 2 1) (spot h2 2 2) (spot h3 1 1)
(<= (init (block ?h ?x ?y empty)) (spot ?h ?x ?y))
(<= (full ?h ?x ?y) (true (block ?h ?x ?y ?p)) (distinct ?p empty))
(<= (ready h1 ?x ?y) (spot h1 ?x ?y))
(<= (ready ?h ?x ?y) (spot ?h ?x ?y) (under ?g ?h) (follows ?x ?u) (follows ?y ?v)
    (full ?g ?x ?y) (full ?g ?u ?y) (full ?g ?x ?v) (full ?g ?u ?v))
(<= (legal ?p (put ?h ?x ?y)) (true (control ?p)) (ready ?h ?x ?y) (true (block ?h ?x ?y empty)))
(<= (put ?h ?x ?y) (does ?p (put ?h ?x ?y)))
(<= (next (block ?h ?x ?y ?p)) (does ?p (put ?h ?x ?y)))
(<= (next (block ?h ?x ?y ?p)) (true (block ?h ?x ?y ?p)) (not (put ?h ?x ?y)))
(<= terminal (full h3 1 1))
"""
)
# the owner comes first, columns are letters, and a move names no height
DROPPED = (
    TURNS
    + """
(letter a) (letter b) (letter c) (number 1) (number 2) (number 3)
(<= (full ?x ?y ?z) (true (piece ?p ?x ?y ?z)))
(<= (open ?x ?y 1) (letter ?x) (number ?y) (not (full ?x ?y 1)))
(<= (open ?x ?y ?z) (full ?x ?y ?w) (follows ?w ?z) (not (full ?x ?y ?z)))
(<= (legal ?p (drop ?x ?y)) (true (control ?p)) (open ?x ?y ?z))
(<= (next (piece ?p ?x ?y ?z)) (does ?p (drop ?x ?y)) (open ?x ?y ?z))
(<= (next (piece ?p ?x ?y ?z)) (true (piece ?p ?x ?y ?z)))
(<= some (open ?x ?y ?z)) (<= terminal (not some))
"""
)


def shown(rules, *facts):
    look = looked(rules)[0]
    (grid,) = picture(facts, look)["grids"]
    return grid


def test_a_pyramid_shows_the_top_of_each_pile_and_the_number_of_its_things():
    grid = shown(CORNER, "(cube 0 0 2 red)", "(cube 0 0 1 blue)", "(cube 0 0 0 red)", "(cube 1 0 1 blue)")
    assert grid["cells"] == [["", "", ""], ["", "", ""], ["red", "blue", ""]]
    assert (grid["piles"], grid["more"]) == ({"0 2": ["red", "blue", "red"]}, {})


def test_the_height_may_be_any_argument_and_empty_places_are_no_things():
    facts = ("(block h1 2 1 red)", "(block h2 2 1 blue)", "(block h3 1 1 empty)", "(block h1 1 1 empty)")
    grid = shown(EMPTY, *facts)
    assert grid["cells"][2][:2] == ["empty", "blue"]
    assert grid["piles"] == {"1 2": ["blue", "red"]}


def test_the_owner_may_be_the_first_argument():
    grid = shown(DROPPED, "(piece red b 3 1)", "(piece blue b 3 2)", "(piece red a 1 1)")
    assert grid["cells"] == [["", "blue", ""], ["", "", ""], ["red", "", ""]]
    assert grid["piles"] == {"1 0": ["blue", "red"]}


PILED = [f"(cube {x} {y} {z} red)" for z in (1, 2, 3) for x in (1, 2, 3) for y in (1, 2, 3)]


def found(states):
    positions = [((), facts) for facts in states]
    return layouts_of(states[0], [], positions), states[0], positions


def test_things_above_gaps_and_boards_that_never_grow_are_no_piles():
    gap = [[], ["(cube 2 2 2 red)"], PILED]
    assert not any(layout.levels for layout in found(gap)[0])
    assert not any(layout.levels for layout in found([PILED, PILED])[0])


def test_an_image_has_the_numbers_and_things_of_piles_are_placed_as_switches():
    layouts, first, positions = found([[], PILED[:9], PILED[:18], PILED])
    look = look_of(layouts, first, ("red", "blue"), positions)
    assert as_svg(picture(PILED, look)).count("\u00d73") == 9
    domain = domain_of(Position(0, [], first, False, None, sample=positions), look)
    assert (domain["cells"], len(domain["flags"])) == ([], 27)
