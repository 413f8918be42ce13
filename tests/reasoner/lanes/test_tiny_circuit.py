"""The circuit written by hand is that of its rules."""

import pytest

from reasoner import load
from reasoner.lanes.tiny_circuit import RULES, machine_by_hand


@pytest.mark.parametrize("emitter", [None, "portable"])
def test_it_plays_as_the_relational_engine_and_the_circuit_that_is_built_do(emitter):
    by_hand, built, slow = machine_by_hand(emitter), load(RULES, "circuit"), load(RULES, "relational")
    states = [[each.initial()] for each in (by_hand, built, slow)]
    for move in ("wait", "press"):
        for each, past in zip((by_hand, built, slow), states, strict=True):
            past.append(each.next(past[-1], (move, "noop")))
    for here, there, slowly in zip(*states, strict=True):
        assert by_hand.facts(here) == built.facts(there) == slow.facts(slowly)
        assert by_hand.legal(here) == built.legal(there) == slow.legal(slowly)
        assert by_hand.terminal(here) == built.terminal(there) == slow.terminal(slowly)
        assert by_hand.goal(here) == built.goal(there) == slow.goal(slowly)
    assert by_hand.terminal(states[0][-1])


def test_its_random_games_end_and_the_one_who_presses_wins():
    machine = machine_by_hand(None)
    found = machine.playouts(machine.initial(), count=600, seed=1)
    assert found.finished.all()
    assert (found.goals == [100, 0]).all()
