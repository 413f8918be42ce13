"""Crash test: `python -m bench.killed` kills the agent (SIGKILL) between messages; its matches must continue.

There are two kinds of kills. First, the agent is killed and restarted between two PLAY messages, at random moments. The
second message comes as soon as the agent takes connections, before it has loaded kernels. Every answer must be legal,
and no journal may be damaged. Second, a PLAY arrives while the agent is down, so that the
agent must guess the missed joint move: the share of legal answers until the end of these matches is reported.
"""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import click

from agent.gamemaster.games import find_game
from agent.journal.lines import decode
from agent.journal.replayed_match import replay
from bench.soak import LOG, AgentProcess, Bout, Rows, Tally, soak_command

GAMES = ("ticTacToe", "connectFour", "goofspiel", "nim", "breakthrough", "lightCycles", "trio", "diceRace")
CLOCKS = (2.0, 1.0)
TURNS = 12
"""Turns after which a match is aborted."""


class Killings:
    """Kills and restarts of one agent between messages."""

    def __init__(self, agent: AgentProcess, rng: random.Random) -> None:
        self._agent, self._rng = agent, rng
        self.kills = 0
        self.missed = 0  # kills with a PLAY that arrives while the agent is down
        self.matches = 0

    async def between(self, most: int, tally: Tally) -> None:
        """Play one match in which the agent is killed before about every second PLAY."""

        async def kill(_turn: int) -> None:
            if self.kills < most and self._rng.random() < 0.5:
                await asyncio.sleep(self._rng.random() * 0.5)
                await self._agent.restart()
                self.kills += 1

        await self._agent.until("available")
        await self._bout().played(tally, TURNS, kill)

    async def over_a_play(self, tally: Tally, doubtful: Tally) -> None:
        """Play one match with a PLAY that arrives while the agent is down."""
        moment, bout = self._rng.randrange(1, 4), self._bout()
        await self._agent.until("available")
        await bout.begin(tally)
        await bout.turns(tally, moment)
        if not bout.over:
            bout.go_on(None)
            await self._agent.restart()
            self.missed += 1
            await bout.turns(doubtful, TURNS - moment)
        await bout.finish()

    def _bout(self) -> Bout:
        self.matches += 1
        game = self._rng.choice(GAMES)
        return Bout(self._agent, f"{game}.{self.matches}", find_game(game), CLOCKS, f"{self._rng.random()}")


def broken(folder: Path) -> int:
    """Count the journals that are damaged, or do not record the end of their match."""
    count = 0
    for path in folder.glob("*.journal"):
        data = path.read_bytes()
        entries, good = decode(data)
        story = replay(entries)
        count += good < len(data) or story is None or story.damaged or story.ended is None
    return count


async def run(folder: Path, *, count: int, missed: int, seed: int, player: str, engine: str) -> Rows:
    """Kill the agent repeatedly, and check that its matches continue."""
    journals = folder / "journal"
    tally, doubtful = Tally(), Tally()
    with AgentProcess(folder / LOG, player, journal_folder=journals, worker_engine=engine) as agent:
        killings = Killings(agent, random.Random(seed))
        while killings.kills < count:
            await killings.between(count, tally)
        while killings.missed < missed:
            await killings.over_a_play(tally, doubtful)
        tracebacks = agent.tracebacks()
        agent.stop()
    damaged = broken(journals)
    faults = [*(["illegal"] if tally.illegal else []), *(["broken journals"] if damaged else [])]
    share = round(1 - len(doubtful.illegal) / doubtful.moves, 4) if doubtful.moves else None
    after = {"missed": killings.missed, "moves_after_missed": doubtful.moves, "share_legal_after_missed": share}
    figures = {"kills": killings.kills, **tally.rows, **after, "tracebacks": tracebacks, "broken_journals": damaged}
    return {**figures, "faults": faults}


main = soak_command(
    run,
    click.Option(["--count"], type=int, default=50, show_default=True, help="Kills between messages."),
    click.Option(["--missed"], type=int, default=20, show_default=True, help="Kills during which a PLAY arrives."),
)

if __name__ == "__main__":
    main()
