"""Goals above 100: the highest one is the whole, and more is better, in every search."""

import numpy as np
import pytest

from reasoner import load
from search import MonotonicClock, Search, SearchOptions
from search.batch import BatchOptions, BatchSearch
from search.belief.games import games_of
from search.game import SearchedGame
from search.native.numbering import Numbering
from search.plain.mcts import simulate

PURSE = """
(role me) (init (score 110)) (init (left 6))
(pred 6 5) (pred 5 4) (pred 4 3) (pred 3 2) (pred 2 1) (pred 1 0)
(up 110 120) (up 120 130) (up 130 140) (up 140 150) (up 150 160) (up 160 170)
(legal me stop) (legal me earn)
(<= (next (left ?b)) (true (left ?a)) (pred ?a ?b))
(<= (next (score ?t)) (does me earn) (true (score ?s)) (up ?s ?t))
(<= (next (score ?s)) (does me stop) (true (score ?s)))
(<= (next stopped) (does me stop))
(<= terminal (true stopped)) (<= terminal (true (left 0)))
(<= (goal me ?s) (true (score ?s)))
"""
DUEL = """
(role a) (role b) (init begin) (legal a low) (legal a high) (legal b noop) (gives low 110 60) (gives high 170 0)
(<= (next (score ?x ?y)) (does a ?m) (gives ?m ?x ?y))
(<= terminal (true (score ?x ?y))) (<= (goal a ?x) (true (score ?x ?y))) (<= (goal b ?y) (true (score ?x ?y)))
"""


@pytest.mark.parametrize("options", [{}, {"solvers": False}, {"factoring": False, "solvers": False}], ids=str)
@pytest.mark.parametrize("engine", ["relational", "circuit"])
def test_a_game_of_one_role_is_played_to_its_highest_score(engine, options):
    """By the tree alone, by plans of subgames and by the ways to solve puzzles; 110 of 170 is no end."""
    machine, clock = load(PURSE, engine), MonotonicClock()
    state = machine.initial()
    search = Search(machine, 0, state, SearchOptions(seed=1, **options), clock)
    for _ in range(6):
        search.think(clock.now() + 60)
        assert (search.solved, search.report().value) == (True, pytest.approx(100))
        assert -1 <= search.report().line <= 100
        move = search.best()
        state = machine.next(state, (move,))
        search.advance((move,), state)
    assert machine.goal(state) == (170,)


@pytest.mark.parametrize("engine", ["relational", "circuit"])
def test_a_game_of_two_roles_is_too(engine):
    """170 is better than 110, and values stay within 0..100."""
    machine, clock = load(DUEL, engine), MonotonicClock()
    search = Search(machine, 0, machine.initial(), SearchOptions(simulations=200, seed=1), clock)
    search.think(clock.now() + 60)
    assert str(search.best()) == "high"
    values = {str(each.move): each.value for each in search.report().moves}
    assert values["high"] == pytest.approx(100)
    assert values["low"] in (0, pytest.approx(100 * 110 / 170))  # 0: the other was proven to be best before


def test_searches_in_batches_count_alike():
    """Of random play, and of ends that are there."""
    machine = load(DUEL, "circuit")
    found = BatchSearch(machine, 2, BatchOptions(simulations=50, seed=1)).search([machine.initial()] * 2)
    assert found.best(0).tolist() == [[str(move) for move in machine.circuit.moves[0]].index("high")] * 2
    assert max(found.roots[:, 0]) <= 1


@pytest.mark.parametrize("engine", ["relational", "circuit"])
def test_games_of_beliefs_count_alike(engine):
    """In lanes and one by one."""
    machine = load(DUEL, engine)
    games = games_of(machine, 1)
    ends = [machine.next(machine.initial(), (move, "noop")) for move in ("low", "high")]
    games.put(ends)
    assert games.values()[:2] == pytest.approx(np.array([[110 / 170, 60 / 170], [1, 0]]))


def test_a_playout_that_was_cut_off_is_worth_half_of_the_whole():
    """Whatever the whole is."""
    text = DUEL.replace("(<= terminal (true (score ?x ?y)))", "(<= terminal (true never))").replace("low 110", "low 0")
    text = text.replace("(<= (goal a ?x) (true (score ?x ?y)))", "(<= (goal a ?x) (true (score ?x ?y)) (true never))")
    machine = load(text.replace("(<= (goal b ?y) (true (score ?x ?y)))", ""), "relational")
    game = SearchedGame(machine, 0)
    assert game.points == 170
    assert simulate(game, machine.initial(), 3, 1, 4).values == (0.5, 0.5)


def test_where_100_is_the_whole_nothing_is_scaled():
    """Goals of all other games are used as they are."""
    machine = load(DUEL.replace("170", "100").replace("110", "40"), "circuit")
    assert Numbering(SearchedGame(machine, 0), machine).rules(SearchOptions())[0]["scale"] == 1
