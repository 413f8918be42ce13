"""A match after PLAY messages were missed: what it may be in, and what is played then."""

from itertools import count

import pytest

import agent.worker.turns as turns_module
from agent.worker.trail import Trail
from agent.worker.turns import JointsChange, Turns
from reasoner.errors import LimitError
from reasoner.language.bundled import source_text
from search.belief.missed import legal_counts
from tests.agent.rules import ALIKE, LADDER, STONES, WAITING, machine, reached


def never():
    return False


def turns(rules, *joints, role=0):
    made = Turns(machine(rules), role)
    for joint in joints:
        assert made.apply(joint, repeated=False)
    return made


def test_without_a_gap_nothing_is_guessed():
    made = turns(STONES)
    assert made.apply(("noop", "(take 1)"), repeated=False) is None
    assert not made.doubtful


def test_a_missed_move_of_ours_leaves_no_doubt_when_it_was_answered():
    made = turns(STONES)
    made.answered = "(take 2)"
    applied = made.apply(("noop", "(take 1)"), repeated=False, gap=True)
    assert applied.added == (None, ("noop", "(take 1)"))
    assert not made.doubtful
    assert made.state == reached(made.machine, [("(take 2)", "noop"), ("noop", "(take 1)")])


def test_a_move_that_was_certainly_missed_is_assumed_even_if_the_next_one_is_legal_without_it():
    made = turns(WAITING)
    made.answered = "wait"
    assert made.apply(("wait",), repeated=False, gap=True, lost=True).added == (None, ("wait",))
    assert made.states == (reached(made.machine, [("wait",), ("wait",)]),)
    made.apply(("(to 3)",), repeated=False, gap=True, lost=True)  # legal only if nothing was missed
    assert made.states == (reached(made.machine, [("wait",), ("wait",), ("(to 3)",)]),)


def test_a_missed_move_of_the_other_is_found_out_by_what_follows():
    made = turns(STONES, ("(take 1)", "noop"))
    made.answered = "noop"
    assert made.apply(("(take 1)", "noop"), repeated=False, gap=True)
    assert len(made.states) == 2  # the other took one or two
    before = [made.machine.next(state, ("noop", "(take 2)")) for state in made.states]
    assert made.apply(("noop", "(take 2)"), repeated=False)
    assert set(made.states) == set(before)
    # heap: 9 - 1 - (1 or 2) - 1 - 2; each further message leaves those that it fits
    for joint in (("(take 2)", "noop"), ("noop", "(take 2)")):
        made.apply(joint, repeated=False)
    assert not made.doubtful


def test_another_move_in_place_of_our_answer_says_that_ours_was_illegal():
    made = turns(WAITING)
    made.answered = "wait"
    state = made.machine.initial()
    made.states = (state, made.machine.next(state, ("wait",)))
    made.answered = "(to 1)"  # legal in the first only
    assert made.apply(("wait",), repeated=False)
    assert made.states == (reached(made.machine, [("wait",), ("wait",)]),)


def test_the_move_that_is_legal_in_most_states_is_played():
    game = machine(LADDER)
    states = [reached(game, [("(to 1)",)]), game.initial()]
    states.append(game.state([*game.facts(states[0]), *game.facts(states[1])]))
    assert [(str(move), count) for move, count in legal_counts(game, 0, states, never).items()] == [
        ("(to 2)", 2),
        ("(to 1)", 2),
    ]
    made = Turns(game, 0)
    made.states = tuple(states[:1] + states[2:])
    assert [str(move) for move in made.favourites(never)] == ["(to 2)"]
    assert [str(move) for move in made.favourites(lambda: True)] == ["(to 2)"]


def test_another_process_that_is_told_the_same_comes_to_the_same_states():
    made = turns(STONES, ("(take 1)", "noop"))
    made.apply(("(take 1)", "noop"), repeated=False, gap=True)
    other = turns(STONES)
    assert other.replay(made.joints)
    assert (other.states, other.joints) == (made.states, made.joints)


def test_a_repeated_message_after_a_gap_is_still_one_message():
    made = turns(LADDER)
    assert made.apply(("(to 1)",), repeated=False, gap=True)
    assert made.apply(("(to 1)",), repeated=True).added == ()
    assert made.apply(("(to 2)",), repeated=False).added == (("(to 2)",),)


def test_where_every_move_is_always_legal_the_fewest_missed_are_assumed():
    made = turns(ALIKE)
    assert made.apply(("wait", "go"), repeated=False, gap=True)
    assert made.state == reached(made.machine, [("wait", "go")])


