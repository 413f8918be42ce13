import pytest

from agent.worker.turns import JointsChange, Turns, spelled
from reasoner.language.parse import read_term
from tests.agent.rules import ALIKE, LADDER, WAITING, machine, reached

TO = [(f"(to {n})",) for n in range(21)]


def test_moves_lead_on_from_the_state_before():
    turns = Turns(machine(LADDER), 0)
    assert turns.apply(None, repeated=False) == JointsChange(0)
    assert turns.apply(TO[1], repeated=False) == JointsChange(0, (TO[1],), (read_term("(to 1)"),))
    assert turns.apply(TO[2], repeated=False) == JointsChange(1, (TO[2],), (read_term("(to 2)"),))
    assert turns.joints == TO[1:3]


def test_moves_repeated_are_the_same_turn_where_they_are_not_legal_again():
    turns = Turns(machine(LADDER), 0)
    turns.apply(TO[1], repeated=False)
    turns.answered = "(to 2)"
    assert turns.apply(TO[1], repeated=True) == JointsChange(1)
    assert turns.answered == "(to 2)"


def test_moves_repeated_are_a_new_turn_where_they_are_legal_and_hold_our_answer():
    turns = Turns(machine(ALIKE), 0)
    turns.apply(("wait", "go"), repeated=False)
    turns.answered = "wait"
    assert turns.apply(("wait", "go"), repeated=True).added == (("wait", "go"),)
    assert turns.answered is None


def test_moves_repeated_are_the_same_turn_where_they_hold_another_move_than_our_answer():
    turns = Turns(machine(ALIKE), 0)
    turns.apply(("wait", "go"), repeated=False)
    turns.answered = "go"
    assert turns.apply(("wait", "go"), repeated=True) == JointsChange(1)


def test_a_turn_mistaken_for_a_repetition_is_corrected_by_the_next_moves():
    turns = Turns(machine(WAITING), 0)
    turns.apply(("wait",), repeated=False)
    turns.answered = "(to 2)"  # but the manager played wait in its place
    assert turns.apply(("wait",), repeated=True) == JointsChange(1)
    assert turns.apply(TO[3], repeated=False) == JointsChange(1, (("wait",), TO[3]), None)
    assert turns.joints == [("wait",), ("wait",), TO[3]]


def test_a_repetition_taken_for_a_turn_is_taken_back_when_the_next_moves_fit_only_so():
    turns = Turns(machine(WAITING), 0)
    turns.apply(("wait",), repeated=False)
    turns.answered = "wait"  # but the manager did not get it, and asked again
    assert turns.apply(("wait",), repeated=True).added == (("wait",),)
    assert turns.apply(TO[2], repeated=False) == JointsChange(1, (TO[2],), None)
    assert turns.joints == [("wait",), TO[2]]


def test_moves_that_fit_no_reading_change_nothing():
    turns = Turns(machine(LADDER), 0)
    turns.apply(TO[1], repeated=False)
    before = turns.state
    for wrong in (TO[5], ("nonsense",), ("(to 2)", "(to 2)"), ()):
        assert turns.apply(wrong, repeated=False) is None
    assert (turns.joints, turns.state) == ([TO[1]], before)


def test_nil_restarts_and_keeps_what_was_answered_first():
    turns = Turns(machine(LADDER), 0)
    turns.apply(None, repeated=False)
    turns.answered = "(to 1)"
    turns.apply(None, repeated=True)
    assert turns.answered == "(to 1)"
    turns.apply(TO[1], repeated=False)
    assert turns.apply(None, repeated=False) == JointsChange(0)
    assert (turns.joints, turns.answered) == ([], None)


def test_moves_that_fit_only_the_match_before_a_stray_nil_continue_that_match():
    turns = Turns(machine(LADDER), 0)
    turns.apply(TO[1], repeated=False)
    turns.apply(TO[2], repeated=False)
    turns.apply(None, repeated=False)  # the first message came again, late
    assert turns.apply(TO[3], repeated=False) == JointsChange(0, tuple(TO[1:4]), None)
    assert turns.apply(TO[4], repeated=False) == JointsChange(3, (TO[4],), (read_term("(to 4)"),))


def test_moves_that_fit_after_a_nil_and_before_it_are_decided_by_the_next_ones():
    turns = Turns(machine(WAITING), 0)
    turns.apply(TO[1], repeated=False)
    turns.apply(None, repeated=False)
    assert turns.apply(("wait",), repeated=False).added == (("wait",),)
    assert turns.apply(TO[3], repeated=False) == JointsChange(0, (TO[1], ("wait",), TO[3]), None)


