"""Percepts are stored in the place of joint moves, and are never mistaken for one."""

import pytest

from agent.protocol.messages import ImperfectPlay
from agent.protocol.observation import Observed, is_observed, item_of, item_of_missed, item_of_percepts, observed
from agent.protocol.read import read_message


def test_a_message_is_kept_and_read_again():
    item = item_of(read_message("(PLAY m 3 (look 2) ((found nothing) noise))"))
    assert is_observed(item)
    assert observed(item) == Observed(3, "(look 2)", ("(found nothing)", "noise"))
    assert observed(item_of(ImperfectPlay("m", 0, "NIL", ()))) == Observed(0, None, ())


@pytest.mark.parametrize("item", [None, (), ("noop", "(mark 1 1)"), ("(observed 1)", "noop")])
def test_a_joint_move_is_no_observation(item):
    assert not is_observed(item)
    if item:
        with pytest.raises(ValueError, match="joint move"):
            observed(item)


def test_a_move_that_was_asked_for_is_distinguished_from_one_that_was_made():
    item = item_of_percepts(2, "(look 2)", ("noise",))
    assert is_observed(item)
    assert observed(item) == Observed(2, "(look 2)", ("noise",), asked=True)


def test_a_lost_message_is_stored_with_our_answer():
    item = item_of_missed(2, "(look 2)")
    assert is_observed(item)
    assert observed(item) == Observed(2, "(look 2)", (), missed=True)
