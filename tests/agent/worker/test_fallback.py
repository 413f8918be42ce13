"""The fallback process follows a match as a worker does, and loads no compiled code."""

import subprocess
import sys
from random import Random

import pytest

from agent.protocol.messages import Start
from agent.protocol.observation import item_of_percepts
from agent.settings import load_settings
from agent.worker.fallback import MAX_STATES, Fallback
from agent.worker.worker_messages import Applied, Begin, Choose, Offered
from reasoner.ground.answer_sets import AnswerSetGame
from tests.agent.rules import ALIKE, LADDER, STONES, WAITING, legal_after, machine
from tests.agent.worker.test_session import LOOKOUT
from tests.search.information.sheets import BLIND_TIC_TAC_TOE

PROGRAM = """
import sys
from agent.worker.fallback import Fallback
from agent.protocol.messages import Start
from agent.settings import load_settings
from agent.worker.worker_messages import Begin, Choose
fallback = Fallback(load_settings(environment={}), print)
fallback.obey(Begin(Start("m", "a", sys.argv[1], 1.0, 1.0), 0.0, [], None))
fallback.obey(Choose(1, 0.0, True, None, False))
print(sorted({"numba", "llvmlite", "structlog"} & set(sys.modules)))
"""


def test_a_move_is_offered_without_numba():
    command = [sys.executable, "-c", PROGRAM, ALIKE]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    *_, offer, modules = done.stdout.splitlines()
    assert offer in ("Offered(number=1, move='wait')", "Offered(number=1, move='go')")
    assert modules == "[]"


class Followed:
    """A match that a fallback follows, and its events."""

    def __init__(self, rules, role, joints=(), answered=None):
        self.events = []
        self.fallback = Fallback(load_settings(environment={}), self.events.append)
        self.fallback.obey(Begin(Start("m", role, rules, 1.0, 1.0), 0.0, joints, answered, 7))
        self.number = 7

    def play(self, joint, *, repeated=False, gap=False):
        """The move offered, None if there is none; the change of the joint moves is in `applied`."""
        self.number += 1
        told = len(self.events)
        self.fallback.obey(Choose(self.number, 0.0, True, joint, repeated, gap, sent=self.number - 1))
        new = self.events[told:]
        assert all(event.number == self.number for event in new)
        self.applied = next(((e.keep, e.added) for e in new if isinstance(e, Applied)), None)
        return next((event.move for event in new if isinstance(event, Offered)), None)


@pytest.mark.parametrize("rules", [STONES, ALIKE, LADDER, WAITING])
def test_each_move_of_a_match_is_legal(rules):
    game, rng = machine(rules), Random(1)
    match, state, told = Followed(rules, game.roles[0]), game.initial(), None
    while not game.terminal(state):
        legal = [list(map(str, moves)) for moves in game.legal(state)]
        move = match.play(told)
        assert move in legal[0]
        told = (move, *(rng.choice(moves) for moves in legal[1:]))
        state = game.next(state, told)


@pytest.mark.parametrize("rules", [STONES, LADDER, WAITING])
def test_joint_moves_that_a_worker_has_applied_are_made_without_asking_what_is_legal(monkeypatch, rules):
    """So a match that was resumed after a hundred turns is followed before the clock of the next one ends."""
    game, rng, asked = machine(rules), Random(1), []
    legal, state, joints = AnswerSetGame.legal, game.initial(), []
    monkeypatch.setattr(AnswerSetGame, "legal", lambda game, position: asked.append(position) or legal(game, position))
    while True:
        joint = [str(rng.choice(moves)) for moves in game.legal(state)]
        following = game.next(state, joint)
        if game.terminal(following):
            break
        state, joints = following, [*joints, joint]
    match = Followed(rules, game.roles[0], joints)
    assert match.events == [Applied(7, 0, list(map(tuple, joints)), False)]
    assert asked == []
    match.fallback.obey(Choose(8, 0.0, False, None, False))
    assert match.events[-1].move in map(str, game.legal(state)[0])


def test_a_position_that_is_known_is_not_reached_by_moves(monkeypatch):
    made, next_of = [], AnswerSetGame.successors
    monkeypatch.setattr(AnswerSetGame, "successors", lambda *given: made.append(given[2]) or next_of(*given))
    game, events = machine(STONES), []
    joints = [["(take 1)", "noop"], ["noop", "(take 2)"], ["(take 2)", "noop"]]
    states = [game.initial()]
    for joint in joints:
        states.append(game.next(states[-1], joint))
    position = list(map(str, game.facts(states[2])))
    fallback = Fallback(load_settings(environment={}), events.append)
    fallback.obey(Begin(Start("m", "second", STONES, 1.0, 1.0), 0.0, joints, None, 3, reached=2, position=position))
    assert [list(map(str, joint)) for joint in made] == joints[2:]
    assert events == [Applied(3, 0, list(map(tuple, joints)), False)]
    fallback.obey(Choose(4, 0.0, False, None, False))
    assert events[-1].move in map(str, game.legal(states[3])[1])


