"""Analysis over raw sockets and real processes: trees of positions, what is thought of them, and what is refused."""

import asyncio
import json
import os
import signal

import pytest
import pytest_asyncio

from agent.page.analyses import BESIDE
from agent.page.analysis import Analysis
from agent.page.errors import LaterError, PageError
from agent.page.readers import Readers
from agent.page.sources import _allowed, facts_of
from tests.agent.page.test_site import got, sent, until
from tests.agent.rules import STONES
from tests.agent.server.client import agent
from tests.waiting import until as appears

pytestmark = pytest.mark.asyncio(loop_scope="module")
PLAYER = "mcts:threads=1,memory_mib=64"
SETTINGS = {"server__matches": 2, "page__analyses": 1, "page__analysis_seconds": 5.0, "player__spec": PLAYER}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def a():
    async with agent(**SETTINGS) as one:
        yield one


@pytest.fixture(autouse=True)
def _no_grace(monkeypatch):
    monkeypatch.setattr("agent.page.analysis.GRACE", 0.0)


async def opened(a, **asked):
    status, told = await sent(a, "/api/analysis", asked or {"rules": STONES})
    assert status == 200, told
    return told


async def tried(a, key, node, joint):
    return await sent(a, f"/api/analysis/{key}/try", {"node": node, "joint": joint})


async def thought(a, key, wanted):
    """The first thought that `wanted` says yes to."""
    reader, writer = await asyncio.open_connection(a.host, a.port)
    try:
        writer.write(f"GET /api/analysis/{key}/events HTTP/1.1\r\nHost: {a.host}\r\n\r\n".encode())
        async with asyncio.timeout(60):
            while line := await reader.readline():
                if line.startswith(b"data: {") and wanted(told := json.loads(line[6:])):
                    return told
    finally:
        writer.close()
    raise AssertionError("nothing was thought")


async def test_moves_tried_by_hand_make_a_tree_and_the_same_move_is_no_second_branch(a):
    told = await opened(a)
    key = told["key"]
    assert told["opposed"]
    status, one = await tried(a, key, 0, ["(take 1)", "noop"])
    assert (status, one["node"], one["parent"], one["step"]) == (200, 1, 0, 1)
    assert [entry["move"] for entry in one["moves"][1]] == ["(take 1)", "(take 2)"]
    assert (await tried(a, key, 0, ["(take 2)", "noop"]))[1]["node"] == 2
    assert (await tried(a, key, 0, ["(take 1)", "noop"]))[1]["node"] == 1
    assert (await tried(a, key, 1, ["noop", "(take 2)"]))[1]["parent"] == 1
    assert (await tried(a, key, 0, ["(take 7)", "noop"]))[0] == 400
    tree = json.loads((await got(a, f"/api/analysis/{key}"))[1])
    assert [(node["node"], node["parent"]) for node in tree["nodes"]] == [(0, None), (1, 0), (2, 0), (3, 1)]


async def test_the_positions_of_an_analysis_have_a_limit_of_memory(a, monkeypatch):
    key = (await opened(a))["key"]
    assert (await tried(a, key, 0, ["(take 1)", "noop"]))[0] == 200
    monkeypatch.setattr("agent.page.analysis.MAX_SIZE", 100)
    status, told = await tried(a, key, 0, ["(take 2)", "noop"])
    assert (status, told["error"]) == (400, "this analysis has reached the limit of its memory; start another")
    assert (await tried(a, key, 0, ["(take 1)", "noop"]))[1]["node"] == 1


async def test_a_position_is_thought_about_while_somebody_looks_and_the_values_are_those_of_both(a):
    key = (await opened(a))["key"]
    assert (await sent(a, f"/api/analysis/{key}/think", {"node": 0}))[0] == 200
    told = await thought(a, key, lambda told: told.get("values", [None])[0] is not None)
    assert told["node"] == 0
    assert sum(told["values"]) == 100
    assert {move["move"] for move in told["figures"]["0"]["moves"]} == {"(take 1)", "(take 2)"}
    assert (await sent(a, f"/api/analysis/{key}/think", {"node": 99}))[0] == 400
    assert (await sent(a, f"/api/analysis/{key}/think", {"node": None}))[0] == 200


