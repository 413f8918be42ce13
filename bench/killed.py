"""Crash test: `python -m bench.killed` kills the agent (-9) between messages; its matches must go on.

First kind: the agent is killed and restarted before the next PLAY, at random moments; every answer must be legal and no
journal broken. Second kind: a PLAY arrives while the agent is down, so that it must guess the missed joint move; the
share of legal answers until the end of those matches is reported.
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
from agent.journal.lines import decode
from agent.journal.replayed_match import replay
from bench.agents import AgentProcess, Bout, Reply, report

GAMES = ("ticTacToe", "connectFour", "goofspiel", "nim", "breakthrough", "lightCycles", "trio", "diceRace")
CLOCKS = (2.0, 1.0)
MOST = 12
"""Turns after which a match is aborted."""


@dataclass
class Figures:
    """Results of the test."""

    kills: int = 0
    matches: int = 0
    answers: int = 0
    illegal: list[str] = field(default_factory=list)
    late: int = 0
    missed: int = 0
    answers_after_missed: int = 0
    legal_after_missed: int = 0
    broken_journals: int = 0

    @property
    def share(self) -> float | None:
        """The share of legal answers after a missed PLAY."""
        return round(self.legal_after_missed / self.answers_after_missed, 4) if self.answers_after_missed else None


async def killed_between(agent: AgentProcess, bout: Bout, rng: random.Random, figures: Figures, most: int) -> None:
    """Play one match in which the agent is killed before about every second PLAY."""
    await started(bout)
    for _ in range(MOST):
        if figures.kills < most and rng.random() < 0.5:
            await asyncio.sleep(rng.random() * 0.5)
            agent.kill()
            agent.start()
            figures.kills += 1
        note(await bout.play(), bout, figures)
        if bout.over:
            break
    await (bout.stop() if bout.over else bout.abort())


async def killed_over_a_play(agent: AgentProcess, bout: Bout, rng: random.Random, figures: Figures) -> None:
    """Play one match with a PLAY that arrives while the agent is down."""
    await started(bout)
    moment = rng.randrange(1, 4)
    for turn in range(MOST):
        if turn == moment:
            agent.kill()
            bout.go_on(None)
            agent.start()
            figures.missed += 1
            if bout.over:
                break
        reply = await bout.play()
        if turn >= moment:
            figures.answers_after_missed += 1
            figures.legal_after_missed += reply.legal
        else:
            note(reply, bout, figures)
        if bout.over:
            break
    await (bout.stop() if bout.over else bout.abort())


async def started(bout: Bout) -> None:
    """Send START, which must be answered ready."""
    await bout.agent.until("available")
    reply = await bout.start()
    if not reply.legal:
        raise RuntimeError(f"START of {bout.match_id} was answered {reply.move!r}")


def note(reply: Reply, bout: Bout, figures: Figures) -> None:
    """Count an answer that must be legal."""
    figures.answers += 1
    figures.late += reply.late
    if not reply.legal:
        figures.illegal.append(f"{bout.match_id}: {reply.move}")


def broken(folder: Path) -> int:
    """Count the journals that are damaged, or that record no match that ended."""
    count = 0
    for path in folder.glob("*.journal"):
        data = path.read_bytes()
        entries, good = decode(data)
        story = replay(entries)
        count += good < len(data) or story is None or story.ended is None
    return count


async def run(kills: int, missed: int, seed: int, folder: Path, player: str, engine: str) -> Figures:
    """Run the whole test with one agent after the other in `folder`."""
    figures, rng = Figures(), random.Random(seed)
    journals = folder / "journal"
    agent = AgentProcess(folder / "agent.log", player, journal_folder=journals, worker_engine=engine)
    with agent:
        while figures.kills < kills:
            await killed_between(agent, _bout(agent, rng, figures), rng, figures, kills)
        while figures.missed < missed:
            await killed_over_a_play(agent, _bout(agent, rng, figures), rng, figures)
        agent.stop()
    figures.broken_journals = broken(journals)
    return figures


def _bout(agent: AgentProcess, rng: random.Random, figures: Figures) -> Bout:
    figures.matches += 1
    game = rng.choice(GAMES)
    return Bout(agent, f"{game}.{figures.matches}", find_game(game), CLOCKS, f"{rng.random()}")


@click.command()
@click.option("--count", type=int, default=50, show_default=True, help="Kills between messages.")
@click.option("--missed", type=int, default=20, show_default=True, help="Kills with a PLAY missed.")
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--player", default="mcts", show_default=True, help="The agent's player.")
@click.option("--engine", default="auto", show_default=True, help="The agent's state machine.")
@click.option("--json", "as_json", is_flag=True)
def main(count: int, missed: int, seed: int, player: str, engine: str, as_json: bool) -> None:
    """Kill the agent repeatedly, and check that its matches go on."""
    with tempfile.TemporaryDirectory() as folder:
        figures = asyncio.run(run(count, missed, seed, Path(folder), player, engine))
    rows = asdict(figures) | {"share_legal_after_missed": figures.share}
    if as_json:
        print(json.dumps(rows))
    else:
        report("killed", rows)
    sys.exit(1 if figures.illegal or figures.broken_journals else 0)


if __name__ == "__main__":
    main()
