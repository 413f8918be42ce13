"""The page's HTTP skin, over raw sockets and real processes."""

import asyncio
import json
import threading

import pytest
import pytest_asyncio
from aiohttp import web

from agent.errors import SettingsError
from agent.page import history, play_site, relay
from agent.page.analyses import FOR_ONE, Analyses
from agent.page.begun_at import begun_at
from agent.page.games.person_games import PersonGames
from agent.page.readers import Readers
from agent.page.referee import Referee
from search.clock import MonotonicClock
from tests.agent.gamemaster.test_games import repository
from tests.agent.page.gamemaster import RULES
from tests.agent.rules import BROKEN, STONES
from tests.agent.server.client import agent
from tests.ports import quiet_port
from tests.waiting import until as appears

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def a():
    async with agent(server__matches=2) as one:
        yield one


async def got(a, path, head="Accept: text/html\r\n"):
    """Head and body of the answer to a GET."""
    answer = await a.raw(f"GET {path} HTTP/1.1\r\nHost: {a.host}:{a.port}\r\nConnection: close\r\n{head}\r\n".encode())
    first, _, body = answer.partition(b"\r\n\r\n")
    return first.decode().lower(), body.decode()


async def sent(a, path, value, head=""):
    """Status and JSON of the answer to a POST."""
    body = value if isinstance(value, bytes) else json.dumps(value).encode()
    head = head or "Content-Type: application/json\r\n"
    request = f"POST {path} HTTP/1.1\r\nHost: {a.host}:{a.port}\r\nConnection: close\r\nContent-Length: {len(body)}\r\n"
    answer = await a.raw(f"{request}{head}\r\n".encode() + body)
    first, _, content = answer.partition(b"\r\n\r\n")
    return int(first.split()[1]), json.loads(content)


async def until(a, key, *phases, after=-1):
    """The table's data, as soon as it has come to one of `phases` after so many steps."""
    reader, writer = await asyncio.open_connection(a.host, a.port)
    try:
        writer.write(f"GET /api/play/{key}/events HTTP/1.1\r\nHost: {a.host}\r\n\r\n".encode())
        while line := await asyncio.wait_for(reader.readline(), 60):
            if line.startswith(b"data: {") and b'"table"' in line:
                table = json.loads(line[6:])
                if table["phase"] in phases and table["position"]["step"] > after:
                    return table
    finally:
        writer.close()
    raise AssertionError(f"never came to {phases}")


async def test_a_browser_gets_the_page_and_a_manager_is_answered_at_the_same_address(a):
    head, body = await got(a, "/")
    assert "text/html" in head
    assert "<title>ggp-agent</title>" in body
    assert "(status available)" in (await got(a, "/", ""))[1]
    assert "(status available)" in await a.ask("(INFO)")


async def test_no_inline_script_no_outside_address_and_no_sniffing(a):
    for path in ("/", "/page/main.js", "/page/style.css", "/api/games"):
        head, body = await got(a, path)
        assert "default-src 'none'; script-src 'self'; style-src 'self'" in head
        assert "unsafe-inline" not in head
        assert "x-content-type-options: nosniff" in head
        assert "access-control-allow-origin" not in head
        assert "http://" not in body.replace("http://www.w3.org/2000/svg", ""), path
    assert "<script>" not in (await got(a, "/"))[1]


async def test_the_relay_page_names_its_script_by_hash_and_knows_the_agents_address(a):
    head, body = await got(a, "/gamemaster.html")
    assert "script-src 'sha256-" in head
    assert f'value="http://127.0.0.1:{a.port}"' in body


async def test_nothing_that_was_asked_is_repeated(a):
    for path in ("/api/%3Cscript%3E", "/page/%3Cscript%3E", "/api/games/%3Cscript%3E", "/api/matches/77"):
        head, body = await got(a, path)
        assert " 404 " in head
        assert body == '{"error": "not found"}'
    status, told = await sent(a, "/api/play", {"game": "<script>", "startClock": 1, "playClock": 1})
    assert status == 400
    assert "<script>" not in told["error"]


async def test_only_json_of_the_agents_own_pages_is_obeyed(a):
    asked = {"rules": STONES}
    assert (await sent(a, "/api/check", asked, "Content-Type: text/plain\r\n"))[0] == 415
    foreign = "Content-Type: application/json\r\nOrigin: http://evil.example\r\n"
    status, told = await sent(a, "/api/check", asked, foreign)
    assert status == 403
    assert "proxy_set_header Host $http_host" in told["error"]  # for the page itself
    own = f"Content-Type: application/json\r\nOrigin: http://{a.host}:{a.port}\r\n"
    assert (await sent(a, "/api/check", asked, own))[1]["roles"] == ["first", "second"]