async def test_a_position_is_given_by_its_facts_and_may_be_the_others_turn(a):
    key = (await opened(a))["key"]
    place = f"/api/analysis/{key}/place"
    status, told = await sent(a, place, {"facts": " "})
    assert (status, "must have at least one fact" in told["error"]) == (400, True)
    status, placed = await sent(a, place, {"facts": "( ( heap 3 ) ( turn second ) )"})
    assert (status, placed["facts"], placed["choosers"]) == (200, ["(heap 3)", "(turn second)"], [1])
    status, passed = await tried(a, key, placed["node"], None)
    assert (status, passed["facts"], passed["passed"]) == (200, ["(heap 3)", "(turn first)"], True)
    assert (await sent(a, place, {"facts": "(heap 3"}))[0] == 400
    told = (await sent(a, "/api/play", {"match": 10**6, "startClock": 1, "playClock": 1}))[1]
    assert told["error"] == "this match is not in the history; choose one under History"


async def test_facts_are_read_one_by_one_as_a_list_and_with_the_keyword_true():
    assert facts_of("(cell 1 1 b) (control x) over") == ["(cell 1 1 b)", "(control x)", "over"]
    assert facts_of("( ( cell 1 1 b ) ( control x ) )") == ["(cell 1 1 b)", "(control x)"]
    assert facts_of("(true (cell 1 1 b))") == ["(cell 1 1 b)"]
    for text in ("", ")", "(" * 200_001):
        with pytest.raises(PageError):
            facts_of(text)


async def watching(a, key, head=""):
    """An open stream of what an analysis tells, as a page has it."""
    reader, writer = await asyncio.open_connection(a.host, a.port)
    writer.write(f"GET /api/analysis/{key}/events HTTP/1.1\r\nHost: {a.host}\r\n{head}\r\n".encode())
    await asyncio.wait_for(reader.readuntil(b"event: free"), 60)
    return reader, writer


async def searches(a, key):
    """Whether an analysis may search its first position."""
    return (await sent(a, f"/api/analysis/{key}/think", {"node": 0}))[1]["searches"]


async def gets_the_search(a, key):
    """Ask for it until the pages of other tests are seen to have gone."""
    while not await searches(a, key):
        await asyncio.sleep(0.01)


async def test_a_second_analysis_takes_the_search_of_one_that_nobody_looks_at(a):
    first, second = (await opened(a))["key"], (await opened(a))["key"]
    await gets_the_search(a, second)
    assert await searches(a, first)  # nobody looks at the second either
    assert (await tried(a, second, 0, ["(take 1)", "noop"]))[0] == 200  # its positions stay


async def test_a_queued_analysis_shows_positions_and_searches_when_the_other_page_closes(a):
    """A link must be seen by its receiver while its sender still looks at the same position."""
    moves = [["(take 1)", "noop"]]
    sender = (await opened(a, rules=STONES, moves=moves))["key"]
    _, writer = await watching(a, sender)
    await gets_the_search(a, sender)
    receiver = await opened(a, rules=STONES, moves=moves)
    seen = json.loads((await got(a, f"/api/analysis/{receiver['key']}/nodes/1"))[1])
    assert seen["picture"]["counters"][0] == ["heap", "8"]
    reader, other = await watching(a, receiver["key"])
    assert not await searches(a, receiver["key"])
    writer.close()
    async with asyncio.timeout(60):
        await reader.readuntil(b"event: free\ndata: true")
    assert await searches(a, receiver["key"])
    other.close()


