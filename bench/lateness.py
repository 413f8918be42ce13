"""`python -m bench.lateness`: several agents think at once, so that all cores are loaded, and none may be late.

Each agent plays one match after the other, one role by itself, the others at random. A move counts where the agent had
a choice. Meanwhile every agent is asked INFO, as a manager's page would.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import click

from agent.gamemaster.games import bundled, find_game
from bench.agents import AgentProcess, Bout, machine_of, quantile, report

START_CLOCK = 5.0
INFO_EVERY = 0.25
"""Seconds between two questions to one agent."""


@dataclass
class Seen:
    """What all agents did together."""

    margins: list[float] = field(default_factory=list)  # seconds left of the clock, of moves with a choice
    info: list[float] = field(default_factory=list)  # seconds until INFO was answered
    moves: int = 0
    late: int = 0
    illegal: int = 0
    matches: int = 0


async def _play(agent: AgentProcess, games: list[str], clock: float, count: int, seen: Seen, first: int) -> None:
    number = first
    while len(seen.margins) < count:
        bout = Bout(agent, f"m{number}", find_game(games[number % len(games)]), (START_CLOCK, clock), str(number))
        number += 1
        seen.matches += 1
        reply = await bout.start()
        seen.late, seen.illegal = seen.late + reply.late, seen.illegal + (not reply.legal)
        while not bout.over and len(seen.margins) < count:
            choice = len(bout.machine.legal(bout.state)[bout.role]) > 1
            reply = await bout.play()
            seen.moves += 1
            seen.late, seen.illegal = seen.late + reply.late, seen.illegal + (not reply.legal)
            if choice:
                seen.margins.append(clock - reply.seconds)
        await (bout.stop() if bout.over else bout.abort())


async def _ask(agent: AgentProcess, seen: Seen) -> None:
    while True:
        await asyncio.sleep(INFO_EVERY)
        began = time.monotonic()
        await agent.ask("(INFO)")
        seen.info.append(time.monotonic() - began)


async def run(agents: list[AgentProcess], games: list[str], clock: float, count: int) -> Seen:
    """Let all agents play until `count` moves are made where there was a choice."""
    seen = Seen()
    asking = [asyncio.create_task(_ask(agent, seen)) for agent in agents]
    await asyncio.gather(*(_play(a, games, clock, count, seen, 1 + 1000 * n) for n, a in enumerate(agents)))
    for task in asking:
        task.cancel()
    await asyncio.gather(*asking, return_exceptions=True)
    return seen


@click.command()
@click.argument("games", nargs=-1, metavar="[GAME...]")
@click.option("--count", default=2000, show_default=True, help="Moves where there is a choice.")
@click.option("--agents", "number", default=4, show_default=True)
@click.option("--clock", default=1.0, show_default=True, help="Seconds for each move.")
@click.option("--json", "as_json", is_flag=True)
def main(games: tuple[str, ...], count: int, number: int, clock: float, as_json: bool) -> None:
    """Play GAMEs in turn, the bundled ones when none is named; exits 1 after a late or illegal move."""
    names = list(games) or list(bundled())
    for name in names:
        machine_of(find_game(name))
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        agents = [AgentProcess(Path(folder) / f"{n}.log", journal_folder="off") for n in range(number)]
        for agent in agents:
            stack.enter_context(agent)
        seen = asyncio.run(run(agents, names, clock, count))
        tracebacks = sum(agent.tracebacks() for agent in agents)
    figures = {
        "agents": number,
        "matches": seen.matches,
        "moves": seen.moves,
        "moves with a choice": len(seen.margins),
        "late": seen.late,
        "illegal": seen.illegal,
        "tracebacks": tracebacks,
        "margin, least": round(min(seen.margins), 3),
        "margin, 1%": round(quantile(seen.margins, 0.01), 3),
        "margin, median": round(quantile(seen.margins, 0.5), 3),
        "info": len(seen.info),
        "info ms, median": round(1000 * quantile(seen.info, 0.5), 1),
        "info ms, 99%": round(1000 * quantile(seen.info, 0.99), 1),
        "info ms, most": round(1000 * max(seen.info), 1),
    }
    if as_json:
        click.echo(json.dumps(figures))
    else:
        report("lateness", figures)
    sys.exit(1 if seen.late or seen.illegal or tracebacks else 0)


if __name__ == "__main__":
    main()
