import asyncio
import contextlib
import os
import socket
from pathlib import Path
from types import SimpleNamespace

import pytest

from agent.errors import SettingsError
from agent.page import site
from agent.page.sketches import Sketches
from agent.serve import HTTP
from agent.server import connection
from agent.server.gate import CROWDED, STRANGER, ConnectionState, Gate, room_for_connections
from agent.server.metrics import Metrics
from agent.server.networks import networks
from agent.server.waiters import FOR_ONE_ANSWER
from agent.settings import load_settings
from tests.agent.rules import STONES
from tests.agent.server.client import agent
from tests.waiting import until


class Guest:
    """A connection that remembers how it was sent away."""

    def __init__(self, standing=ConnectionState.RECEIVING, received=0, ended=False, for_page=False, address="x"):
        self.standing = standing
        self.received = received
        self.ended = ended
        self.for_page = for_page
        self.address = address
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
    with pytest.raises(SettingsError, match=r"server\.allow: 'localhost' is not an address or network; examples: 127"):
        networks(SimpleNamespace(allow="10.0.0.0/8, localhost"), "allow")


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


def test_unread_bytes_of_all_connections_are_bounded_by_closing_the_slowest_large_ones():
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
        door.received(guest, 300 << 10)
    assert {guest.told for guest in guests} == {None}
    fresh.received += 300 << 10
    door.received(fresh, 300 << 10)
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


def test_bytes_are_given_back_when_a_request_was_read_or_answered():
    """One connection may send as much as it likes, one request after the other."""
    door = gate(bodies_mib=1)
    busy, manager = Guest(), Guest()
    for guest in (busy, manager):
        assert door.enter(guest, "x") is None
    for _ in range(10):
        busy.received += 300 << 10
        door.received(busy, 300 << 10)
        door.understood(busy)
        busy.received = 0
    manager.received = 200 << 10
    door.received(manager, 200 << 10)
    assert (busy.told, manager.told) == (None, None)
    door.leave(busy)
    door.received(busy, 900 << 10)  # what comes from those who have left counts for nothing
    door.received(manager, 300 << 10)
    assert manager.told is None


def test_where_more_have_left_than_are_sending_those_make_room():
    """A client that closes its side may still wait, as old managers do: it goes only where many such stand around."""
    door = gate(connections=3)
    left = [Guest(ConnectionState.ASKED, ended=True) for _ in range(2)]
    sending, fresh, more = Guest(), Guest(), Guest()
    for guest in (*left, sending, fresh):
        assert door.enter(guest, "x") is None
    assert [guest.told for guest in (*left, sending)] == [CROWDED, None, None]
    assert door.enter(more, "x") is None
    assert [guest.told for guest in (left[1], sending, fresh)] == [None, CROWDED, None]


def test_a_crowd_from_one_place_makes_room_itself():
    door = gate(connections=4)
    elsewhere, *crowd = [Guest(address="far"), *(Guest() for _ in range(3))]
    for guest in (elsewhere, *crowd, Guest()):
        assert door.enter(guest, guest.address) is None
    assert [guest.told for guest in (elsewhere, *crowd)] == [None, CROWDED, None, None]


def test_only_a_part_of_the_connections_may_wait_for_the_page():
    door = gate(connections=8)
    for _ in range(2):
        assert not door.page_full()
        door.enter(Guest(ConnectionState.ASKED, for_page=True), "x")
    assert door.page_full()


async def test_a_large_message_is_taken_however_much_another_connection_has_sent_before():
    """128 MiB and more in all, each request answered; the bytes of an answered request count no more."""
    async with agent(server__bodies_mib=4) as a:
        reader, writer = await asyncio.open_connection(a.host, a.port)
        for _ in range(10):
            head = f"POST /api/check HTTP/1.1\r\nHost: {a.host}\r\nContent-Type: application/json\r\nContent-Length: "
            writer.write(head.encode() + b"1000000\r\n\r\n" + b"x" * 1_000_000)
            await reader.readuntil(b"is not JSON")
            await reader.readuntil(b"}")
        assert (await a.reply(b"(START m a (" + b"(f a) " * 50_000 + b") 1 1)"))[0] == 200
        writer.close()


@pytest.mark.parametrize("leaves", [False, True])
async def test_many_who_wait_for_one_answer_keep_nobody_out_and_are_no_more_than_a_few(leaves):
    """The same PLAY on many connections, which stay or are closed: INFO, health, the page and PLAY are answered."""
    async with agent("tests.agent.players.odd:Waits", server__connections=40) as a:
        assert await a.start(STONES, "first", clocks="0.1 20") == "ready"
        body = b"(PLAY m NIL)"
        play = b"POST / HTTP/1.0\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
        open_ones = []
        for _ in range(60):
            reader, writer = await asyncio.open_connection(a.host, a.port)
            writer.write(play)
            if leaves:
                writer.close()
            open_ones.append((reader, writer))
        assert "busy" in await a.ask("(INFO)")
        for path in ("/healthz", "/page/main.js"):
            request = f"GET {path} HTTP/1.1\r\nHost: {a.host}\r\nConnection: close\r\n\r\n".encode()
            assert (await a.raw(request)).split()[1] == b"200"
        if not leaves:
            refused = [reader for reader, _ in open_ones[FOR_ONE_ANSWER:]]
            answers = await asyncio.gather(*(reader.read() for reader in refused))
            assert all(b"503" in answer and b"keep one of them open" in answer for answer in answers)
        plays = a.matches.metrics.messages.labels("play")._value
        before = plays.get()
        last = asyncio.create_task(a.ask("(PLAY m ((take 1) noop))"))  # the manager goes on
        await until(lambda: plays.get() > before)
        assert await a.ask("(ABORT m)") == "aborted"
        assert await last in ("noop", "(take 1)", "(take 2)")
        for _, writer in open_ones:
            writer.close()