async def test_a_strangers_name_that_leads_to_the_agent_is_no_page_of_the_agents(a):
    """DNS rebinding: for the browser his page is of one origin with the agent. Addresses and known names are ours."""

    async def asked(name, path="/api/check"):
        body = json.dumps({"rules": STONES})
        head = f"POST {path} HTTP/1.0\r\nHost: {name}\r\nOrigin: http://{name}\r\nContent-Type: application/json\r\n"
        answer = await a.raw(f"{head}Content-Length: {len(body)}\r\n\r\n{body}".encode())
        return int(answer.split()[1])

    names = ("evil.test", "evil.test:80", f"evil.test:{a.port}")
    assert [await asked(name) for name in names] == [403] * 3
    assert [await asked(name) for name in (f"127.0.0.1:{a.port}", "localhost:1", "[::1]:7")] == [200] * 3
    for path in ("/", "/api/events", "/api/games"):
        answer = await a.raw(f"GET {path} HTTP/1.0\r\nHost: evil.test\r\nAccept: text/html\r\n\r\n".encode())
        assert answer.split()[1] == b"403", path
    async with agent(server__names="agent.example.org") as named:
        answer = await named.raw(b"GET /api/games HTTP/1.0\r\nHost: Agent.Example.org:7\r\n\r\n")
        assert answer.split()[1] == b"200"


async def test_pages_that_look_on_keep_no_manager_out():
    """The oldest are sent away; those whose reader has gone give their place up at once."""
    async with agent(server__connections=8) as a:
        pages = [await asyncio.open_connection(a.host, a.port) for _ in range(20)]
        for reader, writer in pages:
            writer.write(f"GET /api/events HTTP/1.1\r\nHost: {a.host}\r\n\r\n".encode())
            await reader.readline()
        assert "available" in await a.ask("(INFO)")
        await asyncio.gather(*(reader.read() for reader, _ in pages[:-2]))
        for _, writer in pages[-2:]:
            writer.write_eof()
        await asyncio.gather(*(reader.read() for reader, _ in pages[-2:]))
        for _, writer in pages:
            writer.close()


async def test_connections_that_rest_between_requests_keep_no_manager_out():
    async with agent(server__connections=4) as a:
        pages = [await asyncio.open_connection(a.host, a.port) for _ in range(8)]
        for reader, writer in pages:
            writer.write(f"GET /page/main.js HTTP/1.1\r\nHost: {a.host}\r\n\r\n".encode())
            await reader.readuntil(b"\r\n\r\n")
        assert "available" in await a.ask("(INFO)")
        for _, writer in pages:
            writer.close()


async def test_a_start_of_the_relay_under_way_is_no_slow_sender():
    async with agent("tests.agent.players.odd:Waits", server__connections=3) as a:
        start = asyncio.create_task(relaying(a)(f"start(left,ruleset({','.join(RULES)}),2,1)"))
        await appears(lambda: len(a.matches))
        slow = [await asyncio.open_connection(a.host, a.port) for _ in range(9)]
        for _, writer in slow:
            writer.write(b"POST / HTTP/1.0\r\nContent-Length: 9\r\n\r\n(")
        assert (await start)[1]["text"].endswith("ready)")
        for _, writer in slow:
            writer.close()


@pytest.mark.parametrize("path", ["/gamemaster", "/api/check", "/api/nothing"])
@pytest.mark.parametrize("body", ["Content-Length: 9\r\n\r\n(", "Transfer-Encoding: chunked\r\n\r\n2\r\n(("])
async def test_what_is_sent_to_the_page_must_come_in_time_too(path, body):
    async with agent(server__body_seconds=0.2) as a:
        assert (await a.raw(f"POST {path} HTTP/1.1\r\nHost: x\r\n{body}".encode())).split()[1] == b"408"


async def test_a_message_that_follows_a_request_of_the_page_has_a_clock_of_its_own(a, monkeypatch):
    """It counts from its own first byte, not from that of the request before on the same connection."""
    arrivals, answered = [], a.matches.answer

    def answer(message, arrival, *more):
        arrivals.append(arrival)
        return answered(message, arrival, *more)

    await a.start(STONES, "first")
    monkeypatch.setattr(a.matches, "answer", answer)
    reader, writer = await asyncio.open_connection(a.host, a.port)
    writer.write(f"GET /page/icon.svg HTTP/1.1\r\nHost: {a.host}\r\n\r\n".encode())
    await reader.readuntil(b"</svg>")
    asked = MonotonicClock().now()
    writer.write(f"POST / HTTP/1.1\r\nHost: {a.host}\r\nContent-Length: 12\r\n\r\n(PLAY m NIL)".encode())
    assert b"(take " in await reader.read()
    assert [arrival >= asked for arrival in arrivals] == [True]
    await a.ask("(ABORT m)")
    writer.close()