def test_the_states_are_taken_over_by_another_machine():
    made = turns(STONES, ("(take 1)", "noop"))
    made.apply(("(take 1)", "noop"), repeated=False, gap=True)
    made.switch(machine(STONES))
    assert len(made.states) == 2
    assert made.apply(("noop", "(take 1)"), repeated=False)


def test_a_message_that_was_lost_is_guessed_if_the_next_one_is_illegal_otherwise():
    made = turns(STONES)
    made.answered = "(take 2)"
    applied = made.apply(("noop", "(take 1)"), repeated=False, lossy=True)
    assert applied.added == (None, ("noop", "(take 1)"))
    assert made.states == (reached(made.machine, [("(take 2)", "noop"), ("noop", "(take 1)")]),)
    assert made.apply(("(take 1)", "noop"), repeated=False, lossy=True).added == (("(take 1)", "noop"),)
    assert made.apply(("(take 1)", "noop"), repeated=False, lossy=True).added == (None, ("(take 1)", "noop"))
    assert len(made.states) == 2  # the other took one or two


def test_a_wrong_message_is_forgotten_if_later_ones_fit_only_without_it():
    made = turns(LADDER, ("(to 1)",))
    before = made.state
    assert made.apply(("(to 9)",), repeated=False, lossy=True) is None  # no move could be missed
    assert made.state == before
    assert made.apply(("(to 4)",), repeated=False, lossy=True).added == (None, ("(to 4)",))
    assert made.apply(("(to 2)",), repeated=False, lossy=True) == JointsChange(1, (("(to 2)",),), None)
    assert made.apply(("(to 3)",), repeated=False, lossy=True).added == (("(to 3)",),)
    assert made.joints == [("(to 1)",), ("(to 2)",), ("(to 3)",)]


def test_a_lost_message_is_guessed_also_from_the_move_of_one_role_alone():
    """Gamemaster tells only the move of the role in control."""
    made = turns(source_text("breakthrough"))
    made.answered = "(move 1 2 1 3)"
    assert made.apply(("(move 1 5 1 4)",), repeated=False, lossy=True).added[0] is None
    assert made.state == reached(made.machine, [("(move 1 2 1 3)", "noop"), ("noop", "(move 1 5 1 4)")])


def test_the_move_of_another_role_alone_says_nothing_about_our_answer():
    made = turns(STONES, ("(take 1)", "noop"))
    made.answered = "noop"
    assert made.apply(("(take 1)",), repeated=False, lossy=True)
    assert made._replaces_ours(("(take 2)", "noop")) is False
    made.answered = "noop"
    assert not made._replaces_ours(("(take 2)",))
    assert made._replaces_ours(("(take 2)", "noop"))


def test_a_manager_that_asks_only_the_role_in_control_leaves_no_doubt():
    made = turns(source_text("breakthrough"))
    state = made.machine.initial()
    for _ in range(6):
        ours = str(made.machine.legal(state)[0][0])
        made.answered = ours
        state = made.machine.next(state, [made.machine.legal(state)[0][0], made.machine.legal(state)[1][0]])
        told = made.machine.legal(state)
        joint = [told[0][0], told[1][-1]]
        state = made.machine.next(state, joint)
        assert made.apply(tuple(map(str, joint)), repeated=False, lossy=True).added[0] is None
        assert made.states == (state,)


def test_a_wrong_message_is_forgotten_also_by_another_machine():
    made = turns(LADDER, ("(to 1)",))
    assert made.apply(("(to 4)",), repeated=False, lossy=True)
    made.switch(machine(LADDER))
    assert made.apply(("(to 2)",), repeated=False, lossy=True) == JointsChange(1, (("(to 2)",),), None)
    assert made.state == reached(made.machine, [("(to 1)",), ("(to 2)",)])


def test_another_machine_explains_messages_that_the_one_before_could_not(monkeypatch):
    """The search for losses exceeds a limit of the relational engine, but not one of the circuit."""

    def explained(*_, **__):
        raise LimitError("too many facts", 1)

    made = turns(LADDER, ("(to 1)",))
    monkeypatch.setattr(Trail, "explained", explained)
    for number in range(3, 7):
        assert made.apply((f"(to {number})",), repeated=False, lossy=True) is None
    monkeypatch.undo()
    made.switch(machine(LADDER))
    assert made.apply(("(to 7)",), repeated=False, lossy=True)
    assert made.state == reached(made.machine, [(f"(to {number})",) for number in range(1, 8)])


