"""Boards that are found in facts and moves, and networks on them that treat all cells alike."""

from __future__ import annotations

import numpy as np
import pytest

from reasoner.batch import Batch
from reasoner.language.parse import read_term
from reasoner.language.terms import Constant
from reasoner.rules.read import read_program
from search.study.grid import MAX_KINDS, OFF, OFFSETS, UNSEEN, Grid, find_grid
from search.study.selfplay import machine_of
from search.study.vocabulary import Vocabulary, numbering
from tests.search.study.games import rules

PUSH = """
(role red) (role blue) (init (at c up red)) (init (at a low blue)) (init (turn red)) (init (left 3))
(next_to a b) (next_to b c) (above low mid) (above mid up) (less 3 2) (less 2 1) (other red blue) (other blue red)
(<= (legal ?r (go ?x ?y ?v ?y)) (true (turn ?r)) (true (at ?x ?y ?r)) (beside ?x ?v))
(<= (legal ?r (go ?x ?y ?x ?w)) (true (turn ?r)) (true (at ?x ?y ?r)) (over ?y ?w))
(<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
(<= (beside ?x ?y) (next_to ?x ?y)) (<= (beside ?x ?y) (next_to ?y ?x))
(<= (over ?x ?y) (above ?x ?y)) (<= (over ?x ?y) (above ?y ?x))
(<= (next (at ?v ?w ?r)) (does ?r (go ?x ?y ?v ?w)))
(<= (next (at ?x ?y ?r)) (true (at ?x ?y ?r)) (not (true (turn ?r))))
(<= (next (turn ?s)) (true (turn ?r)) (other ?r ?s))
(<= (next (left ?n)) (true (left ?m)) (less ?m ?n))
(<= terminal (true (left 1)))
(<= (goal ?r 100) (true (at b mid ?r))) (<= (goal ?r 0) (role ?r) (not (true (at b mid ?r))))
"""
"""Pieces on a board whose columns and rows have words of their own."""


def grid_of(text: str) -> tuple[Vocabulary, Grid | None]:
    vocabulary = numbering(Batch(machine_of(text), 1)).vocabulary
    return vocabulary, find_grid(read_program(text)[0], vocabulary)


def test_a_board_is_found_by_the_order_of_its_words_whatever_they_are():
    vocabulary, grid = grid_of(PUSH)
    assert grid is not None
    assert (grid.wide, grid.high) == (3, 3)
    columns, rows = ["a", "b", "c"], ["low", "mid", "up"]
    for fact, kind, place in zip(vocabulary.facts, grid.kinds, grid.places, strict=True):
        words = str(fact).strip("()").split()
        assert (kind >= 0) == (words[0] == "at")
        if kind >= 0:
            assert place == 3 * columns.index(words[1]) + rows.index(words[2])
    reds = {int(kind) for fact, kind in zip(vocabulary.facts, grid.kinds, strict=True) if "up red" in str(fact)}
    assert len(reds) == 1


def test_moves_are_of_one_kind_if_they_go_the_same_way():
    vocabulary, grid = grid_of(PUSH)
    assert grid is not None
    kinds = {str(move): int(kind) for move, kind in zip(vocabulary.moves[0], grid.move_kinds[0], strict=True)}
    assert kinds["(go a low b low)"] == kinds["(go b up c up)"]
    assert len(set(kinds.values())) == 5  # four ways, and noop
    named = dict(zip(map(str, vocabulary.moves[0]), grid.named[0].tolist(), strict=True))
    assert named["(go a low b low)"] == [0, 3]
    assert named["noop"] == [9, 9]


def test_a_move_that_names_a_column_names_its_cells():
    vocabulary, grid = grid_of(rules("connectFour"))
    assert grid is not None
    named = dict(zip(map(str, vocabulary.moves[0]), grid.named[0].tolist(), strict=True))
    assert len(set(map(tuple, named.values()))) == len(named)
    drops = [cells for move, cells in named.items() if move != "noop"]
    assert all(np.diff(cells).tolist() == [1] * (grid.high - 1) for cells in drops)


def test_an_argument_with_few_of_the_rows_is_no_row():
    """In `(drop 3 1)`, 1 may be the board: the move names the column, and moves on other boards are of another kind."""
    cells = [f"(at {column} {row} red)" for column in "abc" for row in ("low", "mid", "up")]
    moves = ["(drop a low)", "(drop b low)", "(drop c low)", "(put a low)", "(put b mid)", "(put c up)"]
    vocabulary = Vocabulary((Constant("red"),), tuple(map(read_term, cells)), (tuple(map(read_term, moves)),))
    grid = find_grid(read_program(PUSH)[0], vocabulary)
    assert grid is not None
    assert grid.move_kinds[0].tolist() == [0, 0, 0, 1, 1, 1]
    assert grid.named[0].tolist() == [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 9, 9], [4, 9, 9], [8, 9, 9]]
    alone = Vocabulary((Constant("red"),), vocabulary.facts, ((read_term("(fall b)"),),))
    grid = find_grid(read_program(PUSH)[0], alone)
    assert grid is not None
    assert grid.named[0].tolist() == [[3, 4, 5]]  # one column of three, but nothing else can be meant


def test_relations_of_too_many_kinds_are_left_out():
    cells = [f"{column} {row}" for column in "abc" for row in ("low", "mid", "up")]
    names = [f"n{number}" for number in range(MAX_KINDS + 1)]
    texts = ["(turn red)", *(f"(at {cell} red)" for cell in cells)]
    texts += [f"(seen {name} {cell})" for name in names for cell in cells]
    vocabulary = Vocabulary((Constant("red"),), tuple(map(read_term, texts)), ((Constant("noop"),),))
    grid = find_grid(read_program(PUSH)[0], vocabulary)
    assert grid is not None
    assert grid.kinds.tolist() == [OFF, *[0] * len(cells), *[UNSEEN] * len(names) * len(cells)]


@pytest.mark.parametrize("name", ["goofspiel", "nim"])
def test_most_facts_on_no_board_give_none(name):
    assert grid_of(rules(name))[1] is None


def test_neighbours_are_the_cells_around_a_cell():
    grid = grid_of(PUSH)[1]
    assert grid is not None
    for cell, near in enumerate(grid.neighbours.tolist()):
        for (right, up), other in zip(OFFSETS, near, strict=True):
            x, y = cell // 3 + right, cell % 3 + up
            assert other == (3 * x + y if x in range(3) and y in range(3) else 9)


@pytest.mark.long  # loads PyTorch
def test_a_network_on_a_board_sees_the_same_at_each_place_but_for_the_edges():
    pytest.importorskip("torch", reason="studying is an extra")
    from search.study.layers import BoardLayers

    vocabulary, grid = grid_of(rules("fiveInARow"))
    assert grid is not None
    layers = BoardLayers(vocabulary, grid, 20, depth=1)
    network = layers.network(layers.fresh(1))
    kind = int(grid.kinds.max())
    seen = []
    for x, y in ((3, 3), (4, 5)):
        observation = np.zeros((1, len(vocabulary.facts)), np.uint8)
        observation[0, (grid.kinds == kind) & (grid.places == x * grid.high + y)] = 1
        cells = network.activations(observation).cells
        assert cells is not None
        seen.append(cells[0, :-1].reshape(grid.wide, grid.high, -1)[x - 1 : x + 2, y - 1 : y + 2])
    assert np.allclose(seen[0], seen[1], atol=1e-6)
    assert np.ptp(seen[0]) > 0
