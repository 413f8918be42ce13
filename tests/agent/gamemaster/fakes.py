"""Players for the tests of the game manager: real HTTP servers on port 0, each with one habit."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

from aiohttp import web

from agent.protocol.messages import Abort, ImperfectPlay, Info, Message, Play, Start, Stop
from agent.protocol.read import read_message
from reasoner import load
from reasoner.machine import Machine


class LegalFake:
    """Plays the first legal move, following the match by the messages alone, as a stranger would."""

    def __init__(self) -> None:
        self.heard: list[str] = []  # message bodies
        self.headers: list[dict[str, str]] = []
        self.versions: list[tuple[int, int]] = []
        self.machine: Machine | None = None
        self.role = ""

    async def answer(self, message: Message) -> str:
        match message:
            case Info():
                return "((name fake) (status available) (playouts 246) (seconds 2))"
            case Start(_, role, rules):
                self.machine, self.role = load(rules, engine="relational"), role
                self.state = self.machine.initial()
                return "ready"
            case Play(_, moves):
                if moves is not None:
                    self.state = self.machine.next(self.state, moves)
                return self.choose()
            case Stop():
                return "done"
            case Abort():
                return "aborted"
        raise AssertionError(message)

    def choose(self) -> str:
        return str(self.machine.legal(self.state)[self.machine.roles.index(self.role)][0])

    async def handle(self, request: web.Request) -> web.StreamResponse:
        body = await request.text()
        self.heard.append(body)
        self.headers.append(dict(request.headers))
        self.versions.append(tuple(request.version))
        return web.Response(text=await self.answer(read_message(body)), content_type="text/acl")

    def kinds(self) -> list[str]:
        return [body.split()[1] for body in self.heard]


class BlindFake(LegalFake):
    """Plays moves of BOXES that are legal at any time, as GDL-II's messages ask for them."""

    async def answer(self, message: Message) -> str:
        if not isinstance(message, ImperfectPlay):
            return await super().answer(message)
        if message.stop:
            return "done"
        return "sleep" if self.role == "rival" else "(look 1)" if message.turn else "wait"


class SleepyFake(LegalFake):
    """Never answers PLAY."""

    async def answer(self, message: Message) -> str:
        if isinstance(message, Play):
            await asyncio.Event().wait()
        return await super().answer(message)


class WrongFake(LegalFake):
    """Answers PLAY with something that is no legal move."""

    def __init__(self, move: str = "(jump  far )") -> None:
        super().__init__()
        self.move = move

    def choose(self) -> str:
        return self.move


class DroppingFake(LegalFake):
    """Closes the connection in place of an answer to PLAY."""

    async def handle(self, request: web.Request) -> web.StreamResponse:
        if "PLAY" in (body := await request.text()):
            self.heard.append(body)
            request.transport.close()
            return web.Response()
        return await super().handle(request)


class BusyFake(LegalFake):
    """Is always in another match."""

    async def answer(self, message: Message) -> str:
        return "((name fake) (status busy))" if isinstance(message, Info) else "busy"


@contextlib.asynccontextmanager
async def serving(*fakes: LegalFake) -> AsyncIterator[list[str]]:
    """The URLs of the fakes while they listen."""
    runners, urls = [], []
    try:
        for fake in fakes:
            app = web.Application()
            app.router.add_post("/", fake.handle)
            runner = web.AppRunner(app, shutdown_timeout=0.01)
            runners.append(runner)
            await runner.setup()
            site = web.TCPSite(runner, "127.0.0.1", 0)
            await site.start()
            urls.append(f"http://127.0.0.1:{runner.addresses[0][1]}")
        yield urls
    finally:
        for runner in runners:
            await runner.cleanup()