@pytest.mark.parametrize(
    "value",
    [
        b"{",
        b"[]",
        b"[" * 100_000,
        {},
        {"game": "nim"},
        {"game": "nim", "startClock": True, "playClock": 1},
        {"game": "nim", "startClock": 1, "playClock": 1e9},
        {"game": "nim", "role": "nobody", "startClock": 1, "playClock": 1},
        {"rules": 7, "startClock": 1, "playClock": 1},
    ],
)
async def test_a_wrong_request_is_one_clear_message(a, value):
    status, told = await sent(a, "/api/play", value)
    assert status == 400
    assert set(told) == {"error"}


async def most_processes(a, path, count, **asked):
    """Answers to so many requests at once, and the most processes that were alive meanwhile."""
    together = asyncio.gather(*(sent(a, path, asked) for _ in range(count)))
    most = 0
    while not together.done():
        most = max(most, len(a.workers.alive))
        await asyncio.sleep(0)
    return await together, most


async def test_only_a_few_rulesheets_are_read_at_once_however_many_come():
    async with agent() as a:
        answers, most = await most_processes(a, "/api/check", 40, rules=STONES)
        assert most <= 2 * Readers.AT_ONCE  # one that has read still ends
        assert {status for status, _ in answers} == {200, 503}
        refused = [told["error"] for status, told in answers if status == 503]
        assert set(refused) == {"too many rulesheets were sent to this agent; try again in a moment"}


async def test_games_asked_for_at_once_are_no_more_than_the_page_has_room_for():
    async with agent(server__matches=4) as a:
        answers, most = await most_processes(a, "/api/play", 20, rules=STONES, startClock=1, playClock=1)
        assert sum(status == 200 for status, _ in answers) <= PersonGames.LIMIT
        assert most <= 4 * PersonGames.LIMIT


async def test_rulesheets_of_the_page_and_starts_are_counted_separately_and_faulty_ones_not_at_all():
    """However many are sent to the page, managers begin their matches."""
    async with agent(server__starts_per_minute=2) as a:
        assert [(await sent(a, "/api/check", {"rules": BROKEN}))[0] for _ in range(3)] == [422] * 3
        answers = [await sent(a, "/api/analysis", {"rules": STONES}) for _ in range(3)]
        assert [status for status, _ in answers] == [200, 200, 503]
        assert "server.starts_per_minute" in answers[2][1]["error"]
        assert (await sent(a, "/api/check", {"rules": STONES}))[0] == 200, "an editor's check does not count"
        assert await a.start(STONES, "first") == "ready"


async def test_a_game_on_the_page_has_no_longer_clock_than_the_agent_takes():
    async with agent(clock__longest=5.0) as a:
        asked = {"rules": STONES, "startClock": 1, "playClock": 6}
        status, told = await sent(a, "/api/play", asked)
        assert (status, "clock.longest" in told["error"]) == (400, True)


async def test_no_address_may_have_the_page_read_all_the_rulesheets_that_wait(monkeypatch):
    """Others are read beside them."""
    waiting = asyncio.Event()

    async def read(*_, **__):
        await waiting.wait()
        return (), ("a",)

    async def ended(_):
        return None

    monkeypatch.setattr(Referee, "read", read)
    monkeypatch.setattr(Referee, "ended", ended)
    async with agent() as a:
        crowd = [asyncio.create_task(sent(a, "/api/check", {"rules": STONES})) for _ in range(30)]
        await appears(lambda: sum(task.done() for task in crowd) == 30 - Readers.FOR_ONE)
        monkeypatch.setattr(web.Request, "remote", "10.9.8.7")
        other = asyncio.create_task(sent(a, "/api/check", {"rules": STONES}))
        await appears(lambda: a.matches.metrics.connections._value.get() == Readers.FOR_ONE + 1)
        waiting.set()
        assert (await other)[0] == 200
        assert sum(status == 200 for status, _ in await asyncio.gather(*crowd)) == Readers.FOR_ONE


