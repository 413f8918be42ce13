"""The match slots of an agent are shared by all visitors; the page says so before random moves replace a role."""

import asyncio

import pytest

from agent.page.games import person_game, person_games
from agent.page.games.person_games import PersonGames
from tests.agent.page.test_site import got, sent, until
from tests.agent.rules import STONES
from tests.agent.server.client import agent
from tests.waiting import until as appears

pytestmark = pytest.mark.asyncio
ASKED = {"rules": STONES, "role": "first", "startClock": 0.5, "playClock": 0.5}


async def watching(a, key):
    """An open stream of a game, as its page has it."""
    reader, writer = await asyncio.open_connection(a.host, a.port)
    writer.write(f"GET /api/play/{key}/events HTTP/1.1\r\nHost: {a.host}\r\n\r\n".encode())
    await asyncio.wait_for(reader.readuntil(b"event: table"), 60)
    return writer


async def seated(a):
    """The key of a game in which the agent has its place."""
    status, told = await sent(a, "/api/play", ASKED)
    assert status == 200, told
    await until(a, told["key"], "person")
    return told["key"]


async def test_who_begins_while_all_places_are_taken_is_told_so_and_may_choose_random_moves():
    async with agent() as a:
        key = await seated(a)
        writer = await watching(a, key)
        status, told = await sent(a, "/api/play", ASKED)
        assert (status, told["busy"]) == (409, True)
        assert "match slots" in told["error"]
        status, told = await sent(a, "/api/play", {**ASKED, "random": True})
        table = await until(a, told["key"], "person")
        assert table["players"] == ["you", "random moves"]
        assert "server.matches" in table["notes"][0]
        writer.close()


async def test_of_two_who_begin_at_once_the_one_without_a_place_is_told_so():
    """Both see a free place while their rules are read. The form waits for a place; a game that has ended cannot."""
    async with agent() as a:
        answers = await asyncio.gather(*(sent(a, "/api/play", ASKED) for _ in range(2)))
        (begun, key), (refused, told) = sorted(((status, told) for status, told in answers), key=lambda each: each[0])
        assert (begun, refused, told["busy"]) == (200, 409, True)
        table = await until(a, key["key"], "person", "left")
        assert (table["phase"], "random moves" in table["players"]) == ("person", False)


async def test_a_page_that_is_closed_frees_its_place(monkeypatch):
    """Whoever is to move; a page that is loaded again in time keeps its game."""
    monkeypatch.setattr(person_game, "BEAT", 0.02)
    async with agent(page__idle=0.2) as a:
        key = await seated(a)
        writer = await watching(a, key)
        writer.close()
        await appears(lambda: a.matches.room)
        assert (await until(a, key, "left"))["phase"] == "left"


async def test_games_that_are_over_take_no_place_from_others_though_their_pages_stay_open(monkeypatch):
    """Only so many of them are remembered."""
    monkeypatch.setattr(person_games, "KEPT", 2)
    async with agent() as a:
        pages, keys = [], []
        for _ in range(PersonGames.LIMIT + 1):
            keys.append(await seated(a))
            pages.append(await watching(a, keys[-1]))
            await sent(a, f"/api/play/{keys[-1]}/leave", {})
            await until(a, keys[-1], "left")
        found = [(await got(a, f"/api/play/{key}"))[0].split()[1] for key in keys]
        assert found == ["404", "404", "200", "200", "200"]
        for page in pages:
            page.close()


async def test_a_visitor_with_many_games_loses_one_to_another_visitor_and_equals_are_refused():
    async with agent(server__proxies="127.0.0.1") as a:

        async def asked(address):
            head = f"Content-Type: application/json\r\nX-Forwarded-For: {address}\r\n"
            return await sent(a, "/api/play", {**ASKED, "random": True}, head)

        keys = [(await asked("192.0.2.1"))[1]["key"] for _ in range(PersonGames.LIMIT)]
        pages = [await watching(a, key) for key in keys]
        status, told = await asked("192.0.2.1")
        assert (status, "too many games" in told["error"]) == (400, True)
        status, told = await asked("192.0.2.2")
        assert status == 200
        pages.append(await watching(a, told["key"]))
        assert "another visitor" in (await until(a, keys[0], "left"))["notes"][-1]
        assert (await until(a, keys[1], "person"))["phase"] == "person"
        assert (await asked("192.0.2.3"))[0] == 200
        for page in pages:
            page.close()