async def test_a_page_that_is_loaded_again_keeps_its_search(monkeypatch):
    """Between the stream that closes and the next one no other page takes the search."""
    monkeypatch.setattr("agent.page.analysis.GRACE", 1e6)
    async with agent(**SETTINGS) as a:
        first = (await opened(a))["key"]
        assert await searches(a, first)
        _, writer = await watching(a, first)
        writer.close()
        other = (await opened(a))["key"]
        assert not await searches(a, other)
        assert await searches(a, first)


async def test_an_analysis_whose_process_is_killed_says_so_at_once_and_gives_its_place_to_the_next(monkeypatch):
    """As by the system when memory runs out. Its page stays open, and asks nothing by itself."""
    monkeypatch.setattr("agent.page.analyses.TURN", 1e6)
    async with agent(**{**SETTINGS, "page__analysis_seconds": 600.0}) as a:
        first = (await opened(a, game="connectFour"))["key"]
        (worker,) = a.workers.alive
        second = (await opened(a, game="connectFour"))["key"]
        reader, page = await watching(a, first)
        await gets_the_search(a, first)
        _, other = await watching(a, second)
        assert not await searches(a, second)
        os.kill(worker.pid, signal.SIGKILL)
        async with asyncio.timeout(60):
            await reader.readuntil(b'event: closed\ndata: "the process of its rules has ended"')
            while not await searches(a, second):
                await asyncio.sleep(0.01)
        status, told = await tried(a, first, 0, ["(drop 1)", "noop"])
        page.close()
        other.close()
    assert (status, "its process ended" in told["error"]) == (400, True)


async def test_no_more_analyses_are_kept_than_there_is_room_for():
    """Each is a process, with a search or without."""
    async with agent(**SETTINGS) as a:
        pages = [await watching(a, (await opened(a))["key"]) for _ in range(1 + BESIDE)]
        status, told = await sent(a, "/api/analysis", {"rules": STONES})
        for _, writer in pages:
            writer.close()
    assert (status, "too many analyses are open" in told["error"]) == (400, True)


async def test_one_visitor_does_not_hold_all_analyses():
    """The visitor with most pages gives one up to a visitor with none; who has as many as others, does not."""
    async with agent(**SETTINGS, server__proxies="127.0.0.1") as a:

        def by(sender):
            return f"Content-Type: application/json\r\nX-Forwarded-For: {sender}\r\n"

        async def opens(sender):
            return await sent(a, "/api/analysis", {"rules": STONES}, by(sender))

        keys = [(await opens("9.9.9.1"))[1]["key"] for _ in range(1 + BESIDE)]
        pages = [await watching(a, key, "X-Forwarded-For: 9.9.9.1\r\n") for key in keys]
        assert (await opens("9.9.9.1"))[0] == 400
        assert (await opens("9.9.9.2"))[0] == 200
        left = [(await sent(a, f"/api/analysis/{key}/think", {"node": None}, by("9.9.9.1")))[0] for key in keys]
        assert left == [400] + [200] * BESIDE
        for _, writer in pages:
            writer.close()


@pytest.mark.parametrize("path", ["/api/analysis", "/api/play"])
async def test_a_role_without_a_move_is_named_with_the_rule_to_add(a, path):
    """Play alone shows that a role that waits has no move; whoever wrote the rules must learn which one and why."""
    waits = "(legal ?r noop) (role ?r) (not (true (turn ?r)))", "(legal first noop) (not (true (turn first)))"
    lame = STONES.replace(*waits).replace("(init (turn first))", "(init (turn second))")
    line = [["noop", "(take 1)"]]
    status, told = await sent(a, path, {"rules": lame, "moves": line, "startClock": 0.5, "playClock": 0.5})
    assert status == 200
    said = told["note"] if "note" in told else (await until(a, told["key"], "left"))["notes"][-1]
    assert "econd has no legal move" in said
    assert "(legal second noop)" in said


