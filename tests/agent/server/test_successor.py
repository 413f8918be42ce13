"""A START that is identical to that of the running match: the next PLAY shows whether it is a late copy."""

import asyncio
from types import SimpleNamespace

import pytest
import pytest_asyncio

from agent.server.match import Match
from agent.server.message_order import MessageOrder
from agent.server.successor import Successor
from agent.server.watch import NOBODY, HeldWatcher
from tests.agent.rules import STONES
from tests.agent.server.client import agent
from tests.waiting import until

ODD = "tests.agent.players.odd:"
pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def a():
    """An agent that plays its first legal move; each test begins the match "m" anew."""
    async with agent() as one:
        yield one


async def test_a_late_copy_of_start_leaves_the_match_as_it_is(a):
    await a.start(STONES, "first")
    assert await a.ask("(PLAY m NIL)") == "(take 1)"
    assert await a.ask("(PLAY m ((take 2) noop))") == "noop"
    match = a.matches._matches["m"]
    assert await a.start(STONES, "first") == "ready"
    assert a.matches._successors
    assert await a.ask("(PLAY m (noop (take 2)))") == "(take 1)"
    assert a.matches._matches["m"] is match
    assert not a.matches._successors


async def test_an_identical_start_and_nil_begin_the_match_again(a):
    for _ in range(3):
        assert await a.start(STONES, "first") == "ready"
        assert await a.ask("(PLAY m NIL)") == "(take 1)"
        assert await a.ask("(PLAY m ((take 2) noop))") == "noop"
        assert await a.ask("(PLAY m (noop (take 2)))") == "(take 1)"


WALK = """(role r) (init (at 0)) (succ 0 1) (succ 1 2) (succ 2 3) (<= (legal r (to ?y)) (true (at ?x)) (succ ?x ?y))
(legal r stay) (<= (next (at ?x)) (does r (to ?x))) (<= (next (at ?x)) (true (at ?x)) (does r stay))
(<= (sees r moved) (does r (to ?x))) (<= terminal (true (at 3))) (goal r 100)"""


async def test_the_first_turn_after_an_identical_start_begins_a_match_with_turn_numbers_again(a):
    """A GDL-II PLAY with a lower turn number is a repetition otherwise, and gets the last answer."""
    for _ in range(3):
        assert await a.start(WALK, "r") == "ready"
        assert await a.ask("(PLAY m 0 NIL NIL)") == "(to 1)"
        assert await a.ask("(PLAY m 1 (to 1) (moved))") == "(to 2)"
        assert await a.start(WALK, "r") == "ready"  # a late copy
        assert await a.ask("(PLAY m 2 (to 2) (moved))") == "(to 3)"


async def test_a_copy_of_start_during_a_turn_is_answered_while_the_turn_goes_on():
    async with agent(ODD + "Waits", clock__use_start=False) as a:
        assert await a.start(STONES, "first", clocks="60 60") == "ready"
        asked = asyncio.create_task(a.ask("(PLAY m NIL)"))
        await until(lambda: a.matches._matches["m"]._question.play)
        assert await a.start(STONES, "first", clocks="60 60") == "ready"
        assert not asked.done()
        assert await a.ask("(ABORT m)") == "aborted"
        await asked


async def test_nothing_of_the_match_before_comes_back_after_a_restart(a):
    """Another move than ours fits both matches; it was once taken for a sign that the first one goes on."""
    for _ in range(2):
        assert await a.start(STONES, "first") == "ready"
        assert await a.ask("(PLAY m NIL)") == "(take 1)"
        assert await a.ask("(PLAY m ((take 1) noop))") == "noop"
        assert await a.ask("(PLAY m (noop (take 1)))") == "(take 1)"
    assert await a.ask("(PLAY m ((take 2) noop))") == "noop"
    assert a.matches._matches["m"]._joints.turn == 3


async def test_a_restarted_match_keeps_its_slot_during_its_start_clock():
    async with agent(server__takeover=0.0) as a:
        assert await a.start(STONES, "first", clocks="60 30") == "ready"
        await a.ask("(PLAY m NIL)")
        assert await a.start(STONES, "first", clocks="60 30") == "ready"
        now = asyncio.get_running_loop().time()
        match = a.matches._matches["m"]
        assert not match.overdue(now + 59)
        assert match.overdue(now + 120)
        assert await a.ask("(PLAY m NIL)") == "(take 1)"
        assert a.matches._matches["m"] is not match


@pytest.mark.parametrize("end", ["(ABORT m)", "(STOP m NIL)"])
async def test_the_end_of_a_match_is_that_of_its_restart(a, end):
    for _ in range(2):
        assert await a.start(STONES, "first") == "ready"
        await a.ask("(PLAY m NIL)")
    assert await a.start(STONES, "first") == "ready"
    assert await a.ask(end) in ("aborted", "done")
    assert len(a.matches) == len(a.matches._successors) == 0
    assert await a.ask("(PLAY m NIL)") == "busy"