def test_no_long_search_for_lost_messages_in_wide_positions(monkeypatch):
    for limit, lost in (("WIDEST", False), ("WIDE", True)):
        monkeypatch.setattr(turns_module, limit, 1)
        made = turns(STONES)
        made.answered = "(take 2)"
        assert (made.apply(("noop", "(take 1)"), repeated=False, lossy=True) is not None) == lost
        monkeypatch.undo()
    monkeypatch.setattr(turns_module, "WIDE", 1)
    assert turns(LADDER).apply(("(to 3)",), repeated=False, lossy=True) is not None
    made = turns(STONES)
    assert made.apply(("noop", "(take 3)"), repeated=False, lossy=True) is None


def test_an_older_message_that_comes_again_is_no_sign_of_a_lost_one():
    made = turns(STONES, ("(take 1)", "noop"), ("noop", "(take 2)"), ("(take 2)", "noop"))
    made.answered = "noop"
    assert made.apply(("(take 1)", "noop"), repeated=False, lossy=True, soon=True) == JointsChange(3)
    assert made.answered == "noop"
    assert made.apply(("(take 2)", "noop"), repeated=False, lossy=True, soon=True) == JointsChange(3)  # after the copy
    assert made.apply(("noop", "(take 1)"), repeated=False, lossy=True, soon=True).added == (("noop", "(take 1)"),)


@pytest.mark.parametrize(("role", "answers"), [(0, ("(take 1)", "noop")), (1, ("noop", "(take 1)"))])
def test_an_older_message_that_is_legal_now_is_taken_back(role, answers):
    """Also if it has our answer, because roles that have to wait always answer the same."""
    made = turns(STONES, ("(take 2)", "noop"), ("noop", "(take 1)"), role=role)
    made.answered = answers[0]
    assert made.apply(("(take 2)", "noop"), repeated=False, lossy=True, soon=True)
    made.answered = answers[1]
    assert made.apply(("(take 1)", "noop"), repeated=False, lossy=True, soon=True).keep == 2
    assert made.joints == [("(take 2)", "noop"), ("noop", "(take 1)"), ("(take 1)", "noop")]
    assert made.state == reached(made.machine, made.joints)


@pytest.mark.parametrize("later", [0, 3])
def test_a_gap_is_kept_if_no_time_was_left_to_find_the_moves_in_it(monkeypatch, later):
    """The next message is taken in with or without the one that did not fit; another process hears of the gap."""
    monkeypatch.setattr("agent.worker.turns.WIDE", 0)  # so that no further lost message is assumed
    steps = "".join(f"(step {n} {n + 1})" for n in range(9))
    rules = f"(role a) (init (at 0)) {steps} (<= terminal (true (at 9))) (goal a 100)"
    rules += "(<= (legal a (go ?x)) (true (at ?x)) (step ?x ?y)) (<= (next (at ?y)) (does a (go ?x)) (step ?x ?y))"
    made = turns(rules, ("(go 0)",))
    assert made.apply(("(go 3)",), repeated=False, gap=True, lossy=True, over=lambda: True) is None
    assert made.apply((f"(go {later + 1})",), repeated=False, lossy=True)
    assert made.joints[:2] == [("(go 0)",), None]
    assert made.joints[-1] == (f"(go {later + 1})",)
    again = turns(rules)
    assert again.replay(made.joints)
    assert again.states == made.states


def test_a_second_late_copy_is_taken_back_like_the_first():
    """The first copy, once it is taken back, no longer counts among the last messages, which may come again."""
    rules = STONES.replace("(init (heap 9))", "(init (heap 12)) (less 12 1 11) (less 11 1 10) (less 10 1 9)")
    rules += "(<= (less ?a 3 ?c) (less ?a 2 ?b) (less ?b 1 ?c))"
    waiting = ("noop", "(take 1)")
    made = turns(rules, ("(take 1)", "noop"), waiting, ("(take 2)", "noop"), waiting, role=1)
    for copy, told in (("(take 1)", "(take 3)"), ("(take 2)", "(take 1)")):
        made.answered = "noop"
        assert made.apply((copy, "noop"), repeated=False, lossy=True, soon=True)
        made.answered = "(take 1)"
        assert made.apply((told, "noop"), repeated=False, lossy=True, soon=True)
        assert made.apply(waiting, repeated=False, lossy=True, soon=True)
    taken = ("(take 1)", "(take 2)", "(take 3)", "(take 1)")
    assert made.joints == [joint for move in taken for joint in ((move, "noop"), waiting)]