async def test_a_request_of_the_page_whose_client_has_left_is_given_up(monkeypatch):
    """Those who have gone take no place in any queue, so that the next need not wait for their answers."""
    waiting = []

    async def find(_, name):
        waiting.append(name)
        try:
            await asyncio.Event().wait()
        finally:
            waiting.remove(name)

    monkeypatch.setattr(Sketches, "of", find)
    async with agent() as a:
        _, writer = await asyncio.open_connection(a.host, a.port)
        writer.write(f"GET /api/games/nim/sketch HTTP/1.1\r\nHost: {a.host}\r\n\r\n".encode())
        await until(lambda: waiting)
        writer.close()
        await until(lambda: not waiting)


async def test_who_waits_for_the_page_keeps_no_manager_out(monkeypatch):
    async def find(*_):
        await asyncio.Event().wait()

    monkeypatch.setattr(Sketches, "of", find)
    async with agent(server__connections=8) as a:
        pages = [await asyncio.open_connection(a.host, a.port) for _ in range(20)]
        for _, writer in pages:
            writer.write(f"GET /api/games/nim/sketch HTTP/1.1\r\nHost: {a.host}\r\n\r\n".encode())
        answer = await pages[-1][0].readuntil(b"}")
        assert b" 503 " in answer
        assert b"too many open requests" in answer
        assert "available" in await a.ask("(INFO)")
        for _, writer in pages:
            writer.close()


@pytest.mark.parametrize("request_of", ["GET /page/icon.svg", "POST /api/check"])
async def test_requests_that_do_not_wait_for_the_answer_before_are_not_all_served(request_of):
    """No browser sends so; a flood of them on a few connections would take all time from managers."""
    body = "{" if request_of.startswith("POST") else ""
    framing = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n" if body else ""
    async with agent() as a:
        request = f"{request_of} HTTP/1.1\r\nHost: {a.host}\r\n{framing}\r\n{body}".encode()
        assert (await a.raw(100 * request)).count(b"HTTP/1.1 ") == 1
        reader, writer = await asyncio.open_connection(a.host, a.port)
        for _ in range(3):  # one after the other
            writer.write(request)
            head = await reader.readuntil(b"\r\n\r\n")
            length = int(head.lower().partition(b"content-length: ")[2].split()[0])
            await reader.readexactly(length)
        writer.close()


async def test_clients_that_do_not_read_are_let_go(monkeypatch):
    """Whether they were sent away or have an answer to read: their sockets are closed, and not only when they read."""
    monkeypatch.setattr(connection, "UNREAD", 0.05)
    monkeypatch.setattr(connection, "FLUSH", 0.05)
    monkeypatch.setitem(HTTP, "keepalive_timeout", 0.5)  # some answers are short, and nobody asks again
    monkeypatch.setattr(site, "catalogue", lambda: ["x" * 1000] * 30_000)
    async with agent(server__connections=20) as a:
        deaf = [await asyncio.open_connection(a.host, a.port, limit=1) for _ in range(60)]
        for _, writer in deaf:
            writer.transport.pause_reading()
            writer.write(f"GET /api/games HTTP/1.1\r\nHost: {a.host}\r\n\r\n".encode())
        connections = a.matches.metrics.connections
        await until(lambda: connections._value.get() == 0)
        own = {tuple(writer.get_extra_info("sockname")[:2]) for _, writer in deaf}
        assert not own & peers()
        for _, writer in deaf:
            writer.close()


def peers():
    """The far ends of all sockets of this process."""
    found = set()
    for entry in Path("/dev/fd").iterdir():
        with contextlib.suppress(OSError):
            one = socket.socket(fileno=os.dup(int(entry.name)))
            with one:
                found.add(tuple(one.getpeername()[:2]))
    return found


@pytest.mark.parametrize(("files", "room"), [(float("inf"), 512), (100, 72), (29, 1)])
def test_connections_leave_files_for_matches(files, room, monkeypatch):
    monkeypatch.setattr("agent.server.gate.most_open_files", lambda: files)
    assert room_for_connections(512, 1) == room


def test_an_agent_without_files_for_one_connection_does_not_start(monkeypatch):
    """It had no file for its fork server either, and compiled for ever."""
    monkeypatch.setattr("agent.server.gate.most_open_files", lambda: 20)
    with pytest.raises(SettingsError, match=r"the system allows 20 open files, .* needs more than 28"):
        room_for_connections(512, 1)
