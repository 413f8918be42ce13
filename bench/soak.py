"""Harness of the soak tests: an agent in a process of its own, and a manager that plays with it over raw HTTP.

The manager evaluates the rules with the relational engine, and checks every answer. A soak test is a function that
returns its figures; ``faults`` lists the reasons for a failure. `soak_command` turns such a function into a command.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from typing import Protocol

import click

from agent.gamemaster.rulesheet import Rulesheet
from agent.progress import first_word
from bench.processes import descendants, open_files, process, proportional_kib, threads
from reasoner import load
from reasoner.machine import Machine
from reasoner.rules.chance import is_chance

Hardship = Callable[[int], Awaitable[object]]
"""Function that is awaited before each PLAY; its argument is the number of the turn."""
Rows = Mapping[str, object]
"""The figures of a soak test, by name."""
ROOT = Path(__file__).resolve().parents[1]
LOG = "agent.log"
GRACE = 0.05
"""Seconds beyond the clock allowed for the network before an answer counts as late."""


class AgentProcess:
    """`ggp-agent serve` on a free port, which may change with each start."""

    def __init__(self, log: Path, player: str = "mcts", wrap: Sequence[str] = (), **settings: object) -> None:
        self._wrap = wrap  # a command that runs the agent with other limits
        self.port = 0
        self.log = log
        self._player = player
        self._settings = {f"GGP_AGENT_{key.upper()}": str(value) for key, value in settings.items()}
        self._process: subprocess.Popen[str] | None = None

    @property
    def pid(self) -> int:
        """The process id of the agent; the process of a match is its grandchild."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Start the agent, and wait until it is ready."""
        self._spawn(0)
        assert self._process is not None
        assert self._process.stdout is not None
        line = first_word(self._process.stdout)
        if not line.startswith("listening on"):
            raise RuntimeError(f"the agent did not start: {self.log.read_text()[-2000:]}")
        self.port = int(line.rstrip("/").rpartition(":")[2])

    async def restart(self, seconds: float = 60.0) -> None:
        """Kill the agent, start it on the same port, and wait until it takes connections; it is not ready then."""
        self.kill()
        self._spawn(self.port)
        end = time.monotonic() + seconds
        while True:
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", self.port)
            except OSError:
                if time.monotonic() > end:
                    raise RuntimeError(f"the agent did not start: {self.log.read_text()[-2000:]}") from None
                await asyncio.sleep(0.01)
            else:
                writer.close()
                return

    def _spawn(self, port: int) -> None:
        gc.collect()
        gc.freeze()  # otherwise a garbage collection of the manager would count as time of the agent
        environment = {key: value for key, value in os.environ.items() if not key.startswith("GGP_AGENT_")}
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [*self._wrap, sys.executable, "-m", "agent", "serve", "--port", str(port), "--player", self._player],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                cwd=ROOT,
                env=environment
                | {"GGP_AGENT_PAGE_ENABLED": "false", "GGP_AGENT_KNOWLEDGE_USE": "false"}
                | self._settings,
            )

    def kill(self) -> None:
        """Kill the agent, like a crash. Its workers end by themselves."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Terminate the agent with SIGTERM."""
        self._end(signal.SIGTERM)

    def __enter__(self) -> AgentProcess:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def _end(self, number: signal.Signals) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.send_signal(number)
            process.wait()
            assert process.stdout is not None
            process.stdout.close()

    async def ask(self, message: str | bytes, seconds: float = 60.0) -> str:
        """Send a message and return the body of the answer. Raises OSError or TimeoutError if there is none."""
        body = message if isinstance(message, bytes) else message.encode()
        async with asyncio.timeout(seconds):
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
            try:
                writer.write(b"POST / HTTP/1.0\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
                answer = await reader.read()
            finally:
                writer.close()
        return answer.partition(b"\r\n\r\n")[2].decode("utf-8", "replace")

    async def until(self, word: str, seconds: float = 60.0) -> None:
        """Send INFO until the answer contains `word`."""
        end = time.monotonic() + seconds
        while word not in await self.ask("(INFO)"):
            if time.monotonic() > end:
                raise TimeoutError(f"the agent is not {word} after {seconds:g} s")
            await asyncio.sleep(0.02)

    def tracebacks(self) -> int:
        """Count the tracebacks in the agent's log."""
        return self.log.read_text(errors="replace").count("Traceback (most recent call last)")


@dataclass(frozen=True)
class Footprint:
    """System resources of the agent and all processes it started."""

    server_mib: float  # resident, of the server's process
    all_mib: float  # proportional, of all processes
    descriptors: int  # of the server's process
    threads: int  # of the server's process
    processes: int


def footprint(pid: int) -> Footprint:
    """Measure the agent's resources now."""
    family, server = [pid, *descendants(pid)], process(pid)
    return Footprint(
        server_mib=round(server.resident_kib / 1024 if server is not None else 0.0, 1),
        all_mib=round(sum(proportional_kib(each) for each in family) / 1024, 1),
        descriptors=open_files(pid),
        threads=threads(pid),
        processes=len(family),
    )


@dataclass(frozen=True)
class Reply:
    """Result of one PLAY: the answer, whether it is legal, and whether it is late."""

    move: str
    legal: bool
    late: bool
    seconds: float


@dataclass
class Tally:
    """The answers of the agent to all START and PLAY messages."""

    matches: int = 0
    moves: int = 0
    late: int = 0
    illegal: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)  # of each move

    def note(self, bout: Bout, reply: Reply) -> None:
        """Count an answer."""
        self.late += reply.late
        if not reply.legal:
            self.illegal.append(f"{bout.match_id}: {reply.move}")

    @property
    def rows(self) -> dict[str, object]:
        """The figures to report."""
        slowest, p99 = max(self.seconds, default=0.0), quantile(self.seconds, 0.99)
        counts = {"matches": self.matches, "moves": self.moves, "late": self.late, "illegal": self.illegal}
        return {**counts, "slowest_move_s": round(slowest, 3), "p99_move_s": round(p99, 3)}

    @property
    def faults(self) -> list[str]:
        """The reasons for a failure of the soak test."""
        return [name for name, count in (("late", self.late), ("illegal", len(self.illegal))) if count]