@pytest.mark.parametrize("path", ["check", "analysis"])
async def test_rulesheets_of_one_address_that_take_long_keep_no_other_address_waiting(monkeypatch, path):
    reading, read = [], Referee.read

    async def slowly(referee, rules, **options):
        if "slow" in rules:
            reading.append(rules)
            await asyncio.Event().wait()
        return await read(referee, rules, **options)

    monkeypatch.setattr(Referee, "read", slowly)
    async with agent() as a:
        slow = [asyncio.create_task(sent(a, f"/api/{path}", {"rules": f"{STONES} ; slow"})) for _ in range(3)]
        await appears(lambda: len(reading) == Readers.OF_ONE_AT_ONCE)
        monkeypatch.setattr(web.Request, "remote", "10.9.8.7")
        assert (await sent(a, f"/api/{path}", {"rules": STONES}))[0] == 200
        assert len(reading) == Readers.OF_ONE_AT_ONCE
        for task in slow:
            task.cancel()


async def test_broken_rules_come_back_with_their_faults(a):
    status, told = await sent(a, "/api/play", {"rules": BROKEN, "startClock": 1, "playClock": 1})
    assert status == 422
    assert any(fault["severity"] == "error" and fault["line"] for fault in told["faults"])


async def test_a_game_with_a_person_goes_on_after_its_log_is_full(a, monkeypatch):
    monkeypatch.setattr(history, "MAX_MOMENTS", 2)
    _, told = await sent(a, "/api/play", {"rules": STONES, "role": "first", "startClock": 0.5, "playClock": 0.5})
    key = told["key"]
    for step in (0, 2):
        table = await until(a, key, "person", after=step - 1)
        assert table["position"]["step"] == table["steps"] == step
        assert (await sent(a, f"/api/play/{key}/move", {"step": step, "move": "(take 1)"}))[0] == 200
    table = await until(a, key, "person", after=3)
    assert table["position"]["joint"][0] == "noop"
    assert table["moves"]
    for verb, asked in (("hint", {}), ("again", {"role": "first", "step": 4})):
        status, told = await sent(a, f"/api/play/{key}/{verb}", asked)
        assert (status, "no more room" in told["error"]) == (400, True)
    await sent(a, f"/api/play/{key}/leave", {})


async def test_a_game_with_a_person_is_played_recorded_and_shown_in_the_history(a):
    asked = {"rules": STONES, "role": "first", "startClock": 0.5, "playClock": 0.5}
    _, told = await sent(a, "/api/play", asked)
    key = told["key"]
    table = await until(a, key, "person")
    assert [entry["move"] for entry in table["moves"]] == ["(take 1)", "(take 2)"]
    assert (await sent(a, f"/api/play/{key}/move", {"step": 5, "move": "(take 1)"}))[0] == 400
    assert (await sent(a, f"/api/play/{key}/move", {"step": 0, "move": "(take 7)"}))[0] == 400
    while table["phase"] == "person":
        step = table["position"]["step"]
        assert (await sent(a, f"/api/play/{key}/move", {"step": step, "move": "(take 1)"}))[0] == 200
        table = await until(a, key, "person", "over", after=step)
    assert table["phase"] == "over"
    assert table["players"] == ["you", "ggp-agent"]
    assert sorted(table["goals"]) == [0, 100]
    for address in (f"/api/play/{key}/rules", f"/api/matches/{table['key']}/rules"):
        assert json.loads((await got(a, address))[1])["rules"] == STONES, address
    record = json.loads((await got(a, f"/api/matches/{table['key']}/record.json"))[1])
    assert record["isCompleted"]
    assert len(record["states"]) == len(record["moves"]) + 1
    assert "(status available)" in await a.ask("(INFO)")


async def test_the_roles_of_rules_at_an_address_are_told_before_they_are_played():
    """Only addresses of the sites in the settings are read, as for a game itself."""
    async with repository(stones_kif=STONES) as url, agent(page__urls=url) as a:
        assert (await sent(a, "/api/check", {"url": f"{url}/stones.kif"}))[1]["roles"] == ["first", "second"]
        status, told = await sent(a, "/api/check", {"url": "http://127.0.0.1:1/stones.kif"})
    assert status == 400
    assert "page.urls" in told["error"]


@pytest.mark.parametrize("urls", ["games.ggp.org", "https://games.ggp.org/base", "http://a.example http://b.example"])
async def test_a_word_that_names_no_site_of_rules_is_an_error_at_the_start(urls):
    with pytest.raises(SettingsError, match=r"page\.urls: '.*' is not a site; write https://example\.org"):
        async with agent(page__urls=urls):
            pass


