import asyncio

import pytest

from agent.errors import SettingsError
from agent.server.gate import CROWDED, STRANGER, ConnectionState, Gate, networks
from agent.server.metrics import Metrics
from agent.settings import load_settings
from tests.agent.server.client import agent


class Guest:
    """A connection that remembers how it was sent away."""

    def __init__(self, standing=ConnectionState.RECEIVING, received=0):
        self.standing = standing
        self.received = received
        self.told = None

    def send_away(self, *told):
        self.told = told


def gate(**flags):
    settings = load_settings(environment={}, flags={f"server.{key}": value for key, value in flags.items()})
    return Gate(settings.server, Metrics())


@pytest.mark.parametrize(
    ("address", "allowed"),
    [
        ("10.1.2.3", True),
        ("127.0.0.1", True),
        ("::1", True),
        ("::ffff:10.1.2.3", True),
        ("fe80::1%eth0", False),
        ("11.0.0.1", False),
        ("", False),
        (None, False),
    ],
)
def test_only_senders_on_the_list_are_let_in(address, allowed):
    found = gate(allow="10.0.0.0/8, 127.0.0.1,::1").enter(Guest(), address)
    assert found == (None if allowed else STRANGER)


def test_without_a_list_everybody_is_let_in():
    assert gate().enter(Guest(), None) is None


def test_a_list_that_is_none_is_one_clear_message():
    with pytest.raises(SettingsError, match=r"server\.allow: 'localhost' is no address or network; write 127"):
        networks("10.0.0.0/8, localhost")


def test_the_slowest_sender_makes_room_for_the_next():
    door = gate(connections=2)
    waiting, slow, fresh = Guest(ConnectionState.ASKED), Guest(), Guest()
    assert [door.enter(guest, "x") for guest in (waiting, slow, fresh)] == [None] * 3
    assert (waiting.told, slow.told, fresh.told) == (None, CROWDED, None)


def test_where_all_have_asked_the_next_must_come_again():
    door = gate(connections=1)
    first = Guest(ConnectionState.ASKED)
    assert door.enter(first, "x") is None
    assert door.enter(Guest(), "x") == CROWDED
    door.leave(first)
    assert door.enter(Guest(), "x") is None


def test_what_all_send_together_is_bounded_at_the_cost_of_the_slowest_that_have_sent_much():
    door = gate(bodies_mib=1)
    page, small, waiting, slow, fresh = guests = [
        Guest(),
        Guest(received=9),
        Guest(ConnectionState.ASKED),
        Guest(),
        Guest(),
    ]
    for guest in guests:
        assert door.enter(guest, "x") is None
    for guest in (waiting, slow, fresh):
        guest.received += 300 << 10
        door.received(300 << 10)
    assert {guest.told for guest in guests} == {None}
    fresh.received += 300 << 10
    door.received(300 << 10)
    assert [guest.told for guest in (page, small, waiting, slow, fresh)] == [None, None, None, CROWDED, None]


async def test_large_messages_that_never_end_keep_no_manager_out_and_no_memory():
    async with agent(server__bodies_mib=1) as a:
        slow = [await asyncio.open_connection(a.host, a.port) for _ in range(4)]
        for _, writer in slow:
            writer.write(b"POST / HTTP/1.0\r\nContent-Length: 9999999\r\n\r\n" + 400_000 * b"(")
            await writer.drain()
        assert b"503 Service Unavailable" in await slow[0][0].read()
        assert "available" in await a.ask("(INFO)")
        for _, writer in slow:
            writer.close()


async def test_a_stranger_gets_a_clear_answer():
    async with agent(server__allow="10.0.0.0/8") as a:
        status, text = await a.reply("(INFO)")
    assert (status, text) == STRANGER


async def test_a_crowd_of_slow_senders_keeps_no_manager_out():
    async with agent(server__connections=5) as a:
        slow = [await asyncio.open_connection(a.host, a.port) for _ in range(20)]
        for _, writer in slow:
            writer.write(b"POST / HTTP/1.0\r\nContent-Length: 100\r\n\r\n(")
        assert "available" in await a.ask("(INFO)")
        answers = [await reader.read() for reader, _ in slow[:10]]
        assert all(b"503 Service Unavailable" in answer and b"too many connections" in answer for answer in answers)
        for _, writer in slow:
            writer.close()
