"""The facts shown of a position are bounded in number and in characters."""

import pytest

from agent.worker import term_text
from agent.worker.term_text import MAX_CHARACTERS, fitting, moves_to_show, spelled, view_of
from reasoner import load
from reasoner.errors import ReasonerError
from reasoner.language.parse import read_term
from reasoner.language.terms import Constant

LONG = "x" * 3_000
RULES = (
    "(role a) (init (control a)) (<= (legal a noop) (true (control a)))"
    "(<= (goal a 0) (true (control a))) (<= (next (control a)) (true (control a))) (<= terminal (true (control b)))"
)
WIDE = RULES + "".join(f"(init (cell {n} {LONG}))" for n in range(200))


def test_of_a_position_as_many_facts_are_told_as_have_room():
    """Short ones all the same: whose turn it is stands in one."""
    machine = load(WIDE)
    facts = view_of(machine, machine.initial()).facts
    assert MAX_CHARACTERS - 4_000 < sum(map(len, facts)) <= MAX_CHARACTERS
    assert "(control a)" in facts


def test_texts_that_have_no_room_are_left_out_and_later_ones_not():
    assert fitting(["aaaa", "b", "cccc", "dd"], 5) == ["aaaa", "b"]
    assert fitting(["aaaa", "b", "cc"], 3) == ["b", "cc"]


def test_more_moves_than_can_be_shown_are_a_clear_error(monkeypatch):
    monkeypatch.setattr(term_text, "MAX_MOVE_CHARACTERS", 5)
    assert moves_to_show([[Constant("aaaaa")]]) == [["aaaaa"]]
    with pytest.raises(ReasonerError, match="more than 5 characters together; the page cannot show them"):
        moves_to_show([[Constant("aaa")], [Constant("bbb")]])


def legal(*roles):
    return [[read_term(move) for move in moves.split(", ")] for moves in roles]


def test_a_word_in_a_list_of_its_own_is_the_move():
    told = spelled(("(mark 1 1)", "(NOOP)"), legal("(mark 1 1), (mark 1 2)", "noop"))
    assert told is not None
    assert list(map(str, told)) == ["(mark 1 1)", "noop"]
    told = spelled(("(f)",), legal("f, (f)"))  # two moves
    assert told is not None
    assert list(map(str, told)) == ["(f)"]


@pytest.mark.parametrize("joint", [("mark", "1", "1"), ("(mark 1 1)",)])
def test_the_only_move_of_a_turn_needs_no_list_around_it(joint):
    told = spelled(joint, legal("noop", "(mark 1 1), (mark 1 2)"))
    assert told is not None
    assert list(map(str, told)) == ["noop", "(mark 1 1)"]
    assert spelled(joint, legal("(mark 1 1), noop", "(mark 1 1), (mark 1 2)")) is None  # whose move it is


def test_the_only_role_may_send_its_move_without_a_list():
    told = spelled(("push", "a"), legal("(push a), (push b)"))
    assert told is not None
    assert list(map(str, told)) == ["(push a)"]