async def test_while_a_game_is_prepared_its_players_are_named(a):
    """The page never shows the person and the agent as other players; the first it hears of a game names both."""
    _, told = await sent(a, "/api/play", {"rules": STONES, "role": "second", "startClock": 0.5, "playClock": 0.5})
    table = await until(a, told["key"], "preparing", "person", "agent", "over")
    assert table["players"] == ["ggp-agent", "you"]
    await sent(a, f"/api/play/{told['key']}/leave", {})
    await until(a, told["key"], "left")


async def test_a_game_ends_although_its_cancellation_is_lost(a, monkeypatch):
    """As `asyncio.wait_for` of Python 3.11 loses it if the answer comes at that moment; "again" waited without end."""
    advance, entered = Referee.advance, asyncio.Event()

    async def deaf(self, joint):
        entered.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return await advance(self, joint)

    _, told = await sent(a, "/api/play", {"rules": STONES, "role": "first", "startClock": 0.5, "playClock": 0.5})
    await until(a, told["key"], "person")
    monkeypatch.setattr(Referee, "advance", deaf)
    await sent(a, f"/api/play/{told['key']}/move", {"step": 0, "move": "(take 1)"})
    await entered.wait()
    monkeypatch.undo()
    await sent(a, f"/api/play/{told['key']}/leave", {})
    await until(a, told["key"], "left")


async def test_nothing_that_all_see_tells_how_a_visitors_game_or_analysis_is_named():
    """Who does not have the key can neither move, nor leave, nor end the agent's own match of it."""
    async with agent(server__matches=2) as a:
        _, told = await sent(a, "/api/play", {"rules": STONES, "role": "first", "startClock": 1, "playClock": 1})
        await until(a, told["key"], "person")
        _, analysis = await sent(a, "/api/analysis", {"rules": STONES})
        (match_id,) = a.matches._matches
        seen = ""
        reader, writer = await asyncio.open_connection(a.host, a.port)
        writer.write(f"GET /api/events HTTP/1.1\r\nHost: {a.host}\r\n\r\n".encode())
        while "event: time" not in seen or seen.count("data: ") < 6:
            seen += (await reader.readline()).decode()
        writer.close()
        assert '"matchId": "page.' in seen
        for secret in (told["key"], analysis["key"], match_id):
            assert secret not in seen
            assert len(secret) > 20
        name = json.loads(next(line[6:] for line in seen.splitlines() if '"matchId": "page.' in line))["matchId"]
        assert (await sent(a, f"/api/play/{name}/leave", {}))[0] == 400
        assert await a.ask(f"(ABORT {name}.1)") == "busy"


async def test_only_a_few_analyses_may_be_asked_for_at_once(monkeypatch):
    """Those beyond are refused, and those whose visitors have left are given up: the next need not wait for them."""
    waiting = asyncio.Event()

    async def read(*_, **__):
        await waiting.wait()
        return (), ("a",)

    seen, opened = [], Analyses.open

    def noted(analyses, *asked):
        seen.append(analyses)
        return opened(analyses, *asked)

    monkeypatch.setattr(Referee, "read", read)
    monkeypatch.setattr(Analyses, "open", noted)
    async with agent() as a:
        asked = json.dumps({"rules": STONES}).encode()
        head = f"POST /api/analysis HTTP/1.1\r\nHost: {a.host}\r\nContent-Type: application/json\r\n"
        left = [await asyncio.open_connection(a.host, a.port) for _ in range(FOR_ONE)]
        for _, writer in left:
            writer.write(f"{head}Content-Length: {len(asked)}\r\n\r\n".encode() + asked)
        await appears(lambda: seen and seen[0]._waiting.total() == FOR_ONE)
        status, told = await sent(a, "/api/analysis", {"rules": STONES})
        assert (status, told["error"][:8]) == (400, "too many")
        for _, writer in left:
            writer.close()
        await appears(lambda: not seen[0]._waiting.total())
        honest = asyncio.create_task(sent(a, "/api/analysis", {"rules": STONES}))
        await appears(lambda: seen[0]._waiting.total() == 1)
        assert not honest.done()
        honest.cancel()


async def test_a_role_that_the_agent_has_no_room_for_plays_at_random_and_the_page_says_so(a):
    rules = STONES.replace("(role second)", "(role second) (role third) (role fourth)")
    rules += "(<= (legal third wait) (true (heap ?n))) (<= (legal fourth wait) (true (heap ?n)))"
    _, told = await sent(a, "/api/play", {"rules": rules, "role": "first", "startClock": 0.5, "playClock": 0.5})
    table = await until(a, told["key"], "person")
    assert table["players"].count("ggp-agent") == 2
    assert "server.matches" in table["notes"][0]
    await sent(a, f"/api/play/{told['key']}/leave", {})
    assert (await until(a, told["key"], "left"))["status"] == "left"


