"""Endurance test: `python -m bench.endurance` plays match after match with one agent; some are aborted or abandoned.

The agent's resources are measured after the 50th match and after the last: memory may grow by less than a tenth, file
descriptors and threads not at all, and no answer may be late.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import tempfile
from dataclasses import asdict, dataclass, field
from pathlib import Path

import click

from agent.gamemaster.games import find_game
from bench.agents import AgentProcess, Bout, Footprint, footprint, quantile, report
from bench.processes import descendants

GAMES = ("ticTacToe", "nim", "goofspiel", "lightsOut", "doors", "trio", "connectFour", "diceRace", "lightCycles")
LONG = 12
"""Turns after which a match is aborted, so that many fit into an hour."""
STILL = 10
"""Consecutive equal counts of processes, 0.1 s apart, that count as settled."""


@dataclass
class Figures:
    """Results of the test."""

    matches: int = 0
    aborted: int = 0
    abandoned: int = 0
    refused: int = 0  # STARTs not answered ready
    moves: int = 0
    illegal: int = 0
    late: int = 0
    seconds: list[float] = field(default_factory=list)  # of each move
    footprints: dict[int, Footprint] = field(default_factory=dict)  # by the number of matches played

    def summary(self, first: int) -> dict[str, object]:
        """Return the figures to report, with the growth from the `first` match to the last."""
        last = max(self.footprints)
        before, after = self.footprints[min(first, last)], self.footprints[last]
        rows = {key: value for key, value in asdict(self).items() if key not in ("seconds", "footprints")}
        return rows | {
            "slowest_s": round(max(self.seconds, default=0.0), 4),
            "p99_s": round(quantile(self.seconds, 0.99), 4),
            f"after_{min(first, last)}": asdict(before),
            f"after_{last}": asdict(after),
            "growth_server": round(after.server_mib / before.server_mib - 1, 4),
            "growth_all": round(after.all_mib / before.all_mib - 1, 4),
            "more_descriptors": after.descriptors - before.descriptors,
            "more_threads": after.threads - before.threads,
        }


async def one(agent: AgentProcess, number: int, rng: random.Random, clock: float, figures: Figures) -> None:
    """Play one match to its end, to an ABORT, or abandon it."""
    fate = "abort" if number % 10 == 3 else "abandon" if number % 10 == 7 else "end"
    bout = Bout(agent, f"m{number}", find_game(rng.choice(GAMES)), (clock, clock), f"{rng.random()}")
    await agent.until("available")
    figures.matches += 1
    reply = await bout.start()
    figures.late += reply.late
    if not reply.legal:
        figures.refused += 1
        return
    turns = rng.randrange(1, 4) if fate != "end" else LONG
    for _ in range(turns):
        if bout.over:
            break
        reply = await bout.play()
        figures.moves += 1
        figures.illegal += not reply.legal
        figures.late += reply.late
        figures.seconds.append(reply.seconds)
    if fate == "abandon" and not bout.over:
        figures.abandoned += 1
    elif bout.over:
        await bout.stop()
    else:
        figures.aborted += 1
        await bout.abort()


async def run(count: int, first: int, clock: float, seed: int, folder: Path, player: str, engine: str) -> Figures:
    """Play all matches with one agent, whose log and journals are in `folder`."""
    figures, rng = Figures(), random.Random(seed)
    settings: dict[str, object] = {"server_takeover": 0.5, "clock_silence": 2.0, "worker_engine": engine}
    settings["journal_folder"] = folder / "journal"
    with AgentProcess(folder / "agent.log", player, **settings) as agent:
        idle = await settled(agent)
        for number in range(1, count + 1):
            await one(agent, number, rng, clock, figures)
            if number in (first, count):
                await settled(agent, idle)
                figures.footprints[number] = footprint(agent.pid)
    return figures


async def settled(agent: AgentProcess, idle: int | None = None) -> int:
    """Wait until the number of processes is stable for a second, and is `idle` if given; return it.

    No match is left then, and the spare worker is ready.
    """
    counts: list[int] = []
    for _ in range(200):
        counts = [*counts, len(descendants(agent.pid))][-STILL:]
        if len(counts) == STILL and len(set(counts)) == 1 and idle in (None, counts[-1]):
            break
        await asyncio.sleep(0.1)
    return counts[-1]


@click.command()
@click.option("--count", type=int, default=500, show_default=True, help="Matches.")
@click.option("--first", type=int, default=50, show_default=True, help="Match after which growth is measured.")
@click.option("--clock", type=float, default=0.1, show_default=True, help="Seconds of both clocks.")
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--player", default="mcts", show_default=True, help="The agent's player.")
@click.option("--engine", default="auto", show_default=True, help="The agent's state machine.")
@click.option("--log", type=click.Path(path_type=Path), help="Keep the agent's log here.")
@click.option("--json", "as_json", is_flag=True)
def main(
    count: int, first: int, clock: float, seed: int, player: str, engine: str, log: Path | None, as_json: bool
) -> None:
    """Play match after match, and measure the agent's resources."""
    with tempfile.TemporaryDirectory() as folder:
        figures = asyncio.run(run(count, first, clock, seed, Path(folder), player, engine))
        if log is not None:
            log.write_bytes((Path(folder) / "agent.log").read_bytes())
    rows = figures.summary(first)
    if as_json:
        print(json.dumps(rows))
    else:
        report("endurance", rows)
    grown = max(float(str(rows["growth_server"])), float(str(rows["growth_all"])))
    sys.exit(1 if figures.late or figures.illegal or grown > 0.1 else 0)


if __name__ == "__main__":
    main()
