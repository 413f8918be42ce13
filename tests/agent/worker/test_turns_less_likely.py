"""The states that are possible if one more answer was lost, beside the likely ones."""

from contextlib import suppress
from itertools import count

import pytest

from agent.worker.turns import Turns
from reasoner.errors import LimitError
from tests.agent.rules import STONES, machine

# One player goes to any of three places; the last one ends the game.
MEETING = (
    "(role a) (init (at 0)) (place 1) (place 2) (place 3) (<= (legal a (to ?x)) (place ?x)) "
    "(<= (next (at ?x)) (does a (to ?x))) (<= terminal (true (at 3))) (goal a 100)"
)


def test_less_likely_states_that_become_equal_to_the_likely_one_are_forgotten():
    made = Turns(machine(MEETING), 0)
    made._further = (made.machine.next(made.state, made.machine.legal(made.state)[0][:1]),)
    assert made.unsure
    assert made.apply(("(to 2)",), repeated=False)
    assert not made.unsure


def test_moves_are_not_told_as_those_to_a_state_if_they_lead_to_another_one():
    """The player goes on below the moves that it gets."""
    made = Turns(machine(STONES), 0)
    made.states = tuple(made.machine.state([f"(heap {stones})", "(turn first)"]) for stones in (2, 5))
    applied = made.apply(("(take 2)", "noop"), repeated=False)  # the game is over in the first
    assert not made.unsure
    assert applied.added == (("(take 2)", "noop"),)
    assert applied.terms is None


@pytest.mark.parametrize("question", ["legal", "next", "terminal"])
@pytest.mark.parametrize("fails_at", range(1, 9))
def test_moves_are_applied_once_if_a_limit_was_exceeded_in_the_middle(monkeypatch, question, fails_at):
    """The session applies the moves again once it has a faster machine."""
    made, other = (after_a_lost_message() for _ in range(2))
    other.apply(("noop", "(take 1)"), repeated=False, lossy=True)
    ask, asked = getattr(made.machine, question), count(1)

    def limited(*about):
        if next(asked) == fails_at:
            raise LimitError("too slow", "time")
        return ask(*about)

    monkeypatch.setattr(made.machine, question, limited)
    with suppress(LimitError):
        made.apply(("noop", "(take 1)"), repeated=False, lossy=True)
        return
    made.apply(("noop", "(take 1)"), repeated=False, lossy=True)
    assert (made.joints, made.states, made._further) == (other.joints, other.states, other._further)


def after_a_lost_message():
    """The other role took one or, less likely, two."""
    made = Turns(machine(STONES), 0)
    made.states, made._further = ((made.machine.state([f"(heap {n})", "(turn second)"]),) for n in (7, 6))
    made.joints, made.answered = [("(take 1)", "noop")], "noop"
    return made