def test_a_move_that_nobody_got_is_not_taken_for_our_answer():
    match = Followed(LOOKOUT, "left")
    match.play(None)
    match.fallback.obey(Choose(9, 0.0, True, ["walk"], False))  # the manager let us walk
    assert match.events[-2] == Applied(9, 1, [item_of_percepts(1, None, ["walk"])], True)


def test_a_match_is_resumed_after_the_moves_already_made():
    match = Followed(STONES, "first", [["(take 1)", "noop"]])
    assert match.events == [Applied(7, 0, [("(take 1)", "noop")])]
    assert match.play(["NOOP", "(TAKE 2)"]) in legal_after(STONES, ("(take 1)", "noop"), ("noop", "(take 2)"))[0]
    assert match.applied == (1, [("noop", "(take 2)")])


def test_a_repeated_message_is_a_new_turn_only_if_it_can_be_one():
    """With our answer in it, and legal; NIL begins the match again."""
    match = Followed(ALIKE, "a")
    answered = match.play(None)
    other = {"wait": "go", "go": "wait"}[answered]
    again = match.play([answered, "go"])
    assert match.play([other, "go"], repeated=True) == again
    assert match.applied == (1, ())
    match.play([again, "go"], repeated=True)
    assert match.applied == (1, [(again, "go")])
    match.play(None)
    assert match.applied == (0, ())


def test_moves_that_follow_missed_ones_find_their_states():
    match = Followed(STONES, "first", [["(take 1)", "noop"]])
    assert match.play(["(take 2)", "noop"], gap=True) == "noop"
    assert match.applied == (1, [None, ("(take 2)", "noop")])


def test_a_turn_number_that_is_left_out_shows_a_lost_message_although_every_move_is_told():
    match = Followed(WAITING + "(<= (sees ?p (did ?q ?m)) (role ?p) (does ?q ?m))", "a")
    match.play(("observed 0", "NIL"))
    assert match.play(("observed 2", "wait", "(did a wait)"), gap=True) in ("wait", "(to 3)")
    assert match.applied == (0, [None, ("wait",)])
    assert match.play(("observed 3", "(to 3)", "(did a (to 3))")) in ("wait", "(to 4)")


def test_our_answer_before_a_lost_message_was_probably_made():
    match = Followed(BLIND_TIC_TAC_TOE, "x")
    answered = match.play(("observed 0", "NIL"))
    assert answered.startswith("(mark ")
    assert match.play(("observed 2", "noop", "yourTurn")).startswith("(mark ")
    items = [("observed 0", "NIL"), ("observed 1 missed", answered), ("observed 2", "noop", "yourTurn")]
    assert match.applied == (1, items[1:])
    for each in (match, Followed(BLIND_TIC_TAC_TOE, "x", items)):
        assert each.play(("observed 3", "(mark 3 3)")) == "noop"
        assert each.play(("observed 4", "noop", "yourTurn")) not in (answered, "(mark 3 3)", "noop")


def test_a_message_that_came_twice_before_the_process_began_is_one_turn():
    events = []
    fallback = Fallback(load_settings(environment={}), events.append)
    told = ["(take 1)", "noop"]
    begin = Begin(Start("m", "second", STONES, 1.0, 1.0), 0.0, [told, told], None, 3, [None, "noop"], [False, True])
    fallback.obey(begin)
    assert events == [Applied(3, 0, [tuple(told)])]


def test_moves_that_are_never_legal_leave_the_last_state():
    match = Followed(STONES, "first")
    move = match.play(["(take 7)", "noop"])
    assert move in legal_after(STONES)[0]
    assert match.applied is None


def test_a_lost_message_of_plain_rules_is_assumed_but_not_told_as_applied():
    """The worker gets all of the messages, and decides it again."""
    match = Followed(STONES, "first", [["(take 1)", "noop"]])
    assert match.play(["(take 2)", "noop"]) == "noop"
    assert match.applied is None
    assert match.play(["(take 1)", "noop"]) == "noop"  # an older one, sent twice
    assert match.play(["noop", "(take 1)"]) in ("(take 1)", "(take 2)")
    assert match.applied is None


@pytest.mark.parametrize("asked", [True, False])
def test_a_move_of_hidden_information_is_legal_by_the_percepts(asked):
    """Whether or not the message says its turn and our move; the opponent's moves are never in it."""
    game, rng, role = machine(BLIND_TIC_TAC_TOE), Random(3), 1
    match, state, told = Followed(BLIND_TIC_TAC_TOE, "o"), game.initial(), None
    for turn in range(1, 12):
        if game.terminal(state):
            break
        move = match.play(told)
        legal = [list(map(str, moves)) for moves in game.legal(state)]
        assert move in legal[role]
        state = game.next(state, [rng.choice(legal[0]), move])
        percepts = sorted(map(str, game.percepts(state)[role]))
        told = percepts if asked else [f"observed {turn}", move, *percepts]
    assert turn > 5