async def test_rules_too_long_for_a_link_are_kept_for_it_with_their_title(a):
    status, told = await sent(a, "/api/sheets", {"rules": STONES, "name": "stones.kif"})
    assert status == 200
    assert json.loads((await got(a, f"/api/sheets/{told['sheet']}"))[1]) == {"title": "stones", "rules": STONES}
    analysis = await opened(a, sheet=told["sheet"], moves=[["(take 1)", "noop"]])
    assert (analysis["title"], len(analysis["nodes"])) == ("stones", 2)
    assert json.loads((await got(a, f"/api/analysis/{analysis['key']}/rules"))[1])["rules"] == STONES
    status, told = await sent(a, "/api/analysis", {"sheet": "gone"})
    assert (status, "no longer stored" in told["error"]) == (400, True)
    assert " 400 " in (await got(a, "/api/sheets/gone"))[0]


async def test_a_record_of_other_rules_is_refused_and_leaves_no_analysis(a):
    """A link whose moves do not fit shows its beginning and says so; of a record nothing is shown."""
    fits = {"rules": STONES, "moves": [["(take 1)", "noop"], ["noop", "(take 2)"]], "record": True}
    told = await opened(a, **fits, name="stones")
    assert (told["title"], told["note"], len(told["nodes"])) == ("stones", "", 3)
    for wrong in ([["(take 1)", "noop"], ["(mark 2 2)", "noop"]], [["(take 1)", "noop", "noop"]], [["noop"]]):
        status, refused = await sent(a, "/api/analysis", {**fits, "moves": wrong})
        assert status == 400
        assert refused["error"].startswith(f"the moves of this record do not fit these rules: step {len(wrong)}: ")
        assert refused["error"].endswith("choose the game that was played")
        assert " · ".join(wrong[-1]) in refused["error"]
        link = await opened(a, rules=STONES, moves=wrong)
        assert link["note"].startswith(f"step {len(wrong)}: ")
        assert len(link["nodes"]) == len(wrong)


async def test_the_record_of_a_match_is_opened_by_what_it_holds(a):
    """What the page writes of a manager's match and of its own names the rules; both are read again without a game."""
    assert await a.start(STONES, "first", clocks="60 60", match="m.7") == "ready"
    await a.ask("(PLAY m.7 NIL)")
    await a.ask("(PLAY m.7 ((take 1) noop))")
    assert await a.ask("(STOP m.7 (noop (take 2)))") == "done"
    await appears(lambda: a.gallery.history.all() and a.gallery.history.all()[0].steps == 2)
    log = a.gallery.history.all()[0]
    record = json.loads((await got(a, f"/api/matches/{log.key}/record.json"))[1])
    assert (record["rulesheet"], record["roleNames"]) == (STONES, ["first", "second"])
    assert "gameName" not in record  # a manager does not tell
    moves = [[move.replace("( ", "(").replace(" )", ")") for move in joint] for joint in record["moves"]]
    told = await opened(a, rules=record["rulesheet"], moves=moves, record=True)
    assert len(told["nodes"]) == 3


async def test_analysis_may_be_switched_off():
    async with agent(page__analyses=0) as off:
        status, told = await sent(off, "/api/analysis", {"rules": STONES})
        assert status == 400
        assert "page.analyses" in told["error"]


async def test_moves_that_are_not_legal_end_the_line_and_the_note_says_where(a):
    moves = [["(take 1)", "noop"], ["noop", "(take 9)"]]
    told = await opened(a, rules=STONES, moves=moves)
    assert len(told["nodes"]) == 2
    assert told["note"].startswith("step 2:")
    assert (await sent(a, "/api/analysis", {"rules": STONES, "moves": "all"}))[0] == 400


@pytest.mark.parametrize("record", [False, True])
async def test_a_match_whose_moves_are_hidden_is_shown_up_to_the_first_step_that_nobody_knows(a, record):
    """As in a match of GDL-II with a manager, of which the agent knows its own moves only."""
    told = await opened(a, rules=STONES, moves=[["(take 1)", "noop"], []], record=record)
    assert len(told["nodes"]) == 2
    assert told["note"].startswith("step 2: the moves are not known")


