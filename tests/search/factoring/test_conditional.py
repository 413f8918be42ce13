"""Games that come apart in some states only."""

from random import Random

import pytest

from agent.gamemaster.games import find_game
from reasoner.stages import built
from search.factoring import factor
from search.subgames.restricted_circuit import packed, residual
from tests.search.factoring.mixing import Slow, check, play


@pytest.fixture(scope="module")
def joint():
    return built(find_game("jointTicTacToe").text)


@pytest.mark.parametrize("seed", range(4))
def test_joint_tic_tac_toe_comes_apart_only_where_its_bridge_is_marked_and_rightly(joint, seed):
    free = [str(base) for base in joint.bases].index("(bridge b)")
    for state in play(Slow(joint), Random(seed), 9):
        left = residual(joint, packed(state)).circuit
        found = factor(left)
        assert not (state[free] and found.splits)
        if found.splits:
            check(left, found, seed, steps=9)


def test_while_both_boards_are_open_each_is_a_subgame(joint):
    states = [state for seed in range(4) for state in play(Slow(joint), Random(seed), 5)]
    free = [str(base) for base in joint.bases].index("(bridge b)")
    boards = [
        [{str(left.bases[base]).split()[1] for base in one.bases} for one in factor(left).subgames]
        for left in (residual(joint, packed(state)).circuit for state in states if not state[free])
    ]
    assert boards
    assert all(split == [{"east"}, {"west"}] for split in boards)


def test_a_row_of_chocolate_stays_whole_as_who_may_pass_is_the_game():
    rules = """
        (role a) (role b) (square 1) (square 2) (square 3) (square 4) (square 5)
        (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
        (<= (upto ?x ?x) (square ?x)) (<= (upto ?x ?z) (upto ?x ?y) (succ ?y ?z))
        (<= (init (piece ?x)) (square ?x)) (init (turn a))
        (<= (legal ?r (bite ?x)) (true (turn ?r)) (true (piece ?x)))
        (<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
        (<= (bitten ?y) (does ?r (bite ?x)) (upto ?x ?y))
        (<= (next (piece ?x)) (true (piece ?x)) (not (bitten ?x)))
        (<= (next (poisoned ?r)) (does ?r (bite 1)))
        (<= (next (turn a)) (true (turn b))) (<= (next (turn b)) (true (turn a)))
        (<= terminal (true (poisoned ?r)))
        (<= (goal ?r 0) (true (poisoned ?r))) (<= (goal ?r 100) (role ?r) (not (true (poisoned ?r))))
    """
    assert not factor(built(rules)).splits


STRIPS = """
    (role x) (role o) (other x o) (other o x) (init (turn x)) (near hub a1) (near hub b1) (near hub c1)
    (near a1 a2) (near a2 a3) (near b1 b2) (near b2 b3) (near c1 c2) (near c2 c3)
    (<= (pin ?p) (near ?p ?q)) (<= (pin ?q) (near ?p ?q)) (<= (init (up ?p)) (pin ?p))
    (<= (legal ?r (one ?p)) (true (turn ?r)) (true (up ?p)))
    (<= (legal ?r (two ?p ?q)) (true (turn ?r)) (near ?p ?q) (true (up ?p)) (true (up ?q)))
    (<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
    (<= (hit ?p) (does ?r (one ?p))) (<= (hit ?p) (does ?r (two ?p ?q))) (<= (hit ?q) (does ?r (two ?p ?q)))
    (<= (next (up ?p)) (true (up ?p)) (not (hit ?p))) (<= (next (turn ?o)) (true (turn ?r)) (other ?r ?o))
    (<= some (true (up ?p))) (<= terminal (not some))
    (<= (goal ?r 0) (true (turn ?r))) (<= (goal ?r 100) (role ?r) (not (true (turn ?r))))
"""


def test_strips_of_pins_come_apart_once_their_hub_is_gone():
    """Pins pass in pairs and fail together; merged by what moves take together they are the strips."""
    whole = built(STRIPS)
    names = [str(base) for base in whole.bases]
    without = [bool(held) and names[base] != "(up hub)" for base, held in enumerate(whole.initial)]
    left = residual(whole, packed(without)).circuit
    found = factor(left)
    strips = [sorted(str(left.bases[base]) for base in one.bases) for one in found.subgames]
    assert strips == [[f"(up {strip}{pin})" for pin in (1, 2, 3)] for strip in "abc"]
    assert sum(check(left, found, seed, steps=6) for seed in range(4)) > 4
    assert not factor(whole).splits
