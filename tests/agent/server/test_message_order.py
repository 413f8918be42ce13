"""The turn numbers of a GDL-II match tell repeated messages from new ones, and lost ones."""

from agent.protocol.observation import MOST_MISSED
from agent.server.message_order import MessageOrder


def told(turn, move="go"):
    return (f"observed {turn}", move, "(found nothing)")


def gaps(*turns, order=None):
    order = order or MessageOrder()
    return [order.gap_before(told(turn, move="go" if turn else "NIL")) for turn in turns]


def test_messages_in_order_follow_without_a_gap():
    assert gaps(0, 1, 2, 3) == [False] * 4
    assert gaps(1, 2) == [False] * 2


def test_a_number_that_is_left_out_shows_a_lost_message():
    assert gaps(0, 1, 3, 4, 7) == [False, False, True, False, True]
    assert gaps(2) == [True]  # the first two messages


def test_a_turn_that_was_received_is_a_repetition():
    order = MessageOrder()
    assert not order.is_old(told(0, "NIL"))
    gaps(0, 1, 2, order=order)
    assert [order.is_old(told(turn)) for turn in range(4)] == [True, True, True, False]


def test_the_order_go_on_after_a_restart():
    order = MessageOrder(told(20))
    assert order.is_old(told(20))
    assert gaps(21, 23, order=order) == [False, True]


def test_one_number_that_is_far_too_large_does_not_end_the_numbering():
    order = MessageOrder(told(2))
    assert gaps(1_000_000, 4, 6, order=order) == [False, False, True]
    assert gaps(*range(0, 100, MOST_MISSED + 2)) == [False] * 10  # numbered in another way


def test_messages_without_a_number_are_left_to_the_rules():
    order = MessageOrder(("go", "wait"))
    assert not order.is_old(("go", "wait"))
    assert not order.gap_before(("wait", "go"))


def test_only_the_last_messages_but_one_can_be_late():
    order = MessageOrder()
    for number in range(6):
        order.gap_before((f"x{number}",))
    assert [order.is_late((f"x{number}",)) for number in range(7)] == [False, False, True, True, True, False, False]
    order.gap_before(("x3",))
    assert not order.is_late(("x3",))


def test_messages_may_have_been_missed_before_a_restart_unless_the_last_one_comes_again():
    for last, again, missed in ((("x1",), ("x0",), True), (("x1",), ("x1",), False), (None, None, False)):
        order = MessageOrder(last, resumed=True)
        order.came_again(again)
        assert [order.gap_before(moves) for moves in (("x2",), ("x3",))] == [missed, False]
    assert not MessageOrder(resumed=True).gap_before(None)  # the first message


def test_a_copy_from_before_a_restart_is_late():
    order = MessageOrder(("x3",), [("x1",), ("x2",)], resumed=True)
    assert [order.is_late((f"x{number}",)) for number in range(5)] == [False, True, True, False, False]