async def test_rules_are_read_from_the_sites_of_the_setting_only(a):
    status, told = await sent(a, "/api/analysis", {"url": "http://127.0.0.1:1/x"})
    assert status == 400
    assert "page.urls" in told["error"]
    sites = "http://games.ggp.org, https://here.example:8080/"
    assert _allowed("http://games.ggp.org/base/games/chess/", sites)
    assert _allowed("https://here.example:8080/x.kif", sites)
    for url in ("https://games.ggp.org/", "http://games.ggp.org.evil/", "http://games.ggp.org@evil/", "file:///x"):
        assert not _allowed(url, sites), url
    assert _allowed("http://anywhere/", "*")
    assert not _allowed("http://anywhere/", "")


async def test_a_game_begins_in_the_position_that_moves_lead_to(a):
    asked = {"rules": STONES, "role": "first", "startClock": 0.5, "playClock": 0.5}
    line = [["(take 2)", "noop"], ["noop", "(take 1)"]]
    _, told = await sent(a, "/api/play", {**asked, "moves": line, "simulations": 20})
    table = await until(a, told["key"], "person")
    assert (table["position"]["step"], table["position"]["joint"]) == (2, ["noop", "(take 1)"])
    assert table["simulations"] == 20
    assert (await sent(a, f"/api/play/{told['key']}/move", {"step": 2, "move": "(take 2)"}))[0] == 200
    after = await until(a, told["key"], "person", after=3)
    assert after["position"]["step"] == 4
    again = (await sent(a, f"/api/play/{told['key']}/again", {"role": "first", "step": 2}))[1]
    back = await until(a, again["key"], "person")
    assert back["position"]["step"] == 2  # the moves after it are taken back
    assert (await sent(a, f"/api/play/{again['key']}/again", {"role": "nobody", "step": 2}))[0] == 400
    assert (await until(a, again["key"], "person"))["position"]["step"] == 2  # a wrong role ends no game
    swapped = (await sent(a, f"/api/play/{again['key']}/again", {"role": "second", "step": 2}))[1]
    other = await until(a, swapped["key"], "person", after=2)
    assert (other["person"], other["position"]["step"]) == (1, 3)
    await sent(a, f"/api/play/{swapped['key']}/leave", {})


async def test_a_game_whose_moves_cannot_be_taken_back_any_more_is_kept_in_the_history(a, monkeypatch):
    """It had given way to the game that could not start."""

    async def full(*_, **__):
        raise LaterError("too many rulesheets")

    asked = {"rules": STONES, "role": "first", "startClock": 0.5, "playClock": 0.5}
    key = (await sent(a, "/api/play", {**asked, "moves": [["(take 2)", "noop"], ["noop", "(take 1)"]]}))[1]["key"]
    await until(a, key, "person")
    with monkeypatch.context() as patched:
        patched.setattr(Readers, "read", full)
        assert (await sent(a, f"/api/play/{key}/again", {"role": "first", "step": 0}))[0] == 503
    table = await until(a, key, "left")
    assert a.gallery.history.get(table["key"]).steps == 2


async def test_a_position_of_pasted_rules_that_was_placed_is_played_on_from(a):
    analysis = await opened(a, rules=STONES)
    asked = {"analysis": analysis["key"], "role": "second", "startClock": 1, "playClock": 1}
    placed = {"facts": "(heap 5) (turn first)", "moves": [["(take 2)", "noop"]]}
    _, told = await sent(a, "/api/play", {**asked, **placed})
    table = await until(a, told["key"], "person")
    assert (table["position"]["step"], table["position"]["picture"]["counters"][0]) == (1, ["heap", "3"])
    await sent(a, f"/api/play/{told['key']}/leave", {})
    status, told = await sent(a, "/api/play", {**asked, "analysis": "gone"})
    assert (status, "was closed" in told["error"]) == (400, True)