async def test_a_match_that_is_dropped_takes_its_restart_along(a):
    assert await a.start(STONES, "first") == "ready"
    await a.ask("(PLAY m NIL)")
    assert await a.start(STONES, "first") == "ready"
    a.matches._end("m", "dropped after silence")
    assert len(a.matches._successors) == 0
    assert await a.start(STONES, "first") == "ready"
    assert await a.ask("(PLAY m NIL)") == "(take 1)"


async def test_a_start_is_busy_if_its_match_was_dropped_and_begun_anew_while_its_rules_were_loaded(monkeypatch):
    """It would take the place of the later START."""
    begin, loaded = Match.begin, asyncio.Event()

    async def begin_late(match):
        return await begin(match) and await loaded.wait()

    monkeypatch.setattr(Match, "begin", begin_late)
    async with agent(server__matches=2) as a:
        assert await a.start(STONES, "first") == "ready"
        earlier = asyncio.create_task(a.start(STONES, "second", clocks="30 20"))
        await until(lambda: a.matches._successors)
        a.matches._end("m", "dropped after silence")
        assert await a.start(STONES, "first") == "ready"
        loaded.set()
        assert await earlier == "busy"
        assert await a.ask("(PLAY m NIL)") == "(take 1)"


async def test_play_may_come_while_the_rules_of_the_restart_are_still_loaded():
    async with agent(ODD + "Waits", clock__use_start=False) as a:
        assert await a.start(STONES, "first", clocks="60 60") == "ready"
        first = asyncio.create_task(a.ask("(PLAY m NIL)"))
        await until(lambda: a.matches._matches["m"]._question.play)
        before = a.matches._matches["m"]
        again = asyncio.create_task(a.start(STONES, "first", clocks="60 60"))
        await until(lambda: a.matches._successors)
        second = asyncio.create_task(a.ask("(PLAY m NIL)"))
        await until(lambda: a.matches._matches["m"] is not before)
        assert await again == "ready"
        assert await first in ("(take 1)", "(take 2)")
        assert await a.ask("(ABORT m)") == "aborted"
        await second


@pytest.mark.parametrize(("play", "move"), [("((take 1) noop)", "noop"), ("NIL", "(take 1)")])
async def test_a_start_that_came_again_before_a_restart_of_the_agent_leaves_no_journal(tmp_path, play, move):
    """The running match is resumed, and NIL begins it again."""
    settings = {"journal__folder": str(tmp_path / "j")}
    async with agent(**settings) as a:
        assert await a.start(STONES, "first", clocks="60 60") == "ready"
        assert await a.ask("(PLAY m NIL)") == "(take 1)"
        assert await a.start(STONES, "first", clocks="60 60") == "ready"
    async with agent(**settings) as a:
        assert len(list((tmp_path / "j").glob("*.journal"))) == len(a.matches) == 1
        assert await a.ask(f"(PLAY m {play})") == move


async def test_a_restarted_match_is_resumed(tmp_path):
    settings = {"journal__folder": str(tmp_path / "j")}
    async with agent(**settings) as a:
        for _ in range(2):
            assert await a.start(STONES, "first", clocks="60 60") == "ready"
            assert await a.ask("(PLAY m NIL)") == "(take 1)"
            assert await a.ask("(PLAY m ((take 1) noop))") == "noop"
    async with agent(**settings) as a:
        assert a.matches._matches["m"]._joints.turn == 1
        assert await a.ask("(PLAY m (noop (take 1)))") == "(take 1)"


async def test_the_manager_at_another_address_that_takes_over_an_overdue_match_is_heard():
    """Its identical START begins the match at once, as the manager before has left; it may also come twice."""

    async def told(a, sender, text):
        head = f"POST / HTTP/1.0\r\nX-Forwarded-For: {sender}\r\nContent-Length: {len(text)}\r\n\r\n"
        return (await a.raw((head + text).encode())).partition(b"\r\n\r\n")[2].decode()

    async with agent(server__proxies="127.0.0.1", server__takeover=0.0, clock__use_start=False) as a:
        start = f"(START m first ({STONES}) 9 9)"
        assert await told(a, "9.9.9.1", start) == "ready"
        assert await told(a, "9.9.9.1", "(PLAY m NIL)") == "(take 1)"
        assert await told(a, "9.9.9.2", start) == "busy"
        a.matches.keep("m", idle=True)
        for _ in range(2):
            assert await told(a, "9.9.9.2", start) == "ready"
        assert await told(a, "9.9.9.2", "(PLAY m NIL)") == "(take 1)"


@pytest.mark.parametrize(
    ("hides", "begin", "go_on"),
    [
        (False, [None, ()], [("noop", "noop")]),
        (
            True,
            [None, ("observed 0", "NIL"), ("observed 1", "a", "seen")],
            [(), ("seen",), ("observed 5", "a"), ("observed 7", "b")],
        ),
    ],
)
async def test_play_without_moves_or_with_the_first_turn_is_the_first_one_of_a_match(hides, begin, go_on):
    before = SimpleNamespace(hides=hides, order=MessageOrder(("observed 6", "b")))
    successor = Successor(None, HeldWatcher(NOBODY), None, same=True)
    assert all(successor.begins(moves, before) for moves in begin)
    assert not any(successor.begins(moves, before) for moves in go_on)