class Answering(Protocol):
    """An agent that answers messages."""

    async def ask(self, message: str, seconds: float = 60.0) -> str:
        """Return the answer."""


class Bout:
    """One match: the manager plays all roles but the agent's at random, and replaces illegal answers by random ones."""

    def __init__(
        self, agent: Answering, match_id: str, sheet: Rulesheet, clocks: tuple[float, float], seed: str
    ) -> None:
        self.agent = agent
        self.match_id = match_id
        self.machine: Machine = machine_of(sheet)
        self._sheet = sheet
        self._clocks = clocks
        self._rng = random.Random(seed)
        roles = [index for index, name in enumerate(self.machine.roles) if not is_chance(name)]
        self.role = self._rng.choice(roles)
        self.state = self.machine.initial()
        self._last = "NIL"

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.machine.terminal(self.state)

    async def start(self) -> Reply:
        """Send START; `move` is the answer, and only `ready` is legal."""
        role, (start, play) = self.machine.roles[self.role], self._clocks
        message = f"(START {self.match_id} {role} ({self._sheet.text}) {start:g} {play:g})"
        answer, seconds = await self._asked(message, start)
        return Reply(answer, answer == "ready", seconds > start + GRACE, seconds)

    async def play(self) -> Reply:
        """Send PLAY, and make the resulting joint move."""
        answer, seconds = await self._asked(f"(PLAY {self.match_id} {self._last})", self._clocks[1])
        legal = answer in map(str, self.machine.legal(self.state)[self.role])
        reply = Reply(answer, legal, seconds > self._clocks[1] + GRACE, seconds)
        self.go_on(answer if legal and not reply.late else None)
        return reply

    def go_on(self, answer: str | None) -> None:
        """Make a joint move: the agent's `answer` (None: a random move), and random moves of the other roles."""
        joint = [str(self._rng.choice(moves)) for moves in self.machine.legal(self.state)]
        if answer is not None:
            joint[self.role] = answer
        self.state = self.machine.next(self.state, joint)
        self._last = f"({' '.join(joint)})"

    async def played(self, tally: Tally, turns: float = inf, before: Hardship | None = None) -> None:
        """Play from START to STOP, or to ABORT after a number of turns. `before` is awaited before each PLAY."""
        await self.begin(tally)
        await self.turns(tally, turns, before)
        await self.finish()

    async def begin(self, tally: Tally) -> None:
        """Send START."""
        tally.matches += 1
        tally.note(self, await self.start())

    async def turns(self, tally: Tally, turns: float = inf, before: Hardship | None = None) -> None:
        """Play a number of turns, at most to the end of the game."""
        turn = 0
        while not self.over and turn < turns:
            if before is not None:
                await before(turn)
            reply = await self.play()
            tally.note(self, reply)
            tally.moves += 1
            tally.seconds.append(reply.seconds)
            turn += 1

    async def finish(self) -> str:
        """Send STOP, or ABORT if the game has not ended; return the answer."""
        return await (self.stop() if self.over else self.abort())

    async def stop(self) -> str:
        """Send STOP."""
        return await self.agent.ask(f"(STOP {self.match_id} {self._last})")

    async def abort(self) -> str:
        """Send ABORT."""
        return await self.agent.ask(f"(ABORT {self.match_id})")

    async def _asked(self, message: str, clock: float) -> tuple[str, float]:
        began = time.monotonic()
        try:
            answer = await self.agent.ask(message, clock + 30.0)
        except (OSError, TimeoutError):
            answer = ""
        return answer, time.monotonic() - began