async def test_a_hint_is_the_move_that_the_agent_would_make(a):
    asked = {"rules": STONES, "role": "first", "startClock": 0.5, "playClock": 0.5}
    line = [["(take 2)", "noop"], ["noop", "(take 2)"], ["(take 2)", "noop"], ["noop", "(take 1)"]]
    _, told = await sent(a, "/api/play", {**asked, "moves": line})  # two are left: to take both wins
    await until(a, told["key"], "person")
    status, hint = await sent(a, f"/api/play/{told['key']}/hint", {})
    assert (status, hint) == (200, {"move": "(take 2)", "value": 100.0})
    await sent(a, f"/api/play/{told['key']}/leave", {})


async def waits(a, key):
    """The place of an analysis in the queue, once it has one."""
    reader, writer = await asyncio.open_connection(a.host, a.port)
    writer.write(f"GET /api/analysis/{key}/events HTTP/1.1\r\nHost: {a.host}\r\n\r\n".encode())
    async with asyncio.timeout(60):
        while not (line := await reader.readline()).startswith(b'data: {"place"'):
            pass
    return json.loads(line[6:]), writer


async def test_analyses_wait_in_a_queue_with_an_estimate_and_take_turns(monkeypatch):
    """Who has searched for a whole turn goes to the end of the queue, even with an open page."""
    monkeypatch.setattr("agent.page.analyses.PICK_UP", 1e6)
    async with agent(**{**SETTINGS, "page__analysis_seconds": 600.0}) as a:
        keys = [(await opened(a, game="connectFour"))["key"] for _ in range(3)]
        _, first = await watching(a, keys[0])
        assert await searches(a, keys[0])
        pages = [first]
        for place in (1, 2):
            _, page = await watching(a, keys[place])
            assert not await searches(a, keys[place])
            queue, again = await waits(a, keys[place])
            assert queue["place"] == place
            assert 60 * (place - 1) < queue["seconds"] <= 60 * place
            pages += [page, again]
        monkeypatch.setattr("agent.page.analyses.TURN", 1.0)
        queue, again = await waits(a, keys[0])
        assert queue["place"] >= 1  # the others have their turns first
        for page in (*pages, again):
            page.close()


async def test_an_analysis_keeps_its_place_while_it_searches_for_a_second_role(monkeypatch):
    """The finished search for the first role says nothing about the one for the second."""
    monkeypatch.setattr("agent.page.analyses.PICK_UP", 0.0)
    async with agent(**{**SETTINGS, "page__analysis_seconds": 600.0}) as a:
        mine, other = [(await opened(a, game="goofspiel"))["key"] for _ in range(2)]
        _, page = await watching(a, mine)
        think = f"/api/analysis/{mine}/think"
        assert (await sent(a, think, {"node": 0, "role": 0, "seconds": 0.1}))[1]["searches"]
        await thought(a, mine, lambda told: told.get("figures", {}).get("0", {}).get("done"))
        assert (await sent(a, think, {"node": 0, "role": 1}))[1]["searches"]
        assert not await searches(a, other)
        page.close()


async def test_a_hint_keeps_its_search_place_until_it_is_found(monkeypatch):
    """No page shows its analysis, but a visitor waits for it."""
    started, best = asyncio.Event(), Analysis.best

    async def observed(self, *asked):
        started.set()
        return await best(self, *asked)

    monkeypatch.setattr(Analysis, "best", observed)
    async with agent(**SETTINGS) as a:
        other = (await opened(a, game="connectFour"))["key"]
        _, page = await watching(a, other)
        asked = {"game": "connectFour", "role": "red", "startClock": 0.5, "playClock": 0.5}
        key = (await sent(a, "/api/play", asked))[1]["key"]
        await until(a, key, "person")
        hint = asyncio.create_task(sent(a, f"/api/play/{key}/hint", {}))
        await started.wait()
        assert not await searches(a, other)
        status, found = await hint
        assert (status, found.get("move", "").startswith("(drop ")) == (200, True), found
        await sent(a, f"/api/play/{key}/leave", {})
        page.close()
