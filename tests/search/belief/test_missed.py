"""The states after missed joint moves are those in which the later messages are legal."""

import itertools
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.worker.term_text import spelled
from reasoner import load
from search.belief.missed import LOST, MAX_STATES, REPLACED, Losses, Received
from tests.agent.rules import ALIKE, LADDER, STONES, machine, reached


def never():
    return False


def received(joint, answered=None, *, missed=False):
    return Received(partial(spelled, joint), answered, answered not in (None, joint[0]), missed)


def after_gap(game, answered, *joints):
    """The states after a message that was certainly lost, whose message had our answer, and `joints`."""
    told = [received(joint) for joint in joints[1:]]
    first = Received(partial(spelled, joints[0]), answered, replaced=False, missed=True)
    return Losses(game, 0, (game.initial(),), [first, *told], never).least(4 * LOST, further=False)[0]


def test_the_states_found_are_those_from_which_the_moves_are_legal():
    """Against every way to play two joint moves of the game, tried one after the other."""
    game = machine(STONES)
    after = ("(take 1)", "noop")
    found = set(after_gap(game, None, after))
    naive = set()
    for first, second in itertools.product(("(take 1)", "(take 2)"), repeat=2):
        joints = [(first, "noop"), ("noop", second), after]
        naive.add(reached(game, joints))
    assert found == {game.next(game.initial(), after)} or found == naive


def test_our_own_answer_is_taken_for_played():
    game = machine(STONES)
    found = after_gap(game, "(take 2)", ("noop", "(take 1)"))
    assert found == (reached(game, [("(take 2)", "noop"), ("noop", "(take 1)")]),)


def test_our_answer_is_not_taken_for_played_if_only_another_move_fits():
    """The manager replaces an answer that is lost, and the message that would tell so is lost, too."""
    game = load("ticTacToe", "relational")
    replies = ("noop", "(mark 1 1)")
    others = [str(move) for move in game.legal(game.initial())[0] if str(move) != "(mark 1 1)"]
    expected = {reached(game, [(move, "noop"), replies]) for move in others}
    assert set(after_gap(game, "(mark 1 1)", replies)) == expected


def test_moves_that_fit_after_no_missed_ones_find_nothing():
    game = machine(LADDER)
    assert after_gap(game, None, ("(to 1)",)) == ()


def test_more_states_than_are_kept_are_drawn():
    rules = "(role a) (role b)" + "(init (sum 0 0))"
    rules += " ".join(f"(n {i})" for i in range(60))
    rules += "(<= (legal ?r (put ?n)) (role ?r) (n ?n)) (<= (legal ?r wait) (role ?r)) (goal a 1) (goal b 1)"
    rules += "(<= (next (sum ?n ?m)) (does a (put ?n)) (does b (put ?m))) (<= terminal (true (sum 99 99)))"
    rules += "(<= (next (sum ?n ?m)) (does a wait) (true (sum ?n ?m)))"
    game = machine(rules)
    found = after_gap(game, None, ("wait", "wait"))
    assert MAX_STATES / 2 < len(found) <= MAX_STATES


def naive(game, state, told):
    """The least cost of each state after the messages `told`: every joint move that may be lost is tried."""
    costs = {state: 0}
    for joint, answered in told:
        before, after = {state: (cost, answered) for state, cost in costs.items()}, {}
        while before:
            unseen = {}
            for state, (cost, answer) in before.items():
                if game.terminal(state):
                    continue
                ours = [str(move) for move in game.legal(state)[0]]
                for moves in itertools.product(*game.legal(state)):
                    texts = tuple(map(str, moves))
                    paid = cost + REPLACED * (answer in ours and answer != texts[0])
                    following = game.next(state, moves)
                    if texts == joint:
                        after[following] = min(paid, after.get(following, paid))
                    if not game.terminal(following) and paid + LOST <= unseen.get(following, (6,))[0]:
                        unseen[following] = paid + LOST, None
            before = unseen
        costs = {state: cost for state, cost in after.items() if cost <= 6}
    least = min(costs.values(), default=0)
    return {state for state, cost in costs.items() if cost == least}


@given(st.data())
def test_the_states_with_the_fewest_losses_are_those_that_an_exhaustive_search_finds(data):
    """Two players take stones; messages and answers are lost at random places."""
    game, told = machine(STONES), []
    state, answered = game.initial(), None
    while not game.terminal(state) and len(told) < 4:
        legal = [list(map(str, moves)) for moves in game.legal(state)]
        joint = tuple(data.draw(st.sampled_from(moves)) for moves in legal)
        arrived = data.draw(st.booleans())
        if arrived:
            answered = data.draw(st.sampled_from([None, joint[0], *legal[0]]))
        state = game.next(state, joint)
        if arrived or data.draw(st.booleans()):
            told.append((joint, answered))
            answered = None
    messages = [received(joint, answered) for joint, answered in told]
    found, _ = Losses(game, 0, (game.initial(),), messages, never).least(6, further=False)
    assert set(found) == naive(game, game.initial(), told)


@pytest.mark.parametrize("answered", [None, "wait", "go"])
def test_lanes_find_what_the_relational_machine_finds(answered):
    found = []
    for game in (machine(ALIKE), load(ALIKE, "circuit")):
        states = after_gap(game, answered, ("go", "wait"))
        found.append({game.facts(state) for state in states})
    assert found[0] == found[1] != set()
