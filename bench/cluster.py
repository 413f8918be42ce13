"""How many games of self-play, and matches of a tournament, a Ray cluster does with one and with two nodes of one core.

    python -m bench.cluster [GAME] [--seconds 30] [--rounds 4] [--clock 0.5]

All nodes are on this machine, each actor on a processor of its own; Ray and who asks need some of one, too, so that on
two processors two nodes do a little less than they could. Self-play is measured by the clock once every actor has
brought one job's games home. A tournament is measured twice: in all, with the players' start at each table, and from
its first result on. A match takes its clocks: two players that think by turns, half a second a move as asked for here.
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
from reasoner import load
from search.study.selfplay import SelfPlayJob

GAMES = 64
"""Of a job."""
STORE = 100 << 20
"""Bytes of each node's object store."""


@contextlib.contextmanager
def cluster() -> Iterator[Any]:
    """A head without processors, to which nodes are added."""
    os.environ.update(QUIET, RAY_AUTH_MODE="token", RAY_AUTH_TOKEN=secrets.token_hex(16))
    from ray.cluster_utils import Cluster  # late: Ray reads the environment when it is imported

    head = {"num_cpus": 0, "include_dashboard": False, "object_store_memory": STORE}
    made = Cluster(initialize_head=True, head_node_args=head)
    try:
        yield made
    finally:
        made.shutdown()


def self_play(address: str, rules: str, seconds: float) -> tuple[float, float, float]:
    """Games a second; of who asks, the processor's milliseconds a job; bytes that a game brings home."""
    with contextlib.closing(ClusterActors(address)) as actors:
        seeds, warm = iter(range(1 << 30)), 0
        while warm < actors.width:
            _fill(actors, rules, seeds)
            warm += actors.next_done(1.0) is not None
        began, used, games, jobs, size = time.monotonic(), time.process_time(), 0, 0, 0
        while time.monotonic() < began + seconds:
            _fill(actors, rules, seeds)
            done = actors.next_done(1.0)
            if done is not None:
                games, jobs, size = games + done.count, jobs + 1, size + len(pickle.dumps(done))
        passed, asking = time.monotonic() - began, time.process_time() - used
        return games / passed, 1000 * asking / jobs, size / games


def _fill(actors: ClusterActors, rules: str, seeds: Iterator[int]) -> None:
    while actors.waiting < 2 * actors.width:
        actors.submit(SelfPlayJob(rules, None, games=GAMES, simulations=16, seed=next(seeds)))


def matches(address: str, game: str, rounds: int, clock: float) -> tuple[float, float]:
    """Matches a minute: in all, and after the first result."""
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
@click.option("--seconds", default=30.0, show_default=True, help="Of self-play.")
@click.option("--rounds", default=4, show_default=True, help="Of the tournament, two matches each.")
@click.option("--clock", default=0.5, show_default=True, help="Seconds a move.")
def main(game: str, seconds: float, rounds: int, clock: float) -> None:
    """Measure one node, then two."""
    rules, rows = kif_game(game).text, []
    with cluster() as made:
        for nodes in (1, 2):
            made.add_node(num_cpus=1, object_store_memory=STORE)
            games, asking, size = self_play(made.address, rules, seconds)
            whole, after = matches(made.address, game, rounds, clock)
            rows.append((games, whole, after))
            print(f"{nodes} nodes: {games:.1f} games/s; {whole:.2f} matches/min in all, {after:.2f} after the first")
            print(f"   {asking:.1f} ms a job of {GAMES} games for who asks; {size:.0f} bytes a game", flush=True)
    ratios = [two / one for one, two in zip(*rows, strict=True)]
    print(f"ratios: {ratios[0]:.2f} of self-play; {ratios[1]:.2f} of matches in all, {ratios[2]:.2f} after the first")
    print(f"load of this machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")


if __name__ == "__main__":
    main()
