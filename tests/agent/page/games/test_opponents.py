"""Opponents on the page besides the agent's own player: only those that the host names."""

import asyncio
import json

import pytest
from aiohttp import test_utils, web
from structlog.testing import capture_logs

from agent.errors import SettingsError
from agent.knowledge.file_names import NETWORK
from agent.page.games.opponent_list import opponents_of
from agent.page.games.opponents import UNSTUDIED, offered
from agent.players.base import Game, Player, Turn
from agent.settings import load_settings
from reasoner.language.terms import Term
from tests.agent.page.test_site import got, sent, until
from tests.agent.rules import STONES
from tests.agent.server.client import agent
from tests.ports import quiet_port
from tests.waiting import until as appears

ASKED = {"rules": STONES, "role": "second", "startClock": 5, "playClock": 5}


class Last(Player):
    """Plays the last of the legal moves in the order of their text."""

    def play(self, game: Game, turn: Turn) -> Term:
        """The move."""
        del turn
        return max(game.legal, key=str)


class Broken(Player):
    """Cannot be created."""

    def __init__(self) -> None:
        raise ValueError("no weights")

    def play(self, game: Game, turn: Turn) -> Term:
        """No move."""
        raise NotImplementedError  # never called: the constructor fails


HERE = "tests.agent.page.games.test_opponents"


def test_the_setting_names_players_and_says_what_is_wrong_with_it():
    found = opponents_of("weak = mcts:simulations=30,ponder=false; lab=http://10.0.0.2:9147 ;")
    assert dict(found) == {"weak": "mcts:simulations=30,ponder=false", "lab": "http://10.0.0.2:9147"}
    assert opponents_of("") == {}
    for text, said in (
        ("weak", "must be NAME=PLAYER"),
        ("a=random; a=legal", "each name once"),
        ("weak=mcts:strength=3", "unknown setting"),
        ("lab=http://[", r"'http://\[' of 'lab' is not the address of a player: write NAME=http://HOST:PORT"),
        ("lab=http://10.0.0.2:91470", "is not the address of a player"),
        ("lab=http://my host", "is not the address of a player"),
        (";".join(f"p{i}=random" for i in range(40)), "at most 32"),
    ):
        with pytest.raises(SettingsError, match=said):
            opponents_of(text)


def test_who_has_studied_games_may_be_played_without_them(tmp_path):
    settings = load_settings(environment={}, flags={"knowledge.folder": str(tmp_path)})
    assert offered(settings) == {}
    (tmp_path / f"1-{'0' * 40}{NETWORK}").touch()
    assert list(offered(settings)) == [UNSTUDIED]


@pytest.mark.asyncio
async def test_the_host_names_a_player_of_a_module_and_the_page_chooses_it_by_name():
    async with agent(page__opponents=f"last={HERE}:Last; broken={HERE}:Broken", server__matches=2) as a:
        assert json.loads((await got(a, "/api/opponents"))[1]) == ["last", "broken"]
        key = (await sent(a, "/api/play", {**ASKED, "opponent": "last"}))[1]["key"]
        table = await until(a, key, "person", after=0)
        assert table["position"]["joint"][0] == "(take 2)"  # the agent's own player takes the first legal move
        assert table["players"] == ["last", "you"]
        await sent(a, f"/api/play/{key}/leave", {})
        key = (await sent(a, "/api/play", {**ASKED, "opponent": "broken"}))[1]["key"]
        assert "no weights" in (await until(a, key, "left"))["notes"][-1]
        for name in (f"{HERE}:Last", "http://127.0.0.1:1", "random"):
            status, told = await sent(a, "/api/play", {**ASKED, "opponent": name})
            assert (status, "page.opponents" in told["error"]) == (400, True)


@pytest.mark.asyncio
async def test_a_player_at_an_address_that_the_host_names_plays_without_a_match_slot():
    heard = []

    async def handle(request):
        heard.append(" ".join((await request.text()).split()))
        return web.Response(text="ready" if "START" in heard[-1] else "(take 2)")

    app = web.Application()
    app.router.add_post("/", handle)
    async with test_utils.TestServer(app) as other, agent(page__opponents=f"lab={other.make_url('/')}") as a:
        key = (await sent(a, "/api/play", {**ASKED, "opponent": "lab"}))[1]["key"]
        table = await until(a, key, "person", after=0)
        assert (table["position"]["joint"], table["players"]) == (["(take 2)", "noop"], ["lab", "you"])
        assert a.matches.room == 1
        await sent(a, f"/api/play/{key}/move", {"step": 1, "move": "(take 1)"})
        assert (await until(a, key, "person", after=2))["position"]["joint"] == ["(take 2)", "noop"]
        status, told = await sent(a, f"/api/play/{key}/again", {"role": "second", "step": 1})
        assert (status, "only from the start" in told["error"]) == (400, True)
        table = await until(a, key, "person", "left")
        assert (table["phase"], table["remote"], table["back"]) == ("person", True, None)  # it goes on
        await sent(a, f"/api/play/{key}/leave", {})
        await until(a, key, "left")
        await appears(lambda: "ABORT" in heard[-1])
        plays = [text for text in heard if "PLAY" in text]
        assert next(("NIL" in text, "take 1" in text) for text in plays) == (True, False)
        again = {**ASKED, "opponent": "lab", "moves": [["(take 1)", "noop"]]}
        assert "only from the start" in (await sent(a, "/api/play", again))[1]["error"]


@pytest.mark.asyncio
async def test_an_address_without_a_player_ends_the_game_with_a_reason():
    url = f"http://127.0.0.1:{quiet_port()}"
    with capture_logs() as logs:
        async with agent(page__opponents=f"lab={url}") as a:
            key = (await sent(a, "/api/play", {**ASKED, "opponent": "lab"}))[1]["key"]
            assert (await until(a, key, "left"))["notes"][-1] == "Lab does not answer."
    missing = [log for log in logs if log["event"] == "an opponent of the page does not answer"]
    assert [(log["opponent"], log["url"]) for log in missing] == [("lab", url)]


@pytest.mark.asyncio
async def test_a_player_that_is_busy_ends_the_game_with_another_reason():
    async def busy(_):
        return web.Response(text="busy")

    app = web.Application()
    app.router.add_post("/", busy)
    async with test_utils.TestServer(app) as other, agent(page__opponents=f"lab={other.make_url('/')}") as a:
        key = (await sent(a, "/api/play", {**ASKED, "opponent": "lab"}))[1]["key"]
        assert (await until(a, key, "left"))["notes"][-1] == "Lab does not accept the game; it may be busy."


@pytest.mark.asyncio
async def test_a_game_that_is_left_twice_ends_its_processes():
    """The cleanup waits for the other player's answer to ABORT; nothing may cancel it meanwhile."""
    heard, answers = [], asyncio.Event()

    async def handle(request):
        heard.append((await request.text()).split()[1])
        if heard[-1] == "ABORT":
            await answers.wait()
        return web.Response(text="ready" if heard[-1] == "START" else "(take 2)")

    app = web.Application()
    app.router.add_post("/", handle)
    async with test_utils.TestServer(app) as other, agent(page__opponents=f"lab={other.make_url('/')}") as a:
        key = (await sent(a, "/api/play", {**ASKED, "opponent": "lab"}))[1]["key"]
        await until(a, key, "person", after=0)
        assert len(a.workers.alive) == 1
        await sent(a, f"/api/play/{key}/leave", {})
        await appears(lambda: "ABORT" in heard)
        await sent(a, f"/api/play/{key}/leave", {})
        answers.set()
        await appears(lambda: not a.workers.alive)