def test_a_repeated_joint_move_of_rules_with_hidden_information_is_not_read_as_percepts():
    """The moves of the other roles are known, so that the repeated one cannot be made again: its cell is marked."""
    match = Followed(BLIND_TIC_TAC_TOE, "o")
    match.play(None)
    match.play(["(mark 2 2)", "noop"])
    answered = match.play(["noop", "(mark 1 1)"])
    assert match.applied == (2, [("noop", "(mark 1 1)")])
    assert match.play(["noop", "(mark 1 1)"], repeated=True) == answered
    assert match.applied == (3, ())


def test_a_match_of_joint_moves_is_resumed_after_the_first_one():
    """A worker keeps the joint move alone, without the message before it; any list was taken for percepts then."""
    match = Followed(BLIND_TIC_TAC_TOE, "o", [("(mark 2 2)", "noop")])
    assert match.events == [Applied(7, 0, [("(mark 2 2)", "noop")], hides=True)]
    match.play(["noop", "(mark 1 1)"])
    assert match.applied == (1, [("noop", "(mark 1 1)")])


def test_a_list_with_a_term_twice_is_a_joint_move():
    match = Followed(LOOKOUT, "right")
    match.play(None)
    match.play(["stay", "stay"])
    assert match.applied == (1, [("stay", "stay")])


def test_the_first_joint_move_that_comes_may_follow_lost_ones():
    match = Followed(BLIND_TIC_TAC_TOE, "o")
    match.play(None)
    assert match.play(["noop", "(mark 1 1)"]) == "noop"  # the mark of x was lost
    assert match.applied == (1, [None, ("noop", "(mark 1 1)")])
    assert match.play(["(mark 3 3)", "noop"]) not in ("noop", "(mark 1 1)")


def test_percepts_are_followed_by_the_answer_that_was_sent_before_them():
    events = []
    fallback = Fallback(load_settings(environment={}), events.append)
    own = ["(mark 1 1)", "noop"]
    fallback.obey(Begin(Start("m", "x", BLIND_TIC_TAC_TOE, 1.0, 1.0), 0.0, [[], []], None, 2, own))
    applied = next(event for event in events if isinstance(event, Applied))
    assert [item[:2] for item in applied.added] == [("observed 1 asked", "(mark 1 1)"), ("observed 2 asked", "noop")]


DEAL = f"""
(role random) (role a)
{" ".join(f"(card c{number})" for number in range(36))}
(init (step 1)) (succ 1 2) (succ 2 3) (succ 3 4)
(<= (legal random (deal ?c)) (true (step 1)) (card ?c))
(<= (legal random noop) (not (true (step 1))))
(<= (legal a noop) (not (true (step 3))))
(<= (legal a (guess ?c)) (true (step 3)) (true (holds ?c)))
(<= (next (holds ?c)) (does random (deal ?c)))
(<= (next (holds ?c)) (true (holds ?c)))
(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))
(<= (sees a (shown ?c)) (true (step 2)) (true (holds ?c)))
(<= terminal (true (step 4)))
(goal a 50) (goal random 50)
"""
"""The card dealt is one of more states than are kept, and is shown one turn later."""


def deals():
    """Some of the cards, as percepts of the second turn."""
    return [("observed 2", "noop", f"(shown c{number})") for number in range(0, 36, 3)]


def test_messages_that_fit_no_kept_state_stay_with_the_server():
    """A resumed match is not cut to what is understood: the worker gets all of its messages."""
    told = 0
    for shown in deals():
        items = [("observed 1", "noop"), shown]
        events = Followed(DEAL, "a", items, "noop").events
        assert events in ([], [Applied(7, 0, items, hides=True)])
        told += bool(events)
    assert 0 < told <= MAX_STATES


def test_after_a_message_that_fits_no_kept_state_the_turns_go_on():
    """The guess is legal in its turn; before, the move of the last state that fitted was repeated."""
    lost = 0
    for shown in deals():
        match = Followed(DEAL, "a")
        match.play(("observed 1", "noop"))
        move = match.play(shown)
        if match.applied is None:
            lost += 1
            assert move.startswith("(guess ")
    assert lost


def test_after_a_message_that_fits_no_kept_state_nothing_is_told_as_applied():
    """The server would drop the earlier message when a later one is applied; NIL begins the match again."""
    understood = set()
    for shown in deals():
        match = Followed(DEAL, "a")
        match.play(("observed 1", "noop"))
        match.play(shown)
        understood.add(second := match.applied is not None)
        match.play(("observed 3", "noop"))
        assert second or match.applied is None
        match.play(None)
        assert match.applied is not None
    assert understood == {True, False}


def test_moves_of_names_that_are_no_roles_are_left_out():
    match = Followed("(role a) (legal a go) (legal b stay) (init p) (<= terminal (true q)) (goal a 0)", "a")
    assert match.play(None) == "go"


def test_the_states_kept_are_limited():
    match = Followed(BLIND_TIC_TAC_TOE, "o")
    match.play(None)
    for turn in range(1, 4):
        match.play(item_of_percepts(turn + 1, None, ()))
        assert len(match.fallback._match._states) <= MAX_STATES
