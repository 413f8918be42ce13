"""The description at /api/openapi.json: complete, and true of real answers."""

import asyncio
import json

import pytest
from jsonschema import Draft202012Validator

from agent import serve
from agent.page import play_site, reports
from agent.page.errors import PageError
from agent.page.history import MAX_MOMENTS
from agent.page.requested import AgainRequest, OpenRequest, PlayRequest, ThinkRequest
from agent.page.schema import EVENTS, JSON, read
from tests.agent.page.games.test_people import DRAWN
from tests.agent.page.test_animations import png
from tests.agent.page.test_site import got, sent
from tests.agent.rules import STONES
from tests.agent.server.client import agent

UNDESCRIBED = {"/", "/page/{name}", "/gamemaster.html", "/healthz", "/metrics", "/{path}", "/api/{rest}"}
"""Addresses for browsers, operators and managers."""
PLAYED = {"rules": STONES, "role": "first", "startClock": 0.5, "playClock": 0.5}


class Client:
    """Asks every endpoint of an agent, and compares each answer with the description."""

    def __init__(self, a, description):
        self.a = a
        self.paths, self.components = description["paths"], description["components"]
        for schema in self.components["schemas"].values():
            schema["additionalProperties"] = False  # an answer holds nothing that is not described
        self.seen = set()

    def _fits(self, schema, value):
        Draft202012Validator({**schema, "components": self.components}).validate(value)

    def _answer(self, method, path):
        self.seen.add((method, path))
        return self.paths[path][method.lower()]["responses"]["200"]["content"]

    async def get(self, path, query="", **values):
        head, body = await got(self.a, path.format(**values) + query, "")
        assert " 200 " in head, body
        value = json.loads(body)
        self._fits(self._answer("GET", path)[JSON]["schema"], value)
        return value

    async def post(self, path, asked, head="", **values):
        if not head:
            self._fits(self.paths[path]["post"]["requestBody"]["content"][JSON]["schema"], asked)
        status, value = await sent(self.a, path.format(**values), asked, head)
        assert status == 200, value
        self._fits(self._answer("POST", path)[JSON]["schema"], value)
        return value

    async def events(self, path, until=lambda _: True, **values):
        """Read events until each kind came once, and `until` holds for all of them."""
        kinds, found = self._answer("GET", path)[EVENTS]["x-events"], {}
        reader, writer = await asyncio.open_connection(self.a.host, self.a.port)
        writer.write(f"GET {path.format(**values)} HTTP/1.1\r\nHost: {self.a.host}\r\n\r\n".encode())
        async with asyncio.timeout(60):
            while not (found.keys() == kinds.keys() and until(found)):
                line = (await reader.readline()).decode().strip()
                if line.startswith("event: "):
                    name, data = line[7:], (await reader.readline()).decode()
                    found[name] = json.loads(data.removeprefix("data: "))
                    self._fits(kinds[name], found[name])
        writer.close()
        return found

    async def game(self):
        """A game against the agent."""
        key = (await self.post("/api/play", PLAYED))["key"]
        await self.events("/api/play/{key}/events", lambda found: found["table"]["phase"] == "person", key=key)
        for path in ("/api/play/{key}", "/api/play/{key}/rules", "/api/play/{key}/position/{step}"):
            await self.get(path, key=key, step=0)
        await self.post("/api/play/{key}/await", {"wait": False}, key=key)
        await self.post("/api/play/{key}/hint", {}, key=key)
        await self.post("/api/play/{key}/move", {"step": 0, "move": "(take 1)"}, key=key)
        again = (await self.post("/api/play/{key}/again", {"role": "second", "step": 0}, key=key))["key"]
        await self.post("/api/play/{key}/leave", {}, key=again)

    async def people(self):
        """A game between people."""
        told = await self.post("/api/people", {"rules": DRAWN, "role": "first", "seconds": 0})
        key, invite = told["key"], told["invite"]
        assert (await self.get("/api/people/invited/{invite}", invite=invite))["free"] == ["second"]
        await self.post("/api/people/invited/{invite}", {"role": "second"}, invite=invite)
        await self.events("/api/people/{key}/events", lambda found: found["table"]["phase"] == "person", key=key)
        for path in ("/api/people/{key}/rules", "/api/people/{key}/position/{step}"):
            await self.get(path, key=key, step=0)
        await self.post("/api/people/{key}/move", {"step": 0, "move": "(take 1)"}, key=key)
        await self.post("/api/people/{key}/draw", {}, key=key)
        await self.post("/api/people/{key}/resign", {}, key=key)
        await self.post("/api/people/{key}/rematch", {}, key=key)
        await self.post("/api/people/{key}/leave", {}, key=key)

    async def match(self):
        """A manager's match, while it runs and in the history."""
        await self.a.start(STONES, "first", "5 60")
        await self.a.ask("(PLAY m NIL)")
        await self.events("/api/events", lambda found: found["match"] and found["thinking"])
        await self.get("/api/position/{step}", "?match=m", step=0)
        await self.a.ask("(STOP m ((take 1) noop))")
        found = await self.events("/api/events", lambda found: any(one["matchId"] == "m" for one in found["history"]))
        key = next(one["key"] for one in found["history"] if one["matchId"] == "m")
        for path in ("", "/record.json", "/final", "/rules"):
            await self.get(f"/api/matches/{{key}}{path}", key=key)
        await self.get("/api/matches/{key}/steps/{step}/svg", key=key, step=1)
        frames = {"frames": [png("red")], "milliseconds": 100, "form": "gif"}
        await self.post("/api/animations", frames)
        await self.post("/api/matches/{key}/delete", {}, key=key)

    async def report(self):
        """A report that is stopped."""
        key = (await self.post("/api/reports", {"rules": STONES, "minutes": 1}))["key"]
        await self.get("/api/reports/{key}", key=key)
        await self.post("/api/reports/{key}/stop", {}, key=key)

    async def analysis(self):
        """An analysis with a search."""
        key = (await self.post("/api/analysis", {"rules": STONES, "moves": [["(take 1)", "noop"]]}))["key"]
        assert (await self.post("/api/analysis/{key}/think", {"node": 0, "seconds": 5}, key=key))["searches"]
        await self.events("/api/analysis/{key}/events", lambda found: found["thought"], key=key)
        for path in ("/api/analysis/{key}", "/api/analysis/{key}/rules", "/api/analysis/{key}/nodes/{node}"):
            await self.get(path, key=key, node=0)
        await self.post("/api/analysis/{key}/try", {"node": 0, "joint": ["(take 2)", "noop"]}, key=key)
        await self.post("/api/analysis/{key}/place", {"facts": "(heap 3) (turn second)"}, key=key)
        await self.get("/api/analysis/{key}/domain", key=key)
        await self.get("/api/analysis/{key}/nodes/{node}/svg", key=key, node=0)
        study = (await self.post("/api/studies", {"study": "{}"}))["study"]
        assert await self.get("/api/studies/{key}", key=study) == {"study": "{}"}
        await self.post("/api/analysis/{key}/draw", {"facts": "(heap 3) (turn second)"}, key=key)