def test_our_part_of_the_next_moves_tells_a_stray_nil_from_a_new_match():
    """Moves that are legal in both matches were applied to the new one, and all later answers were wrong."""
    for answered, again, moves, goes_on in (
        ("wait", "(to 1)", ("wait",), True),  # the answer of before
        ("(to 2)", "(to 1)", ("wait",), False),  # neither
        ("(to 2)", "wait", ("wait",), False),
    ):
        turns = Turns(machine(WAITING), 0)
        turns.apply(TO[1], repeated=False)
        turns.answered = answered
        turns.apply(None, repeated=False)
        turns.answered = again
        turns.apply(moves, repeated=False)
        assert turns.joints == [TO[1]] * goes_on + [moves]


def test_the_last_moves_again_after_a_stray_nil_continue_the_match_before_it():
    """A connection was slow and another retried; the retry was taken for the first moves of a new match."""
    turns = Turns(machine(WAITING), 0)
    turns.apply(TO[1], repeated=False)
    turns.apply(("wait",), repeated=False)
    facts, turns.answered = turns.machine.facts(turns.state), "wait"
    turns.apply(None, repeated=False)
    turns.switch(machine(WAITING))
    assert turns.apply(("WAIT",), repeated=False) == JointsChange(0, (TO[1], ("wait",)))
    assert (set(turns.machine.facts(turns.state)), turns.answered) == (set(facts), "wait")


# Two roles choose one of two moves at a time, for six steps; from the second step on, a third move names the step.
STEPS = """
(role a) (role b) (init (step 0)) (then 0 1) (then 1 2) (then 2 3) (then 3 4) (then 4 5) (then 5 6)
(<= (legal ?r c) (role ?r)) (<= (legal ?r d) (role ?r))
(<= (legal ?r (late ?n)) (role ?r) (true (step ?n)) (distinct ?n 0) (distinct ?n 1))
(<= (next (step ?n)) (true (step ?m)) (then ?m ?n)) (<= terminal (true (step 6))) (<= (goal ?r 50) (role ?r))
"""
BOTH, OTHER, MIXED = ("c", "c"), ("c", "d"), ("d", "c")


@pytest.mark.parametrize(
    ("messages", "joints"),
    [
        # a new match, whose first moves are the last ones of the match before, but hold our answer to the NIL
        ([(None, "c"), (BOTH, "d"), (MIXED, "d"), (None, "d"), (MIXED, "c")], [MIXED]),
        # a stray NIL; then the same moves as a new turn, which shows one message later
        (
            [(None, "c"), (BOTH, "c"), (None, "c"), (BOTH, "c"), (("c", "(late 2)"), "c")],
            [BOTH, BOTH, ("c", "(late 2)")],
        ),
        # a stray NIL; two more messages fit both matches
        (
            [(None, "c"), (BOTH, "c"), (None, "c"), (OTHER, "c"), (OTHER, "c"), (("c", "(late 3)"), "c")],
            [BOTH, OTHER, OTHER, ("c", "(late 3)")],
        ),
        # our move is replaced in a new match, and then one shows that it is new
        (
            [(None, "c"), *4 * [(BOTH, "c")], (None, "c"), (OTHER, "c"), (("d", "d"), "c"), (("c", "(late 2)"), "c")],
            [OTHER, ("d", "d"), ("c", "(late 2)")],
        ),
    ],
)
def test_what_follows_a_nil_tells_whether_it_began_a_new_match(messages, joints):
    turns = Turns(machine(STEPS), 0)
    for joint, answer in messages:
        assert turns.apply(joint, repeated=False) is not None
        turns.answered = turns.answered or answer
    assert turns.joints == joints
    assert turns.state == reached(turns.machine, joints)


def test_after_a_stray_nil_whose_answer_nobody_got_the_match_goes_on_with_the_answer_before_it():
    turns = Turns(machine(WAITING), 0)
    turns.apply(TO[1], repeated=False)
    turns.answered = "wait"
    turns.apply(None, repeated=False)
    turns.apply(("wait",), repeated=False)
    assert turns.joints == [TO[1], ("wait",)]


def test_another_machine_continues_in_the_same_state():
    turns = Turns(machine(LADDER), 0)
    turns.apply(TO[1], repeated=False)
    other = machine(LADDER)
    turns.switch(other)
    assert turns.machine is other
    assert other.facts(turns.state) == {read_term("(at 1)")}


def test_letters_may_differ_in_case_unless_that_is_ambiguous():
    legal = [[read_term("Go"), read_term("stay")], [read_term("a"), read_term("A")]]
    assert spelled(("GO", "a"), legal) == (read_term("Go"), read_term("a"))
    assert spelled(("Go", "A"), legal) == (read_term("Go"), read_term("A"))
    assert spelled(("go", "b"), legal) is None
    assert spelled(("go",), legal) is None
