"""The states after missed joint moves are those in which the later messages are legal."""

import itertools
from functools import partial

import pytest

from agent.worker.term_text import spelled
from reasoner import load
from search.belief.missed import MAX_STATES, LastKnown, states_after_gap
from tests.agent.rules import ALIKE, LADDER, STONES, machine, reached


def never():
    return False


def after_gap(game, known, *joints):
    return states_after_gap(game, 0, known, [partial(spelled, joint) for joint in joints], never)


def test_the_states_found_are_those_from_which_the_moves_are_legal():
    """Against every way to play two joint moves of the game, tried one after the other."""
    game = machine(STONES)
    known = LastKnown((game.initial(),), None)
    after = ("(take 1)", "noop")
    found = set(after_gap(game, known, after))
    naive = set()
    for first, second in itertools.product(("(take 1)", "(take 2)"), repeat=2):
        joints = [(first, "noop"), ("noop", second), after]
        naive.add(reached(game, joints))
    assert found == {game.next(game.initial(), after)} or found == naive


def test_our_own_answer_is_taken_for_played():
    game = machine(STONES)
    known = LastKnown((game.initial(),), "(take 2)")
    found = after_gap(game, known, ("noop", "(take 1)"))
    assert found == (reached(game, [("(take 2)", "noop"), ("noop", "(take 1)")]),)


def test_our_answer_is_not_taken_for_played_if_only_another_move_fits():
    """The manager replaces an answer that is lost, and the message that would tell so is lost, too."""
    game = load("ticTacToe", "relational")
    known, replies = LastKnown((game.initial(),), "(mark 1 1)"), ("noop", "(mark 1 1)")
    others = [str(move) for move in game.legal(game.initial())[0] if str(move) != "(mark 1 1)"]
    expected = {reached(game, [(move, "noop"), replies]) for move in others}
    assert set(after_gap(game, known, replies)) == expected


def test_moves_that_fit_after_no_missed_ones_find_nothing():
    game = machine(LADDER)
    assert after_gap(game, LastKnown((game.initial(),), None), ("(to 1)",)) == ()


def test_more_states_than_are_kept_are_drawn():
    rules = "(role a) (role b)" + "(init (sum 0 0))"
    rules += " ".join(f"(n {i})" for i in range(60))
    rules += "(<= (legal a (put ?n)) (n ?n)) (<= (legal b (put ?n)) (n ?n)) (goal a 1) (goal b 1)"
    rules += "(<= (next (sum ?n ?m)) (does a (put ?n)) (does b (put ?m))) (<= terminal (true (sum 99 99)))"
    game = machine(rules)
    found = after_gap(game, LastKnown((game.initial(),), None))
    assert MAX_STATES / 2 < len(found) <= MAX_STATES


@pytest.mark.parametrize("answered", [None, "wait", "go"])
def test_lanes_find_what_the_relational_machine_finds(answered):
    found = []
    for game in (machine(ALIKE), load(ALIKE, "circuit")):
        states = after_gap(game, LastKnown((game.initial(),), answered), ("go", "wait"))
        found.append({game.facts(state) for state in states})
    assert found[0] == found[1] != set()
