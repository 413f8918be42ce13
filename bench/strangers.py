"""Load test: `python -m bench.strangers` opens many connections to an agent while it plays a match.

Half of the connections ask INFO as managers do, a quarter sends garbage, occasionally a megabyte of it, a quarter sends
a body so slowly that it never ends. They come from a process of their own; two threads search for the match. No move of
the match may be late, and 99 of 100 INFO requests must be answered within 50 ms. If the machine has other load,
`waited_share` is the share of time that the agent's main thread waited for a processor.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import multiprocessing
import multiprocessing.connection
import random
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import click

from agent.gamemaster.games import find_game
from bench.agents import AgentProcess, Bout, machine_of, quantile, report
from bench.processes import schedule

PAUSE = 1.0
"""Mean seconds between two messages of a connection."""
LARGE = 200_000
"""Words of a large message."""
CLOCKS = (3.0, 1.0)
GAME = "connectFour"


@dataclass
class Load:
    """Measurements of the strangers."""

    info_seconds: list[float] = field(default_factory=list)
    info_failed: int = 0
    garbage: int = 0
    slow: int = 0


async def _exchange(port: int, request: bytes) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(request)
        return await reader.read()
    finally:
        writer.close()


async def _ask_info(port: int, rng: random.Random, load: Load) -> None:
    request = b"POST / HTTP/1.0\r\nContent-Length: 8\r\n\r\n( INFO )"
    while True:
        await asyncio.sleep(PAUSE * rng.uniform(0.5, 1.5))
        began = time.perf_counter()
        try:
            answer = await _exchange(port, request)
        except OSError:
            answer = b""
        load.info_seconds.append(time.perf_counter() - began)
        load.info_failed += b"((name" not in answer


async def _send_garbage(port: int, rng: random.Random, load: Load) -> None:
    while True:
        await asyncio.sleep(PAUSE * rng.uniform(0.5, 1.5))
        body = b"(a b) " * LARGE if rng.random() < 0.02 else rng.randbytes(rng.randrange(1, 2000))
        heads = (b"", b"POST / HTTP/1.0\r\nContent-Length: %d\r\n\r\n" % len(body), b"GET /")
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(10):
                await _exchange(port, rng.choice(heads) + body + b"\r\n\r\n")
        load.garbage += 1


async def _send_slowly(port: int, rng: random.Random, load: Load) -> None:
    while True:
        with contextlib.suppress(OSError):
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            try:
                writer.write(b"POST / HTTP/1.0\r\nContent-Length: 100000\r\n\r\n")
                load.slow += 1
                for _ in range(200):
                    await asyncio.sleep(PAUSE * rng.uniform(0.5, 1.5))
                    writer.write(b"(")
                    await writer.drain()
            finally:
                writer.close()


async def _press(port: int, connections: int, seconds: float) -> Load:
    load, rng = Load(), random.Random(1)
    kinds = (_ask_info, _ask_info, _send_garbage, _send_slowly)
    tasks = [asyncio.create_task(kinds[n % 4](port, rng, load)) for n in range(connections)]
    await asyncio.sleep(seconds)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return load


def _strangers(
    port: int, connections: int, seconds: float, result: multiprocessing.connection.Connection[Load, Load]
) -> None:
    result.send(asyncio.run(_press(port, connections, seconds)))


async def _matches(agent: AgentProcess, seconds: float) -> tuple[list[float], int, int]:
    """Play matches one after the other; return the seconds of each move, and how many were late and illegal."""
    end, moves, late, illegal, number = time.monotonic() + seconds, [], 0, 0, 0
    while time.monotonic() < end:
        number += 1
        bout = Bout(agent, f"m{number}", find_game(GAME), CLOCKS, f"{number}")
        reply = await bout.start()
        late, illegal = late + reply.late, illegal + (not reply.legal)
        while not bout.over and time.monotonic() < end:
            reply = await bout.play()
            moves.append(reply.seconds)
            late, illegal = late + reply.late, illegal + (not reply.legal)
        await (bout.stop() if bout.over else bout.abort())
    return moves, late, illegal


async def run(connections: int, seconds: float, folder: Path, player: str, engine: str) -> dict[str, object]:
    """Return the figures of one run."""
    machine_of(find_game(GAME))  # built before anything is measured
    context = multiprocessing.get_context("spawn")
    with AgentProcess(folder / "agent.log", player, worker_engine=engine) as agent:
        ours, theirs = context.Pipe(duplex=False)
        press = context.Process(target=_strangers, args=(agent.port, connections, seconds, theirs))
        press.start()
        theirs.close()  # so that the end of that process ends the wait for its result
        before = schedule(agent.pid)
        moves, late, illegal = await _matches(agent, seconds)
        ran, waited = (after - first for after, first in zip(schedule(agent.pid), before, strict=True))
        load: Load = await asyncio.to_thread(ours.recv)
        press.join()
        await agent.until("available")
        tracebacks = agent.tracebacks()
    return {
        "connections": connections,
        "moves": len(moves),
        "late": late,
        "illegal": illegal,
        "slowest_move_s": round(max(moves, default=0.0), 3),
        "infos": len(load.info_seconds),
        "infos_failed": load.info_failed,
        "info_p50_ms": round(1000 * quantile(load.info_seconds, 0.5), 1),
        "info_p99_ms": round(1000 * quantile(load.info_seconds, 0.99), 1),
        "garbage": load.garbage,
        "slow": load.slow,
        "tracebacks": tracebacks,
        "server_cpu_s": round(ran, 2),
        "waited_share": round(waited / max(ran + waited, 1e-9), 3),
    }


@click.command()
@click.option("--count", "connections", type=int, default=200, show_default=True, help="Concurrent connections.")
@click.option("--seconds", type=float, default=60.0, show_default=True)
@click.option("--player", default="mcts:threads=2", show_default=True, help="The agent's player.")
@click.option("--engine", default="auto", show_default=True, help="The agent's state machine.")
@click.option("--json", "as_json", is_flag=True)
def main(connections: int, seconds: float, player: str, engine: str, as_json: bool) -> None:
    """Put load on an agent while it plays."""
    with tempfile.TemporaryDirectory() as folder:
        rows = asyncio.run(run(connections, seconds, Path(folder), player, engine))
    if as_json:
        print(json.dumps(rows))
    else:
        report("strangers", rows)
    bad = rows["late"] or rows["illegal"] or rows["tracebacks"] or float(str(rows["info_p99_ms"])) >= 50
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
