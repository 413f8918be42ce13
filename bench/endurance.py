"""Endurance test: `python -m bench.endurance` plays match after match with one agent; some are aborted or abandoned.

The agent's resources are measured after the 50th match and after the last match. Between them, memory may grow by less
than a tenth, and the numbers of file descriptors and threads may not grow. No answer may be late.
"""

from __future__ import annotations

import asyncio
import random
from dataclasses import asdict
from pathlib import Path

import click

from agent.gamemaster.games import find_game
from bench.processes import descendants
from bench.soak import LOG, AgentProcess, Bout, Footprint, Rows, Tally, footprint, soak_command

GAMES = ("ticTacToe", "nim", "goofspiel", "lightsOut", "doors", "trio", "connectFour", "diceRace", "lightCycles")
TURNS = 12
"""Turns after which a match is aborted, so that many fit into an hour."""
STILL = 10
"""Number of consecutive equal counts of processes, 0.1 s apart, after which the count is stable."""
MAX_GROWTH = 0.1
"""Share by which memory may grow."""


def growth(before: Footprint, after: Footprint) -> dict[str, float]:
    """Return the growth of the agent's resources since `before`."""
    return {
        "growth_server": round(after.server_mib / before.server_mib - 1, 4),
        "growth_all": round(after.all_mib / before.all_mib - 1, 4),
        "more_descriptors": after.descriptors - before.descriptors,
        "more_threads": after.threads - before.threads,
    }


async def one(agent: AgentProcess, number: int, rng: random.Random, clock: float, tally: Tally) -> None:
    """Play one match to its end or to an ABORT, or abandon it."""
    bout = Bout(agent, f"m{number}", find_game(rng.choice(GAMES)), (clock, clock), f"{rng.random()}")
    await agent.until("available")
    if number % 10 == 7:
        await bout.begin(tally)
        await bout.turns(tally, rng.randrange(1, 4))
    else:
        await bout.played(tally, rng.randrange(1, 4) if number % 10 == 3 else TURNS)


async def run(folder: Path, *, count: int, first: int, clock: float, seed: int, player: str, engine: str) -> Rows:
    """Play match after match, and measure the agent's resources."""
    tally, rng, footprints = Tally(), random.Random(seed), []
    settings: dict[str, object] = {"server_takeover": 0.5, "clock_silence": 2.0, "worker_engine": engine}
    settings["journal_folder"] = folder / "journal"
    with AgentProcess(folder / LOG, player, **settings) as agent:
        idle = await settled(agent)
        for number in range(1, count + 1):
            await one(agent, number, rng, clock, tally)
            if number in (min(first, count), count):
                await settled(agent, idle)
                footprints.append(footprint(agent.pid))
        tracebacks = agent.tracebacks()
    grown = growth(footprints[0], footprints[-1])
    limits = {"growth_server": MAX_GROWTH, "growth_all": MAX_GROWTH, "more_descriptors": 0, "more_threads": 0}
    faults = [*tally.faults, *(name for name, most in limits.items() if grown[name] > most)]
    sizes = {"before": asdict(footprints[0]), "after": asdict(footprints[-1])}
    return {**tally.rows, "tracebacks": tracebacks, **sizes, **grown, "faults": faults}


async def settled(agent: AgentProcess, idle: int | None = None) -> int:
    """Wait until the number of processes is stable for a second, and equal to `idle` (if given); return the number.

    At that time no match is running, and the spare worker is ready.
    """
    counts: list[int] = []
    for _ in range(200):
        counts = [*counts, len(descendants(agent.pid))][-STILL:]
        if len(counts) == STILL and len(set(counts)) == 1 and idle in (None, counts[-1]):
            break
        await asyncio.sleep(0.1)
    return counts[-1]


main = soak_command(
    run,
    click.Option(["--count"], type=int, default=500, show_default=True, help="Matches."),
    click.Option(["--first"], type=int, default=50, show_default=True, help="Match after which growth is measured."),
    click.Option(["--clock"], type=float, default=0.1, show_default=True, help="Seconds of both clocks."),
)

if __name__ == "__main__":
    main()