async def test_a_manager_gets_the_place_of_an_idle_game_and_the_person_continues_when_a_place_is_free(monkeypatch):
    """The game keeps its place while nobody needs it; a request that comes too early does not lose the game."""
    monkeypatch.setattr(person_game, "BEAT", 0.02)
    async with agent() as a:
        key = await seated(a)
        page = await watching(a, key)
        assert await a.start(STONES, "first") == "busy"
        monkeypatch.setattr(person_game, "IDLE_SECONDS", 0.0)
        await a.until_info_says("available")
        assert (await until(a, key, "person"))["phase"] == "person"
        assert await a.start(STONES, "first", match="other") == "ready"
        assert "continue this game when" in (await until(a, key, "left"))["notes"][-1]
        again = {"role": "first", "step": 0}
        assert (await sent(a, f"/api/play/{key}/again", again))[0] == 409
        await a.ask("(ABORT other)")
        status, told = await sent(a, f"/api/play/{key}/again", again)
        assert (status, (await until(a, told["key"], "person"))["phase"]) == (200, "person")
        page.close()


async def test_a_page_of_a_game_that_another_tab_continues_is_told_so():
    """The second tab shows the game before a take-back in the first one."""
    async with agent() as a:
        key = await seated(a)
        reader, writer = await asyncio.open_connection(a.host, a.port)
        writer.write(f"GET /api/play/{key}/events HTTP/1.1\r\nHost: {a.host}\r\n\r\n".encode())
        await asyncio.wait_for(reader.readuntil(b"event: table"), 60)
        assert (await sent(a, f"/api/play/{key}/again", {"role": "first", "step": 0}))[0] == 200
        await asyncio.wait_for(reader.readuntil(b"in another tab: the game goes on there"), 60)
        writer.close()


async def test_a_game_is_kept_if_the_visitor_leaves_before_the_rules_are_read_again(monkeypatch):
    """For example a reload just after *Take back*."""
    async with agent() as a:
        key, reading = await seated(a), asyncio.Event()
        ended = asyncio.Event()

        async def read_for_ever(*_):
            reading.set()
            try:
                await asyncio.Event().wait()
            finally:
                ended.set()

        with monkeypatch.context() as patched:
            patched.setattr(PersonGames, "open", read_for_ever)
            _, writer = await asyncio.open_connection(a.host, a.port)
            body = '{"role": "first", "step": 0}'
            head = f"POST /api/play/{key}/again HTTP/1.1\r\nHost: {a.host}\r\nContent-Type: application/json\r\n"
            writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n{body}".encode())
            await reading.wait()
            writer.close()
            await ended.wait()
        status, told = await sent(a, f"/api/play/{key}/again", {"role": "first", "step": 0})
        assert status == 200, told


async def test_another_visitor_gets_the_place_of_an_idle_game(monkeypatch):
    monkeypatch.setattr(person_games.PersonGames, "LIMIT", 1)
    async with agent() as a:
        key = await seated(a)
        page = await watching(a, key)
        assert (await sent(a, "/api/play", {**ASKED, "random": True}))[0] == 400
        monkeypatch.setattr(person_game, "IDLE_SECONDS", 0.0)
        assert (await sent(a, "/api/play", ASKED))[0] == 200
        assert "You made no move for 5 minutes" in (await until(a, key, "left"))["notes"][-1]
        page.close()


