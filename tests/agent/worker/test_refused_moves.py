"""A move of ours that the manager replaces again and again is not sent again while there is another."""

from agent.worker.refused_moves import PATIENCE, RefusedMoves
from reasoner.language.parse import read_term

A, B = read_term("(mark 1 1)"), read_term("(mark 1 2)")


def refused(*made):
    moves = RefusedMoves()
    for own in made:
        moves.compare(str(A), own)
    return moves


def test_a_move_that_is_replaced_again_and_again_is_left_out():
    assert refused(*["(mark 3 3)"] * (PATIENCE - 1)).without((A, B)) == (A, B)
    assert refused(*["(mark 3 3)"] * PATIENCE).without((A, B)) == (B,)


def test_the_only_move_is_never_left_out():
    assert refused(*["(mark 3 3)"] * PATIENCE).without((A,)) == (A,)


def test_a_move_that_was_made_counts_as_legal_again():
    assert refused(*["(mark 3 3)"] * PATIENCE, "(MARK 1 1)").without((A, B)) == (A, B)


def test_an_unknown_move_tells_nothing():
    moves = RefusedMoves()
    for _ in range(PATIENCE):
        moves.compare(str(A), None)
        moves.compare(None, "(mark 3 3)")
    assert str(A) not in moves
