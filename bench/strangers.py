"""Load test: `python -m bench.strangers` opens many connections to an agent while it plays a match.

Half of the connections send INFO as managers do. A quarter sends garbage, occasionally a megabyte. A quarter sends a
body so slowly that it never ends. All connections come from one separate process; two threads of the agent search. No
move of the match may be late, and 99 of 100 INFO requests must be answered within 50 ms. The figure `waited_share`
shows other load on the machine: it is the share of time that the agent's main thread waited for a processor.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import multiprocessing.connection
import random
import time
from dataclasses import dataclass, field
from pathlib import Path

import click

from agent.gamemaster.games import find_game
from bench.processes import schedule
from bench.soak import LOG, AgentProcess, Bout, Rows, Tally, machine_of, quantile, soak_command

PAUSE = 1.0
"""Mean seconds between two messages of a connection."""
LARGE_WORDS = 200_000
"""Words of a large message."""
INFO_MS = 50.0
"""Milliseconds within which 99 of 100 INFO requests must be answered."""
CLOCKS = (3.0, 1.0)
GAME = "connectFour"


@dataclass
class Load:
    """Measurements of the connections, the strangers."""

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
        body = b"(a b) " * LARGE_WORDS if rng.random() < 0.02 else rng.randbytes(rng.randrange(1, 2000))
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


async def _matches(agent: AgentProcess, seconds: float) -> Tally:
    """Play matches one after the other."""
    tally, end = Tally(), time.monotonic() + seconds
    while time.monotonic() < end:
        bout = Bout(agent, f"m{tally.matches}", find_game(GAME), CLOCKS, f"{tally.matches}")
        await bout.begin(tally)
        while not bout.over and time.monotonic() < end:
            await bout.turns(tally, 1)
        await bout.finish()
    return tally


async def run(folder: Path, *, count: int, seconds: float, player: str, engine: str) -> Rows:
    """Open many connections to an agent while it plays."""
    machine_of(find_game(GAME))  # compiled before the measurement
    context = multiprocessing.get_context("spawn")
    with AgentProcess(folder / LOG, player, worker_engine=engine) as agent:
        ours, theirs = context.Pipe(duplex=False)
        press = context.Process(target=_strangers, args=(agent.port, count, seconds, theirs))
        press.start()
        theirs.close()  # so that the end of that process ends the wait for its result
        before = schedule(agent.pid)
        tally = await _matches(agent, seconds)
        ran, waited = (after - first for after, first in zip(schedule(agent.pid), before, strict=True))
        load: Load = await asyncio.to_thread(ours.recv)
        press.join()
        await agent.until("available")
        tracebacks = agent.tracebacks()
    p99 = round(1000 * quantile(load.info_seconds, 0.99), 1)
    late = ["INFO"] if p99 >= INFO_MS else []
    return {
        **tally.rows,
        "connections": count,
        "infos": len(load.info_seconds),
        "infos_failed": load.info_failed,
        "info_p50_ms": round(1000 * quantile(load.info_seconds, 0.5), 1),
        "info_p99_ms": p99,
        "garbage": load.garbage,
        "slow": load.slow,
        "tracebacks": tracebacks,
        "server_cpu_s": round(ran, 2),
        "waited_share": round(waited / max(ran + waited, 1e-9), 3),
        "faults": [*tally.faults, *late, *(["tracebacks"] if tracebacks else [])],
    }


main = soak_command(
    run,
    click.Option(["--count"], type=int, default=200, show_default=True, help="Concurrent connections."),
    click.Option(["--seconds"], type=float, default=60.0, show_default=True),
    player="mcts:threads=2",
    seed=False,
)

if __name__ == "__main__":
    main()
