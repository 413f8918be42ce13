"""Benchmark of a Ray cluster: self-play games and tournament matches with one and with two nodes of one core.

    python -m bench.cluster [GAME] [--seconds 30] [--simulations 16] [--rounds 4] [--clock 0.5]

All nodes are on this machine, each actor on a processor of its own. Ray and the driver need some processor time, too,
so that two nodes on two processors do a little less than they could. Self-play is measured once every actor has
returned the games of one job: by the clock, and by processor time, which predicts nodes with processors of their own. A
tournament is measured twice: in all, including the players' start at each table, and from its first result on. A match
takes its clocks: two players that think in turn, half a second a move by default.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import pickle
import secrets
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from agent.cluster.arena import cluster_arena
from agent.cluster.connection import QUIET
from agent.cluster.self_play import ClusterActors
from agent.gamemaster.games import kif_game
from agent.tournament.arena import JudgedGame
from agent.tournament.plan import TournamentPlan
from agent.tournament.play import Tournament
from agent.tournament.store import ResultStore
from bench.processes import processes
from reasoner import load
from search.study.selfplay import SelfPlayJob

GAMES = 16
"""Games of a job."""
PLAYER, RAY = "ray::SelfPlayer", "/ray/"
"""Patterns in the command lines of Ray's processes."""
STORE = 100 << 20
"""Bytes of each node's object store."""


@contextlib.contextmanager
def cluster() -> Iterator[Any]:
    """Start a head without processors, to which nodes are added."""
    os.environ.update(QUIET, RAY_AUTH_MODE="token", RAY_AUTH_TOKEN=secrets.token_hex(16))
    from ray.cluster_utils import Cluster  # late: Ray reads the environment when it is imported

    head = {"num_cpus": 0, "include_dashboard": False, "object_store_memory": STORE}
    made = Cluster(initialize_head=True, head_node_args=head)
    try:
        yield made
    finally:
        made.shutdown()


@dataclass(frozen=True)
class Used:
    """Processor seconds used so far: by players, by Ray's own processes, and by the driver."""

    players: float
    ray: float
    asking: float

    @classmethod
    def now(cls) -> Used:
        """Measure on this machine; all of Ray's processes on it count as this cluster's."""
        players = ray = 0.0
        for each in processes():
            if each.command.startswith(PLAYER):
                players += each.seconds
            elif each.command.startswith("ray::") or RAY in each.command:
                ray += each.seconds
        return cls(players, ray, time.process_time())


@dataclass(frozen=True)
class SelfPlay:
    """Results of self-play in some seconds of the clock; `size`: bytes of a game's result."""

    seconds: float
    games: int
    jobs: int
    size: float
    players: float
    ray: float
    asking: float

    @property
    def per_processor_second(self) -> float:
        """Games for each second of the players' processor time."""
        return self.games / max(self.players, 1e-9)

    def told(self) -> str:
        """Format the results for people."""
        had = [seconds / self.seconds for seconds in (self.players, self.ray, self.asking)]
        return (
            f"{self.games / self.seconds:.1f} games/s, {self.per_processor_second:.1f} a processor second of the "
            f"players; processors used: {had[0]:.2f} by players, {had[1]:.2f} by Ray, {had[2]:.3f} by the driver, "
            f"{1000 * self.asking / max(self.jobs, 1):.1f} ms a job; {self.size:.0f} bytes a game"
        )


def self_play(address: str, rules: str, seconds: float, simulations: int) -> SelfPlay:
    """Run self-play for some seconds, in jobs as a study does."""
    with contextlib.closing(ClusterActors(address)) as actors:
        seeds, warm = iter(range(1 << 30)), 0
        job = SelfPlayJob(rules, None, games=GAMES, simulations=simulations)
        while warm < actors.width:
            _fill(actors, job, seeds)
            warm += actors.next_done(1.0) is not None
        began, used, games, jobs, size = time.monotonic(), Used.now(), 0, 0, 0
        while time.monotonic() < began + seconds:
            _fill(actors, job, seeds)
            done = actors.next_done(1.0)
            if done is not None:
                games, jobs, size = games + done.count, jobs + 1, size + len(pickle.dumps(done))
        passed, now = time.monotonic() - began, Used.now()
        took = (now.players - used.players, now.ray - used.ray, now.asking - used.asking)
        return SelfPlay(passed, games, jobs, size / max(games, 1), *took)


def _fill(actors: ClusterActors, job: SelfPlayJob, seeds: Iterator[int]) -> None:
    while actors.waiting < 2 * actors.width:
        actors.submit(replace(job, seed=next(seeds)))


def matches(address: str, game: str, rounds: int, clock: float) -> tuple[float, float]:
    """Return matches a minute: in all, and after the first result."""
    sheet, players = kif_game(game), {"a": "mcts:threads=1,ponder=off", "b": "mcts:threads=1,ponder=off,playouts=1"}
    board = {game: JudgedGame(sheet, load(sheet.text, engine="relational"))}
    plan = TournamentPlan(players, (game,), rounds=rounds, start_clock=1.0, play_clock=clock)
    with tempfile.TemporaryDirectory() as folder:
        store = ResultStore(Path(folder) / "results.sqlite", plan.fingerprint)
        began = time.time()
        asyncio.run(Tournament(plan, board, store).run(cluster_arena(address, 1)))
        ended = [outcome.ended for outcome in store.outcomes()]
        store.close()
    return 60 * len(ended) / (ended[-1] - began), 60 * (len(ended) - 1) / (ended[-1] - ended[0])


@click.command()
@click.argument("game", default="connectFour")
@click.option("--seconds", default=30.0, show_default=True, help="Duration of self-play.")
@click.option("--simulations", default=16, show_default=True, help="Simulations of a self-play move.")
@click.option("--rounds", default=4, show_default=True, help="Rounds of the tournament, two matches each; 0: none.")
@click.option("--clock", default=0.5, show_default=True, help="Seconds a move.")
def main(game: str, seconds: float, simulations: int, rounds: int, clock: float) -> None:
    """Measure one node, then two."""
    rules, rows = kif_game(game).text, []
    with cluster() as made:
        for nodes in (1, 2):
            made.add_node(num_cpus=1, object_store_memory=STORE)
            played = self_play(made.address, rules, seconds, simulations)
            print(f"{nodes} nodes: {played.told()}", flush=True)
            row = [played.games / played.seconds, played.per_processor_second]
            if rounds:
                row += matches(made.address, game, rounds, clock)
                print(f"   {row[2]:.2f} matches/min in all, {row[3]:.2f} after the first", flush=True)
            rows.append(row)
    ratios = [two / one for one, two in zip(*rows, strict=True)]
    print(f"ratios: {ratios[0]:.2f} of games by the clock, {ratios[1]:.2f} of games a processor second of the players")
    if rounds:
        print(f"   {ratios[2]:.2f} of matches in all, {ratios[3]:.2f} after the first")
    print(f"load of this machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")


if __name__ == "__main__":
    main()
