"""An agent that ends in the middle of a match, and another one that is started in its place."""

import pytest
from structlog.testing import capture_logs

from bench.killed import run
from tests.agent.rules import STONES, legal_after
from tests.agent.server.client import agent


@pytest.fixture
def journal(tmp_path):
    """Settings of agents that take over from each other."""
    return {"journal__folder": str(tmp_path / "journal")}


async def test_a_match_continues_where_the_journal_ends(journal):
    async with agent(**journal) as a:
        assert await a.start(STONES, "first", clocks="60 60") == "ready"
        assert await a.ask("(PLAY m NIL)") == "(take 1)"
        assert await a.ask("(PLAY m ((take 1) noop))") == "noop"
    async with agent(**journal) as a:
        assert "busy" in await a.ask("(INFO)")
        assert await a.ask("(PLAY m ((take 1) noop))") == "noop"  # sent again: the answer was lost
        assert await a.ask("(PLAY m (noop (take 2)))") == "(take 1)"
        assert await a.ask("(STOP m ((take 1) noop))") == "done"
    async with agent(**journal) as a:
        await a.until_info_says("available")
        assert await a.ask("(PLAY m NIL)") == "busy"


async def test_a_match_that_had_only_begun_continues(journal):
    async with agent(**journal) as a:
        assert await a.start(STONES, "second", clocks="60 60") == "ready"
    async with agent(**journal) as a:
        assert await a.ask("(PLAY m NIL)") == "noop"


async def test_a_match_stays_that_of_its_manager_after_a_restart(journal):
    """A second manager had chosen the same id, and took the match over."""

    async def told(a, sender, text):
        head = f"POST / HTTP/1.0\r\nX-Forwarded-For: {sender}\r\nContent-Length: {len(text)}\r\n\r\n"
        return (await a.raw((head + text).encode())).partition(b"\r\n\r\n")[2].decode()

    start = f"(START m first ({STONES}) 60 60)"
    async with agent(server__proxies="127.0.0.1", clock__use_start=False, **journal) as a:
        assert await told(a, "9.9.9.1", start) == "ready"
    async with agent(server__proxies="127.0.0.1", clock__use_start=False, **journal) as a:
        assert await told(a, "9.9.9.2", start.replace("first", "second")) == "busy"
        assert await told(a, "9.9.9.1", "(PLAY m NIL)") == "(take 1)"
    async with agent(server__proxies="127.0.0.1", clock__use_start=False, **journal) as a:
        for going_on in ("(PLAY m NIL)", "(PLAY m ((take 2) noop))", "(STOP m (noop (take 2)))", "(ABORT m)"):
            assert await told(a, "9.9.9.2", going_on) == "busy"
        assert await told(a, "9.9.9.1", "(PLAY m ((take 1) noop))") == "noop"
        assert await told(a, "9.9.9.1", "(STOP m (noop (take 2)))") == "done"
        assert await told(a, "9.9.9.1", start) == "ready"  # another match
        assert await told(a, "9.9.9.2", "(PLAY m NIL)") == "busy"


async def test_a_match_that_missed_a_message_continues_with_moves_that_are_legal_where_it_can_tell(journal):
    async with agent(**journal) as a:
        await a.start(STONES, "first", clocks="60 60")
        assert await a.ask("(PLAY m NIL)") == "(take 1)"
    async with agent(**journal) as a:  # PLAY ((take 1) noop) came while nobody listened
        assert await a.ask("(PLAY m (noop (take 1)))") == "(take 1)"
    async with agent(**journal) as a:  # and so once more, and again by another process
        assert await a.ask("(PLAY m (noop (take 2)))") == "(take 1)"
        for worker in a.workers.alive:
            worker.kill()
        assert await a.ask("(PLAY m ((take 1) noop))") == "noop"


async def test_a_match_continues_after_a_message_that_was_lost_on_the_way(journal):
    async with agent(**journal) as a:
        await a.start(STONES, "first", clocks="60 60")
        assert await a.ask("(PLAY m NIL)") == "(take 1)"
        assert await a.ask("(PLAY m (noop (take 2)))") == "(take 1)"  # PLAY ((take 1) noop) did not arrive
        assert await a.ask("(PLAY m ((take 1) noop))") == "noop"
        for worker in a.workers.alive:
            worker.kill()
        assert await a.ask("(PLAY m (noop (take 2)))") == "(take 1)"
        assert "(heap 3)" in a.gallery.log_of("m").last.facts  # 9 - 1 - 2 - 1 - 2
    async with agent(**journal) as a:
        assert await a.ask("(PLAY m ((take 1) noop))") == "noop"
        assert "(heap 2)" in a.gallery.log_of("m").last.facts


async def test_a_message_that_nobody_answered_is_answered_when_it_comes_again(journal):
    async with agent("tests.agent.players.odd:Waits", **journal) as a:
        await a.start(STONES, "first", clocks="0.1 60")
        play = a.raw(b"POST / HTTP/1.0\r\nContent-Length: 12\r\n\r\n(PLAY m NIL)")
        play.close()
    async with agent(**journal) as a:
        assert await a.ask("(PLAY m NIL)") in legal_after(STONES)[0]


async def test_the_page_shows_every_position_of_a_match_that_is_gone_on_with(journal):
    async with agent(**journal) as a:
        await a.start(STONES, "first", clocks="60 60")
        await a.ask("(PLAY m NIL)")
        await a.ask("(PLAY m ((take 1) noop))")
    async with agent(**journal) as a:
        assert await a.ask("(PLAY m (noop (take 2)))") == "(take 1)"
        moments = a.gallery.log_of("m").moments
        assert [moment.joint for moment in moments] == [(), ("(take 1)", "noop"), ("noop", "(take 2)")]


async def test_a_game_on_the_page_is_not_gone_on_with_as_its_table_is_gone(journal):
    async with agent(**journal) as a:
        await a.start(STONES, "first", clocks="60 60", match="page.1795248009000.1.0")
        await a.ask("(PLAY page.1795248009000.1.0 NIL)")
    async with agent(**journal) as a:
        await a.until_info_says("available")
        assert [log.match_id for log in a.gallery.history.all()] == ["page.1795248009000.1.0"]
        assert await a.start(STONES, "first") == "ready"


async def test_matches_beyond_the_limit_are_not_gone_on_with(journal):
    async with agent(server__matches=2, **journal) as a:
        assert await a.start(STONES, "first", clocks="60 60") == "ready"
        assert await a.start(STONES, "first", clocks="60 60", match="n") == "ready"
    with capture_logs() as logs:
        async with agent(**journal) as a:
            replies = {name: await a.ask(f"(PLAY {name} NIL)") for name in "mn"}
    assert sorted(replies.values()) == ["(take 1)", "busy"]
    lost = next(name for name, reply in replies.items() if reply == "busy")
    said = [log["event"] for log in logs if log.get("match") == lost]
    assert said == [
        "a match is not resumed: no match slot is free; increase server.matches = 1",
        "busy: no match with this id is running",
    ]


@pytest.mark.long  # real starts, and kills
async def test_an_agent_that_is_killed_continues_with_legal_moves_and_whole_journals(tmp_path):
    rows = await run(tmp_path, count=1, missed=1, seed=5, player="legal", engine="relational")
    assert rows["illegal"] == []
    assert (rows["broken_journals"], rows["kills"], rows["missed"]) == (0, 1, 1)