async def test_chance_in_any_case_is_played_by_the_table(a):
    """The agent is asked for no role named `RANDOM`, and the page calls it chance."""
    rules = STONES.replace("(role second)", "(role second) (role RANDOM)") + "(<= (legal RANDOM wait) (true (heap ?n)))"
    _, told = await sent(a, "/api/play", {"rules": rules, "role": "first", "startClock": 0.5, "playClock": 0.5})
    table = await until(a, told["key"], "person")
    assert table["players"] == ["you", "ggp-agent", "chance"]
    await sent(a, f"/api/play/{told['key']}/leave", {})


async def test_a_person_sees_the_knowledge_of_its_role_in_gdl_ii_and_everything_at_the_end(a):
    asked = {"game": "hiddenCoin", "role": "seeker", "startClock": 0.5, "playClock": 0.5}
    _, told = await sent(a, "/api/play", asked)
    key = told["key"]
    table = await until(a, key, "person")
    while table["phase"] == "person":
        step = table["position"]["step"]
        assert "coin" not in json.dumps(table["position"])
        assert table["position"]["joint"] == ["unseen", "noop"]
        assert "(opened left)" in table["percepts"] or step == 1
        assert table["hides"]
        assert (await sent(a, f"/api/play/{key}/move", {"step": step, "move": "(open left)"}))[0] == 200
        table = await until(a, key, "person", "over", after=step)
    assert (table["phase"], table["notes"]) == ("over", [])
    record = json.loads((await got(a, f"/api/matches/{table['key']}/record.json"))[1])
    assert sum("coin" in state for state in record["states"]) == 3
    assert "unseen" not in json.dumps(record["moves"])
    assert "(status available)" in await a.ask("(INFO)")


def relaying(a, player="me", origin="http://localhost:8080", browser=""):
    """Says one thing to the relay as a page of Gamemaster does: status and JSON of its answer."""
    path = f"/gamemaster?browser={browser}" if browser else "/gamemaster"

    async def say(content):
        body = f"message(4,manager,{player},{content})".encode()
        return await sent(a, path, body, f"Content-Type: text/plain\r\nOrigin: {origin}\r\n")

    return say


async def test_the_relay_plays_for_gamemaster(a):
    say = relaying(a)
    assert await say("ping()") == (200, {"to": "manager", "text": "message(4,me,manager,ready)"})
    assert (await say(f"start(left,rulesheet({','.join(RULES)}),1,20)"))[1]["text"] == "message(4,me,manager,ready)"
    move = (await say("play(nil)"))[1]["text"]
    assert move.startswith("message(4,me,manager,claim(")
    assert await say(f"play({move[21:-1]})") == (200, {})
    assert (await say("stop(claim(2,2))"))[1]["text"] == "message(4,me,manager,done)"
    assert (await say("dance()"))[0] == 400
    head = (await a.raw(b"OPTIONS /gamemaster HTTP/1.0\r\n\r\n")).decode().lower()
    assert "access-control-allow-origin: *" in head
    assert "access-control-allow-private-network: true" in head


STEPS = (
    *("role(left)", "role(right)", "init(control(left))", "init(count(0))"),
    *("legal(P,step) :- true(control(P))", "legal(P,noop) :- role(P) & ~true(control(P))"),
    *("next(control(right)) :- true(control(left))", "next(control(left)) :- true(control(right))"),
    *("next(count(M)) :- true(count(N)) & succ(N,M)", *(f"succ({n},{n + 1})" for n in range(9))),
    *("terminal :- true(count(9))", "goal(P,50) :- role(P)"),
)
"""A game whose roles make the same move in turn."""


async def test_a_move_whose_answer_was_lost_is_no_other_move_when_it_is_sent_again():
    async with agent("legal") as a:

        async def say(content, message):
            body = f"message(4,manager,me,{content})".encode()
            path = f"/gamemaster?browser=12ab&message={message}"
            return (await sent(a, path, body, "Content-Type: text/plain\r\nOrigin: http://localhost:8080\r\n"))[1]

        step, silence = {"to": "manager", "text": "message(4,me,manager,step)"}, {}
        await say(f"start(left,rulesheet({','.join(STEPS)}),20,20)", "a1")
        assert [await say("play(nil)", word) for word in ("b1", "b1")] == [step] * 2
        for number in range(3):
            assert [await say("play(step)", f"c{number}") for _ in range(2)] == [silence] * 2
            both = asyncio.gather(*(say("play(step)", f"d{number}") for _ in range(2)))
            assert await both == [step] * 2
        await say("abort()", "e1")