def test_a_turn_equal_to_an_earlier_one_is_not_taken_back_for_a_message_without_our_answer_to_it():
    """The message after a late copy with our answer has that answer, too; here an older message is the late copy."""
    waiting = ("noop", "(take 1)")
    told = [("(take 1)", "noop"), waiting, ("(take 2)", "noop"), waiting, ("(take 1)", "noop")]
    made = turns(STONES, *told)
    made.answered = "noop"
    assert made.apply(told[2], repeated=False, lossy=True, soon=True) == JointsChange(5)
    assert made.joints == told


def test_older_moves_in_a_message_after_a_whole_clock_are_new_after_a_lost_one():
    made = turns(STONES, ("(take 1)", "noop"), ("noop", "(take 2)"), ("(take 1)", "noop"), ("noop", "(take 1)"))
    made.answered = "(take 1)"  # the message of this move is lost
    assert made.apply(("noop", "(take 2)"), repeated=False, lossy=True).added == (None, ("noop", "(take 2)"))


def test_a_message_that_arrives_after_the_next_one_fills_the_gap():
    made = turns(STONES, ("(take 1)", "noop"), ("noop", "(take 1)"))
    made.answered = "(take 1)"
    assert made.apply(("noop", "(take 2)"), repeated=False, lossy=True).added[0] is None
    made.answered = "(take 2)"
    applied = made.apply(("(take 1)", "noop"), repeated=False, lossy=True, soon=True)
    assert applied == JointsChange(2, (("(take 1)", "noop"), ("noop", "(take 2)")))
    assert made.state == reached(made.machine, made.joints)
    assert made.answered is None


def test_messages_that_fitted_no_state_count_when_there_is_time_to_find_the_missed_moves(monkeypatch):
    made = turns(LADDER, ("(to 1)",))
    monkeypatch.setattr(turns_module, "WIDEST", 0)
    for number in (3, 4, 5, 6):  # the message of (to 2) is lost
        assert made.apply((f"(to {number})",), repeated=False, lossy=True) is None
    monkeypatch.undo()
    told = tuple((f"(to {number})",) for number in (3, 4, 5, 6, 7))
    assert made.apply(told[-1], repeated=False, lossy=True) == JointsChange(1, (None, *told))
    assert made.state == reached(made.machine, [(f"(to {number})",) for number in range(1, 8)])


def test_a_state_is_found_also_without_time_for_others():
    made = turns(STONES, ("(take 1)", "noop"))
    made.answered = "noop"
    assert made.apply(("(take 1)", "noop"), repeated=False, lossy=True, over=lambda: True)
    assert len(made.states) == 1


def test_a_second_lost_message_is_assumed_before_more_of_the_first_gap():
    made = turns(STONES, ("(take 1)", "noop"))
    for _ in range(2):  # each time the move of the other is lost
        made.answered = "noop"
        calls = count()
        assert made.apply(("(take 1)", "noop"), repeated=False, lossy=True, over=lambda calls=calls: next(calls) > 16)
    lost = [[("noop", f"(take {n})"), ("(take 1)", "noop"), ("noop", f"(take {m})")] for n in (1, 2) for m in (1, 2)]
    told = ("(take 1)", "noop")
    assert set(made.states) == {reached(made.machine, [told, *joints, told]) for joints in lost}


def test_after_a_restart_that_lost_nothing_a_later_loss_is_found():
    made = turns(WAITING)
    assert made.apply(("(to 1)",), repeated=False, gap=True)
    for number in (2, 3, 4, 5):
        assert made.apply((f"(to {number})",), repeated=False, lossy=True)
    assert made.apply(("(to 7)",), repeated=False, lossy=True).added == (None, ("(to 7)",))
    assert made.state == reached(made.machine, [(f"(to {number})",) for number in range(1, 8)])


