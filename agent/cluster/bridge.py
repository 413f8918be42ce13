"""Bridge process, ``python -m agent.cluster.bridge SETTINGS``: connects an agent's matches to searchers on a cluster.

The bridge listens on a socket to which each match sends its positions. It runs a searcher on every node except the
agent's own, and forwards the results several times per second. It ends when its standard input is closed. If the
bridge, Ray or a node fails, a match loses only the results of other nodes.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import Coroutine, Mapping
from contextlib import suppress
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import structlog

from agent.cluster.connection import connected
from agent.cluster.errors import ClusterError, wrong_node
from agent.cluster.searcher import Searcher
from agent.cluster.source import own_source
from agent.logs import configure_logs
from agent.remote.search_messages import LINE, decode
from agent.settings import Settings, from_dict, to_dict

LOOK = 1.0
"""Polling interval for nodes in seconds."""
EVERY = 0.2
"""Polling interval for results in seconds."""
FULL = 4 << 20
"""Maximum bytes in the write buffer of a match; beyond it, results are dropped."""
PAUSE = 30.0
"""Seconds until the next attempt to use a failed node."""


@dataclass(frozen=True, slots=True)
class Helper:
    """The searcher on one node."""

    name: str
    actor: Any


class Match:
    """One match: its latest messages, and its connection."""

    def __init__(self, name: str, writer: asyncio.StreamWriter) -> None:
        self.name = name
        self.writer = writer
        self.told: dict[str, str] = {}  # newest message by kind
        self.tasks: set[asyncio.Task[None]] = set()

    def hear(self, line: str) -> None:
        """Store a message. Raises ValueError if the line is not a valid message."""
        kind = type(decode(line)).__name__
        if kind == "SearchedPosition":
            self.told.pop("Committed", None)
        self.told[kind] = line

    def hand_on(self, line: str) -> None:
        """Send a result, unless the write buffer is full."""
        if not self.writer.is_closing() and self.writer.transport.get_write_buffer_size() < FULL:
            self.writer.write(line.encode() + b"\n")


class Bridge:
    """Connects the matches of an agent to the nodes of a cluster."""

    def __init__(self, ray: ModuleType, settings: Settings) -> None:
        self._ray = ray
        self._settings = to_dict(settings)
        self._actor = ray.remote(Searcher)
        self._here = ray.get_runtime_context().get_node_id()
        self._helpers: dict[str, Helper] = {}  # by node
        self._taken: set[str] = set()  # nodes with a searcher, or with one that waits for processors
        self._asked: dict[str, float] = {}  # time of the next attempt, by node
        self._numbers = 0
        self._matches: dict[str, Match] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve the connection of one match."""
        self._numbers += 1
        match = self._matches[f"{os.getpid()}.{self._numbers}"] = Match(f"{os.getpid()}.{self._numbers}", writer)
        for helper in self._helpers.values():
            self._begin(match, helper)
        with suppress(ValueError, KeyError, ConnectionError):  # malformed message or lost connection
            while line := (await reader.readline()).decode():
                match.hear(line)
                for helper in self._helpers.values():
                    helper.actor.tell.remote(match.name, line)
        del self._matches[match.name]
        for task in match.tasks:
            task.cancel()
        for helper in self._helpers.values():
            helper.actor.forget.remote(match.name)
        writer.close()

    async def find_nodes(self) -> None:
        """Set up a searcher on every new node; never returns."""
        loop = asyncio.get_running_loop()
        while True:
            for node, processors in self._nodes().items():
                if node not in self._taken and self._asked.get(node, 0.0) <= loop.time():
                    self._asked[node] = loop.time() + PAUSE
                    self._taken.add(node)
                    self._keep(self._tasks, self._use(node, processors))
            await asyncio.sleep(LOOK)

    def _nodes(self) -> Mapping[str, int]:
        """Return the usable nodes with their processors: all except this one, unless it is the only one."""
        alive = [node for node in self._ray.nodes() if node["Alive"] and node["Resources"].get("CPU", 0) >= 1]
        others = [node for node in alive if node["NodeID"] != self._here]
        return {node["NodeID"]: int(node["Resources"]["CPU"]) for node in others or alive}

    async def _use(self, node: str, processors: int) -> None:
        try:
            await self._join(node, processors)
        finally:
            self._taken.discard(node)

    async def _join(self, node: str, processors: int) -> None:
        """Set up the searcher of a node and use it for all matches, until the node is lost."""
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        self._numbers += 1
        there = NodeAffinitySchedulingStrategy(node, soft=False)
        placed = self._actor.options(num_cpus=processors, scheduling_strategy=there, max_restarts=0)
        actor = placed.remote(own_source(), self._settings, node[:8], self._numbers, processors)
        errors = self._ray.exceptions
        try:
            await actor.found.remote("")
        except errors.RayError as error:
            wrong = wrong_node(error)
            structlog.get_logger().warning("a node cannot join the search", node=node[:8], reason=str(wrong or "lost"))
            return
        helper = self._helpers[node] = Helper(node[:8], actor)
        structlog.get_logger().info("a node joined the search", node=helper.name, processors=processors)
        for match in self._matches.values():
            self._begin(match, helper)
        with suppress(errors.RayError):
            while True:  # until the node is lost
                await asyncio.sleep(LOOK)
                await actor.found.remote("")
        structlog.get_logger().warning("a node is lost", node=helper.name)
        del self._helpers[node]

    def _begin(self, match: Match, helper: Helper) -> None:
        for line in match.told.values():
            helper.actor.tell.remote(match.name, line)
        self._keep(match.tasks, self._look(match, helper))

    async def _look(self, match: Match, helper: Helper) -> None:
        """Forward the results of a node, until the match ends or the node is lost."""
        last = ""
        with suppress(self._ray.exceptions.RayError):
            while True:
                await asyncio.sleep(EVERY)
                found = await helper.actor.found.remote(match.name)
                if found and found != last:
                    last = found
                    match.hand_on(found)

    def _keep(self, tasks: set[asyncio.Task[None]], work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        tasks.add(task)
        task.add_done_callback(tasks.discard)


async def _run(ray: ModuleType, settings: Settings, path: str) -> None:
    bridge = Bridge(ray, settings)
    server = await asyncio.start_unix_server(bridge.serve, path, limit=LINE)
    finding = asyncio.create_task(bridge.find_nodes())
    over = asyncio.create_task(_nobody_left())
    async with server:
        await asyncio.wait([finding, over], return_when=asyncio.FIRST_COMPLETED)
    if finding.done():
        finding.result()
    finding.cancel()


async def _nobody_left() -> None:
    """Wait until standard input ends."""
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while await reader.read(1024):
        pass


def main() -> None:
    """Serve until standard input ends."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # the agent stops it by closing the pipe
    settings = from_dict(json.loads(sys.argv[1]))
    configure_logs(settings.log)
    try:
        with connected(settings.cluster.address) as ray:
            asyncio.run(_run(ray, settings, settings.cluster.socket))
    except ClusterError as error:
        structlog.get_logger().error("no cluster; searching alone", reason=str(error))


if __name__ == "__main__":
    main()