async def test_a_position_that_no_worker_has_told_does_not_say_who_is_in_control(monkeypatch):
    """After a worker's death, the facts were still those before the move, and our answer was not sent."""
    async with agent("legal") as a:
        say = relaying(a)
        await say(f"start(right,rulesheet({','.join(STEPS)}),20,20)")
        assert await say("play(nil)") == (200, {})
        monkeypatch.setattr("agent.page.history.MatchLog.reach", lambda *_, **__: None)
        assert (await say("play(step)"))[1]["text"] == "message(4,me,manager,step)"
        assert await say("play(step)") == (200, {})
        await say("abort()")


@pytest.mark.parametrize("wrong", ["start(left,,1,1)", "start(left,[role(left)],soon,1)", "start(left,word,1,1)"])
async def test_a_start_that_cannot_be_read_is_refused_and_ends_no_match(a, wrong):
    say = relaying(a)
    await say(f"start(left,rulesheet({','.join(RULES)}),1,20)")
    assert (await say(wrong))[0] == 400
    assert (await say("play(nil)"))[1]["text"].startswith("message(4,me,manager,claim(")
    await say("abort()")


async def test_a_page_of_any_site_may_ask_the_relay_whether_it_is_there_and_no_more(a):
    """Which sites may play stands in a setting; Stanford's is the default."""
    strange, stanford = relaying(a, origin="http://elsewhere"), relaying(a, origin="http://gamemaster.stanford.edu")
    start = f"start(left,rulesheet({','.join(RULES)}),1,1)"
    assert (await strange("ping()"))[0] == 200
    status, told = await strange(start)
    assert status == 400
    assert "server.origins" in told["error"]
    assert (await stanford(start))[0] == 200
    assert (await strange("abort()"))[0] == 400
    assert (await stanford("abort()"))[0] == 200


async def test_the_first_move_of_a_game_of_gamemaster_that_we_begin_is_answered(a):
    """The public pages write that nothing was played yet, nil, as the empty list."""
    say = relaying(a)
    await say(f"start(left,ruleset({','.join(RULES)}),1,20)")
    status, told = await say("play([])")
    assert status == 200
    assert told["text"].startswith("message(4,me,manager,claim(")
    assert (await say("stop([])"))[1]["text"] == "message(4,me,manager,done)"


async def test_players_of_one_name_in_two_browsers_have_matches_of_their_own():
    """All player pages suggest the same name; a page without a word of its browser is one more."""
    async with agent(server__matches=2) as a:
        one, other, old = relaying(a, browser="12ab"), relaying(a, browser="34cd"), relaying(a)
        await one(f"start(left,ruleset({','.join(RULES)}),60,60)")
        await other(f"start(right,ruleset({','.join(RULES)}),60,60)")
        assert (await one("play(nil)"))[1]["text"].startswith("message(4,me,manager,claim(")
        assert await other("play(nil)") == (200, {})
        assert (await old("play(nil)"))[1]["text"].endswith(",busy)")
        await old("abort()")
        assert (await other("play(claim(1,1))"))[1]["text"].startswith("message(4,me,manager,claim(")
        assert [start.match_id for start in a.matches.starts()] == ["gamemaster.me.12ab.1", "gamemaster.me.34cd.2"]


async def test_a_match_of_gamemaster_continues_when_the_agent_is_started_again(tmp_path):
    journal = {"journal__folder": str(tmp_path / "journal")}
    async with agent(**journal) as a:
        say = relaying(a)
        await say(f"start(left,ruleset({','.join(RULES)}),60,60)")
        move = (await say("play([])"))[1]["text"][21:-1]
    async with agent(**journal) as a:
        say = relaying(a)
        assert (await say("ping()"))[1]["text"].endswith("ready)")
        assert await say(f"play({move})") == (200, {})
        other = next(cell for cell in ("claim(1,1)", "claim(1,2)") if cell != move)
        assert (await say(f"play({other})"))[1]["text"].startswith("message(4,me,manager,claim(")
        assert (await say("abort()"))[1]["text"].endswith("done)")
        await a.until_info_says("available")


