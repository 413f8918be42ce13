"""The states that are possible if one more answer was lost, beside the likely ones."""

from agent.worker.turns import Turns
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
    """The player goes on below the moves that it is told."""
    made = Turns(machine(STONES), 0)
    made.states = tuple(made.machine.state([f"(heap {stones})", "(turn first)"]) for stones in (2, 5))
    applied = made.apply(("(take 2)", "noop"), repeated=False)  # the game is over in the first
    assert not made.unsure
    assert applied.added == (("(take 2)", "noop"),)
    assert applied.terms is None