async def test_an_agent_that_plays_all_roles_is_left_too_when_nobody_looks_on(monkeypatch):
    monkeypatch.setattr(person_game, "BEAT", 0.02)
    async with agent("tests.agent.players.odd:Waits", page__idle=0.2) as a:
        key = (await sent(a, "/api/play", {**ASKED, "role": None, "startClock": 60, "playClock": 60}))[1]["key"]
        _, page = await asyncio.open_connection(a.host, a.port)
        page.write(f"GET /api/play/{key}/events HTTP/1.1\r\nHost: {a.host}\r\n\r\n".encode())
        await appears(lambda: not a.matches.room)
        page.close()
        await appears(lambda: a.matches.room)


async def test_a_page_that_has_just_gone_keeps_its_place_for_a_moment(monkeypatch):
    """A game whose page is being reloaded is not ended by another visitor's game."""
    monkeypatch.setattr(person_game, "RELOAD", 1e6)
    async with agent() as a:
        key = await seated(a)
        assert (await sent(a, "/api/play", ASKED))[0] == 409
        assert '"phase": "person"' in (await got(a, f"/api/play/{key}"))[1]
        await sent(a, f"/api/play/{key}/leave", {})
        await appears(lambda: a.matches.room)
        assert (await sent(a, "/api/play", ASKED))[0] == 200


@pytest.mark.parametrize(("limit", "random"), [(1, True), (4, False)], ids=["games", "match slots"])
async def test_a_game_whose_page_is_gone_ends_for_another_one_only_if_its_place_is_needed(monkeypatch, limit, random):
    """A connection may be lost for longer than a reload takes; the game is there until `page.idle` seconds are over."""
    monkeypatch.setattr(person_game, "RELOAD", -1.0)
    async with agent(server__matches=2) as a:
        key = await seated(a)
        assert (await sent(a, "/api/play", ASKED))[0] == 200
        assert '"phase": "person"' in (await got(a, f"/api/play/{key}"))[1]
    monkeypatch.setattr(PersonGames, "LIMIT", limit)
    async with agent() as a:
        key = await seated(a)
        assert (await sent(a, "/api/play", {**ASKED, "random": random}))[0] == 200
        assert '"phase": "left"' in (await got(a, f"/api/play/{key}"))[1]


@pytest.mark.parametrize(("limit", "random"), [(2, True), (4, False)], ids=["games", "match slots"])
async def test_of_the_games_whose_pages_are_gone_only_as_many_end_as_a_new_one_needs(monkeypatch, limit, random):
    """Each of their visitors may come back within `page.idle` seconds."""
    monkeypatch.setattr(person_game, "RELOAD", -1.0)
    monkeypatch.setattr(PersonGames, "LIMIT", limit)
    async with agent(server__matches=2) as a:
        keys = [await seated(a) for _ in range(2)]
        assert (await sent(a, "/api/play", {**ASKED, "random": random}))[0] == 200
        assert ['"phase": "left"' in (await got(a, f"/api/play/{key}"))[1] for key in keys] == [True, False]


async def test_a_rule_sheet_for_more_roles_than_the_agent_has_places_is_played_with_random_moves_beside():
    """Waiting would never help there, and the form says so before it begins."""
    async with agent() as a:
        _, told = await sent(a, "/api/play", {**ASKED, "role": None})
        table = await until(a, told["key"], "agent", "over")
        assert sorted(table["players"]) == ["ggp-agent", "random moves"]


@pytest.mark.long
async def test_the_agents_move_waits_for_its_circuit_where_the_person_wants_it_to():
    """The circuit plays far better; the page shows the progress of its compilation."""
    async with agent("mcts:threads=1,memory_mib=64", worker__engine="auto") as a:
        _, told = await sent(a, "/api/play", ASKED)
        await sent(a, f"/api/play/{told['key']}/await", {"wait": True})
        table = await until(a, told["key"], "person")
        assert (table["engine"]["engine"], table["engine"]["building"], table["waiting"]) == ("circuit", False, False)