def test_a_loss_is_found_before_a_message_that_was_legal_without_it():
    """The other player waited after the first message; only the third one cannot follow directly."""
    steps = "".join(f"(after {n} {n + 1})" for n in range(9))
    rules = (
        f"(role a) (role b) (init (sum 0)) {steps} (legal a noop) (<= terminal (true (sum 9))) (goal a 1) (goal b 1)"
    )
    rules += "(<= (legal b up) (true (sum ?n))) (<= (legal b (at ?n)) (true (sum ?n)) (after ?n ?m))"
    rules += "(<= (next (sum ?m)) (does b up) (true (sum ?n)) (after ?n ?m))"
    rules += "(<= (next (sum ?n)) (does b (at ?m)) (true (sum ?n)))"
    made = turns(rules, ("noop", "up"))
    for told in (("noop", "up"), ("noop", "(at 4)")):  # two messages were lost before the first of them
        made.answered = "noop"
        assert made.apply(told, repeated=False, lossy=True)
    assert made.state == reached(made.machine, [("noop", "up")] * 4 + [("noop", "(at 4)")])
    made = turns(rules, ("noop", "up"))
    assert made.replay([("noop", "up"), None, ("noop", "(at 4)")], never)
    assert made.states == (reached(made.machine, [("noop", "up")] * 4 + [("noop", "(at 4)")]),)


PIECES = (
    "(role a) (role b) (piece x) (piece y) (piece z)"
    "(<= (init (home ?p)) (piece ?p)) (init (turn a)) (<= terminal (true (home none))) (goal a 1) (goal b 1)"
    "(<= (next (turn a)) (true (turn b))) (<= (next (turn b)) (true (turn a)))"
    "(<= (legal a (move ?p)) (true (turn a)) (true (home ?p))) (<= (legal a (wait ?p)) (true (turn a)) (piece ?p))"
    "(<= (legal a noop) (true (turn b))) (<= (legal b noop) (true (turn a)))"
    "(<= (legal b (wait ?p)) (true (turn b)) (piece ?p))"
    "(<= (next (home ?p)) (true (home ?p)) (not (does a (move ?p))))"
)
"""Role a moves a piece away or waits, role b waits."""


def test_an_answer_that_may_be_lost_is_not_relied_on_if_the_message_after_it_was_lost():
    """The next message fits if our answer was played. But the manager may have moved another piece."""
    made = turns(PIECES)
    made.answered = "(move x)"
    assert made.apply(("noop", "(wait x)"), repeated=False, lossy=True)  # for (move y), whose message was lost
    assert made.states == (reached(made.machine, [("(move x)", "noop"), ("noop", "(wait x)")]),)
    assert made.unsure
    assert {str(move) for move in made.favourites(never)} == {"(wait x)", "(wait y)", "(wait z)"}  # legal in all
    made.answered = "(move y)"
    assert made.apply(("(wait z)", "noop"), repeated=False, lossy=True).terms  # ours was illegal, or was lost again
    moved = [
        reached(made.machine, [joint, ("noop", "(wait x)"), ("(wait z)", "noop")])
        for joint in (("(move x)", "noop"), ("(move y)", "noop"))
    ]
    assert set(made.states) == set(moved)
    made.answered = "noop"
    assert made.apply(("noop", "(wait x)"), repeated=False, lossy=True)
    assert [str(move) for move in made.favourites(never) if str(move).startswith("(move")] == ["(move z)"]


def test_states_in_which_the_game_is_over_are_left_out_while_the_manager_asks_on():
    made = turns(STONES, ("(take 2)", "noop"), ("noop", "(take 2)"), ("(take 2)", "noop"))
    made.answered = "noop"  # the other takes one or two of three, we take one more
    assert made.apply(("(take 1)", "noop"), repeated=False, lossy=True)
    told = [
        ("(take 2)", "noop"),
        ("noop", "(take 2)"),
        ("(take 2)", "noop"),
        ("noop", "(take 1)"),
        ("(take 1)", "noop"),
    ]
    assert made.states == (reached(made.machine, told),)


def test_a_message_after_a_whole_clock_is_no_late_one():
    made = turns(STONES, ("(take 1)", "noop"), ("noop", "(take 1)"))
    made.answered = "(take 1)"
    assert made.apply(("noop", "(take 2)"), repeated=False, lossy=True)
    made.answered = "(take 2)"
    assert made.apply(("(take 1)", "noop"), repeated=False, lossy=True).keep == 4
    assert made.state == reached(made.machine, [*made.joints[:2], ("(take 1)", "noop"), *made.joints[3:]])


def test_a_stray_nil_leaves_the_doubt_of_before():
    made = turns(STONES, ("(take 1)", "noop"))
    made.apply(("(take 1)", "noop"), repeated=False, gap=True)
    states = made.states
    assert len(states) == 2
    made.apply(None, repeated=False)
    made.apply(("(take 1)", "noop"), repeated=False)  # the last message again
    assert made.states == states
