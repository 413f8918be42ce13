"""How often something may begin is counted for each sender."""

import pytest

from agent.server.rate import SENDERS, Rate


def test_each_sender_has_a_minute_of_its_own():
    rate = Rate(2)
    for now in (0.0, 30.0):
        rate.count("10.0.0.1", now)
    assert rate.full("10.0.0.1", 59.0)
    assert not rate.full("10.0.0.2", 59.0)
    assert not rate.full("10.0.0.1", 61.0)


@pytest.mark.parametrize(
    ("address", "same", "other"),
    [
        ("2001:db8::1", "2001:db8::ffff:2", "2001:db8:0:1::1"),
        ("::ffff:10.0.0.1", "10.0.0.1", "::ffff:10.0.0.2"),
        ("fe80::1%eth0", "fe80::1", "10.0.0.1"),
        ("", "", "?"),
    ],
)
def test_a_sender_is_a_network_where_one_sender_has_a_whole_network(address, same, other):
    rate = Rate(1)
    rate.count(address, 0.0)
    assert (rate.full(same, 1.0), rate.full(other, 1.0)) == (True, False)


def test_only_so_many_senders_are_remembered():
    rate = Rate(1)
    for number in range(SENDERS + 1):
        rate.count(f"10.0.{number // 256}.{number % 256}", 0.0)
    assert not rate.full("10.0.0.0", 1.0)
    assert rate.full("10.0.0.1", 1.0)