@pytest.mark.long
async def test_relay_matches_that_managers_have_abandoned_make_nobody_busy_for_good():
    """A match is dropped when it is overdue, and no list beside it remembers its player."""
    async with agent(server__takeover=0.0, clock__silence=0.0) as a:
        for player in range(70):
            say = relaying(a, f"p{player}")
            rules = ",".join(RULES)
            told = (await say(f"start(left,ruleset({rules}),0.1,0)"))[1]["text"]
            assert told.endswith("ready)"), player
            await a.until_info_says("available")


async def test_the_page_may_be_off_and_may_have_a_port_of_its_own():
    port = quiet_port()
    async with agent(page__enabled=False) as off:
        assert "(status" in (await got(off, "/"))[1]
        assert (await off.reply(b"{}"))[0] == 400
    async with agent(page__port=port) as apart:
        assert "(status" in (await got(apart, "/"))[1]
        apart.port = port
        assert "<title>ggp-agent</title>" in (await got(apart, "/"))[1]
        assert "<title>ggp-agent</title>" in (await got(apart, "/", ""))[1]


async def test_a_page_on_a_port_of_its_own_lets_only_those_in_who_may():
    port = quiet_port()
    async with agent(page__port=port, server__allow="10.0.0.0/8") as a:
        a.port = port
        assert " 403 " in (await got(a, "/"))[0]


async def test_a_game_that_is_begun_again_twice_at_the_same_time_is_begun_once(a):
    """A double click is answered with the new game and with one clear message, and the log has no traceback."""
    asked = {"rules": STONES, "role": "first", "startClock": 1, "playClock": 1}
    key = (await sent(a, "/api/play", asked))[1]["key"]
    await until(a, key, "person")
    told = await asyncio.gather(*(sent(a, f"/api/play/{key}/again", {"step": 0, "role": "first"}) for _ in range(3)))
    assert sorted(status for status, _ in told) == [200, 400, 400]
    again = next(value for status, value in told if status == 200)["key"]
    await sent(a, f"/api/play/{again}/leave", {})


async def test_a_long_message_of_gamemaster_is_read_beside_the_event_loop(a, monkeypatch):
    """No stranger's 16 MiB keep INFO, or a match's moves, waiting: envelope, rules and moves are read in threads."""
    read = {}

    def noted(module, name):
        original = getattr(module, name)

        def reader(*args):
            read[name] = threading.current_thread() is threading.main_thread()
            return original(*args)

        monkeypatch.setattr(module, name, reader)

    noted(relay, "read_envelope")
    noted(relay, "rules_of")
    await sent(a, "/gamemaster", f"message(1,me,you,start(x,rulesheet({'r(a),' * 20_000}x),1,1))".encode())
    assert read == {"read_envelope": False, "rules_of": False}


async def test_rules_that_a_placed_position_begins_are_read_beside_the_event_loop(a, monkeypatch):
    """However long pasted rules are, others are answered while the position is put into them."""
    main = []

    def noted(rules, facts):
        main.append(threading.current_thread() is threading.main_thread())
        return begun_at(rules, facts)

    monkeypatch.setattr(play_site, "begun_at", noted)
    asked = {"rules": f"(role {'x' * 100_000})", "facts": "(p 1)", "role": None, "startClock": 1, "playClock": 1}
    await sent(a, "/api/play", asked)
    assert main == [False]


@pytest.mark.parametrize("content", [f"play({'x' * 1_100_000})", f"start({'x' * 1001},rulesheet(role(x)),1,1)"])
async def test_what_is_kept_of_a_message_of_gamemaster_is_as_short_as_of_a_managers(a, content):
    """Moves and roles have the same limits on both ways in."""
    role, rules = "left", ",".join(RULES)
    await sent(a, "/gamemaster", f"message(1,me,you,start({role},rulesheet({rules}),1,1))".encode())
    try:
        status, told = await sent(a, "/gamemaster", f"message(1,me,you,{content})".encode())
        assert status == 400
        assert "characters" in told["error"]
    finally:
        await sent(a, "/gamemaster", b"message(1,me,you,abort())")


@pytest.mark.parametrize("opening", ["[", '{"a":'])
async def test_a_request_of_very_many_lists_is_refused_before_it_is_read(a, opening):
    """JSON is read on the event loop, where 15 MiB of lists would keep everybody waiting for seconds."""
    closing = "]" if opening == "[" else "0}"
    asked = f'{{"rules": [{f"{opening}{closing}," * 100_000}0]}}'
    assert await sent(a, "/api/check", asked.encode()) == (
        400,
        {"error": "a request must have at most 100,000 lists and objects"},
    )
