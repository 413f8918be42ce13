"""Benchmark of the page: `python -m bench.page` times the server while a match and an analysis use all cores.

One finished match is in the history, the start clock of another match runs, and an analysis is open. Then each address
is requested in turn. Requests that need an evaluation process (the picture of a game, a position set up in an
analysis) are reported separately, because matches have priority over them. On a machine with other load, the wait times
mean little; the processor time of the server is more reliable.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from agent.gamemaster.games import find_game
from agent.page.history import number_of
from bench.processes import process
from bench.soak import AgentProcess, Bout, machine_of, quantile, report

CLOCKS = (2.0, 0.3)
PLAYED = "played"
"""Id of the match in the history."""
LONG = 3600.0
"""Seconds of a start clock within which all requests are made."""
SERVED = ("files and lists", "a match with all positions", "a position")
"""Requests that the server answers by itself."""
SLOWEST = 0.050
"""Time limit in seconds for 99 of 100 answers."""


class Page:
    """The page of an agent, requested over raw HTTP."""

    def __init__(self, agent: AgentProcess) -> None:
        self._agent = agent
        self.seconds: dict[str, list[float]] = defaultdict(list)  # by kind of request

    async def get(self, path: str, kind: str) -> bytes:
        """Send a GET and return the body of the answer; record the time under `kind`."""
        return await self._answered(f"GET {path} HTTP/1.1\r\nAccept: text/html\r\n", b"", kind)

    async def post(self, path: str, value: Mapping[str, object], kind: str) -> bytes:
        """Send a POST of JSON and return the body of the answer; record the time under `kind`."""
        body = json.dumps(value).encode()
        head = f"POST {path} HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        return await self._answered(head, body, kind)

    async def _answered(self, head: str, body: bytes, kind: str) -> bytes:
        began = time.monotonic()
        reader, writer = await asyncio.open_connection("127.0.0.1", self._agent.port)
        try:
            host = f"Host: 127.0.0.1:{self._agent.port}\r\nConnection: close\r\n\r\n"
            writer.write((head + host).encode() + body)
            answer = await asyncio.wait_for(reader.read(), 60)
        finally:
            writer.close()
        self.seconds[kind].append(time.monotonic() - began)
        first, _, content = answer.partition(b"\r\n\r\n")
        if b" 200 " not in first.partition(b"\r\n")[0]:
            raise RuntimeError(f"{kind}: {answer[:300]!r}")
        return content

    async def watch(self, path: str) -> None:
        """Read events until cancelled."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self._agent.port)
        try:
            writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self._agent.port}\r\n\r\n".encode())
            while await reader.read(1 << 16):
                pass
        finally:
            writer.close()


async def run(agent: AgentProcess, game: str, count: int) -> tuple[Page, float]:
    """Send all requests `count` times; return the page, and the server's processor seconds per answer."""
    page = Page(agent)
    await _play(agent, game)
    bout = Bout(agent, "thinking", find_game(game), (LONG, 1.0), "2")
    thinking = asyncio.create_task(bout.start())
    source = {"game": game}
    key = json.loads(await page.post("/api/analysis", source, "an analysis begins"))["key"]
    watching = [asyncio.create_task(page.watch(path)) for path in ("/api/events", f"/api/analysis/{key}/events")]
    await page.post(f"/api/analysis/{key}/think", {"node": 0}, "an analysis begins")
    await asyncio.sleep(3.0)
    used = _used(agent.pid)
    for _ in range(count):
        await _look(page, key)
    each = (_used(agent.pid) - used) / max(sum(len(page.seconds[kind]) for kind in SERVED), 1)
    facts = _facts(game)
    for _ in range(min(count, 20)):
        await page.get(f"/api/games/{game}/sketch", "a sketch")
        await page.post(f"/api/analysis/{key}/place", {"facts": facts}, "a position placed")
    for task in (*watching, thinking):
        task.cancel()
    await asyncio.gather(*watching, thinking, return_exceptions=True)
    return page, each


async def _look(page: Page, key: str) -> None:
    for path in ("/", "/page/main.js", "/page/style.css", "/api/games"):
        await page.get(path, "files and lists")
    match = number_of(PLAYED)
    await page.get(f"/api/matches/{match}", "a match with all positions")
    await page.get(f"/api/matches/{match}/final", "a position")
    await page.get(f"/api/analysis/{key}", "a position")
    await page.get(f"/api/analysis/{key}/nodes/0", "a position")


def _facts(game: str) -> str:
    machine = machine_of(find_game(game))
    return " ".join(map(str, machine.facts(machine.initial())))


async def _play(agent: AgentProcess, game: str) -> None:
    bout = Bout(agent, PLAYED, find_game(game), CLOCKS, "1")
    await bout.start()
    while not bout.over:
        await bout.play()
    await bout.stop()


def _used(pid: int) -> float:
    """Return the processor seconds of a process."""
    found = process(pid)
    return found.seconds if found is not None else 0.0


def _row(seconds: Sequence[float]) -> str:
    milliseconds = (1000 * quantile(seconds, 0.5), 1000 * quantile(seconds, 0.99), 1000 * max(seconds))
    return "{:.1f} / {:.1f} / {:.1f}".format(*milliseconds)


@click.command()
@click.argument("game", default="breakthrough")
@click.option("--count", default=200, show_default=True, help="Rounds of eight requests.")
@click.option("--json", "as_json", is_flag=True)
def main(game: str, count: int, as_json: bool) -> None:
    """Request the page of GAME; exits 1 if more than one answer in a hundred takes longer than 50 ms."""
    player = f"mcts:threads={os.cpu_count() or 1},memory_mib=256"
    with tempfile.TemporaryDirectory() as folder:
        settings = {"journal_folder": "off", "page_enabled": "true", "page_analysis_seconds": LONG, "server_matches": 2}
        with AgentProcess(Path(folder) / "log", player, **settings) as agent:
            page, each = asyncio.run(run(agent, game, count))
    served = [one for kind in SERVED for one in page.seconds[kind]]
    slow = quantile(served, 0.99)
    figures = {f"{kind}, ms (median / 99% / most)": _row(seconds) for kind, seconds in page.seconds.items()}
    figures |= {
        "load of the machine": f"{os.getloadavg()[0]:.1f}",
        "processor ms of the server per request": f"{1000 * each:.1f}",
        "requests": str(len(served)),
        "99% of the server's answers, ms": f"{1000 * slow:.1f}",
    }
    if as_json:
        click.echo(json.dumps(figures))
    else:
        report("page", figures)
    sys.exit(1 if slow > SLOWEST else 0)


if __name__ == "__main__":
    main()