_MACHINES: dict[str, Machine] = {}


def machine_of(sheet: Rulesheet) -> Machine:
    """Return the game's relational machine, cached."""
    if sheet.text not in _MACHINES:
        _MACHINES[sheet.text] = load(sheet.text, engine="relational")
    return _MACHINES[sheet.text]


def quantile(values: list[float], share: float) -> float:
    """Return the largest value that has at most `share` of all values before it in order; 0 without values."""
    ordered = sorted(values)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)] if ordered else 0.0


def soak_command(
    run: Callable[..., Awaitable[Rows]], *options: click.Parameter, player: str = "mcts", seed: bool = True
) -> click.Command:
    """Return the command of a soak test. It calls `run` with a folder for the agent's log, and the options by name."""
    common: list[click.Parameter] = [
        click.Option(["--player"], default=player, show_default=True, help="The agent's player."),
        click.Option(["--engine"], default="auto", show_default=True, help="The agent's state machine."),
        click.Option(["--log"], type=click.Path(path_type=Path), help="File for a copy of the agent's log."),
        click.Option(["--json", "as_json"], is_flag=True),
    ]
    if seed:
        common.append(click.Option(["--seed"], type=int, default=1, show_default=True))

    def call(log: Path | None, *, as_json: bool, **chosen: object) -> None:
        with tempfile.TemporaryDirectory() as folder:
            rows = asyncio.run(_awaited(run(Path(folder), **chosen)))
            if log is not None:
                log.write_bytes((Path(folder) / LOG).read_bytes())
        if as_json:
            print(json.dumps(rows))
        else:
            report(str(run.__doc__), rows)
        sys.exit(1 if rows["faults"] else 0)

    return click.Command(None, params=[*options, *common], callback=call, help=run.__doc__)


async def _awaited(rows: Awaitable[Rows]) -> Rows:
    return await rows


def report(title: str, figures: Rows) -> None:
    """Print the figures."""
    print(title)
    for key, value in figures.items():
        print(f"  {key}: {value}")
