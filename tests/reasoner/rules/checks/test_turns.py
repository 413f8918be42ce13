"""Roles that never get the turn."""

from __future__ import annotations

import pytest

from tests.reasoner.rules.sheets import diagnosed, underlined

_TURNS = """
(role white) (role black) (init (turn white 1)) (init (free 1)) (other white black) (other black white)
(<= (legal ?p (mark ?x)) (true (turn ?p ?n)) (true (free ?x)))
(<= (legal ?p noop) (other ?p ?q) (true (turn ?q ?n)))
(<= (next (turn ?p ?n)) (true (turn ?p ?n)))
(<= (next (free ?x)) (true (free ?x)) (not (does white (mark ?x))))
(<= terminal (not (true (free 1))))
(<= (goal ?p 50) (role ?p))
"""
_PASSED_ON = "(<= (next (turn ?q ?n)) (true (turn ?p ?n)) (other ?p ?q))"
_OPERATIONS = """
role(white) role(black) init(control(white)) init(free(1))
legal(mark(X)) :- free(X)
mark(X) :: control(R) ==> ~free(X)
terminal :- ~free(1)
goal(R,50) :- role(R)
"""


@pytest.mark.parametrize(
    ("text", "fact"), [(_TURNS, "(turn black ?n)"), (_OPERATIONS, "control(black)")], ids=["kif", "operations"]
)
def test_a_role_that_never_gets_the_turn_is_reported(text: str, fact: str):
    (fault,) = [fault for fault in diagnosed(text) if fault.code == "never-moves"]
    assert fault.message == f"black never has a move other than noop: no state contains {fact}"
    assert underlined(text, fault) == "black"


@pytest.mark.parametrize(
    "extra",
    [_PASSED_ON, "(init (turn black 2))", "(<= (legal black (take ?x)) (true (free ?x)))", "(legal black rest)"],
    ids=["turn passed on", "two turns", "moves of its own", "a choice"],
)
def test_a_role_with_a_turn_or_a_choice_is_not_reported(extra: str):
    assert [fault for fault in diagnosed(_TURNS + extra) if fault.code == "never-moves"] == []