@pytest.mark.asyncio
async def test_every_endpoint_is_described_and_its_answers_are_as_described(monkeypatch):
    """A new handler that the description lacks, or that this test does not ask, fails here."""
    apps, made = [], serve.make_app
    monkeypatch.setattr(serve, "make_app", lambda *parts: apps.append(made(*parts)) or apps[-1])
    monkeypatch.setattr(play_site, "HINT", 0.2)
    monkeypatch.setattr(reports, "MODULE", "tests.agent.page.stub_report")
    player = "mcts:simulations=200,ponder=false"
    async with agent(player, server__matches=4, page__analyses=2, page__analysis_seconds=5.0) as a:
        client = Client(a, json.loads((await got(a, "/api/openapi.json", ""))[1]))
        await client.get("/api/openapi.json")
        await client.get("/api/games")
        await client.get("/api/opponents")
        await client.get("/api/games/{name}", name="nim")
        await client.get("/api/games/{name}/sketch", name="ticTacToe")
        await client.get("/api/games/{name}/puzzles", name="ticTacToe")
        await client.get("/api/puzzles")
        await client.post("/api/check", {"rules": STONES})
        sheet = (await client.post("/api/sheets", {"rules": STONES, "name": "stones.kif"}))["sheet"]
        await client.get("/api/sheets/{key}", key=sheet)
        await client.post("/gamemaster", b"message(1,manager,me,ping())", "Content-Type: text/plain\r\n")
        await client.game()
        await client.people()
        await client.match()
        await client.analysis()
        await client.report()
    routes = {(route.method, place.canonical) for place in apps[0].router.resources() for route in place}
    served = {pair for pair in routes if pair[1] not in UNDESCRIBED and pair[0] in ("GET", "POST")}
    described = {(method.upper(), path) for path, found in client.paths.items() for method in found}
    assert served == described == client.seen


@pytest.mark.parametrize(
    ("kind", "asked", "message"),
    [
        (PlayRequest, {"startClock": 1}, "a clock must be a number from 0.1 to 3,600"),
        (PlayRequest, {"startClock": 1, "playClock": True}, "a clock must be a number from 0.1 to 3,600"),
        (PlayRequest, {"startClock": 1, "playClock": float("nan")}, "a clock must be a number from 0.1 to 3,600"),
        (PlayRequest, {"startClock": 1, "playClock": 1, "simulations": 1.5}, "`simulations` must be a whole number"),
        (PlayRequest, {"startClock": 1, "playClock": 1, "role": " "}, "`role` must be text"),
        (OpenRequest, {"game": 7}, "`game` must be text"),
        (OpenRequest, {"moves": "all"}, "`moves` must be a list with at most 2,000 items"),
        (OpenRequest, {"moves": [["a"], [7]]}, "an item of an item of `moves` must be text"),
        (OpenRequest, {"moves": [[]] * 2001}, "`moves` must be a list with at most 2,000 items"),
        (ThinkRequest, {"node": -1}, "`node` must be a whole number from 0 to 2,000"),
        (ThinkRequest, [], "the request must be a JSON object"),
    ],
)
def test_a_request_of_the_wrong_type_is_one_message_with_its_place(kind, asked, message):
    with pytest.raises(PageError) as error:
        read(kind, asked)
    assert str(error.value).startswith(message)


def test_a_request_is_read_without_unknown_keys_and_with_numbers_of_its_type():
    found = read(PlayRequest, {"game": "nim", "startClock": 1, "playClock": 2.5, "role": None, "else": [1]})
    assert found == {"game": "nim", "startClock": 1.0, "playClock": 2.5, "role": None}


def test_a_game_is_continued_from_every_position_that_its_log_keeps():
    """Whoever takes back a move late in a long game, or plays on from an analysis of it."""
    assert read(AgainRequest, {"step": MAX_MOMENTS - 1}) == {"step": MAX_MOMENTS - 1}
    moves = [["noop"]] * (MAX_MOMENTS - 1)
    assert read(OpenRequest, {"moves": moves}) == {"moves": moves}
