"""Tables of an arena that are lost with their nodes."""

import asyncio

import pytest

from agent.cluster import arena
from agent.cluster.table import TableSetup
from agent.gamemaster.errors import PlayerError
from agent.tournament.arena import PlayedMatch
from agent.tournament.plan import TournamentPlan
from agent.tournament.play import TournamentObserver
from agent.tournament.schedule import Pairing
from tests.agent.cluster.fake_ray import FakeRay
from tests.waiting import until

PLAYED = PlayedMatch(None, None)
PAIRING = Pairing("key", "nim", ("a", "b"), "seed")
TABLES = 2 * arena.LIVES


class Watcher(TournamentObserver):
    def __init__(self):
        self.lost_games = []

    def nodes(self, count, tables):
        pass

    def lost(self, game):
        self.lost_games.append(game)


async def furnished(ray, watcher):
    """An arena with free tables; the task sets up others."""
    setup = TableSetup(TournamentPlan({"a": "mcts", "b": "mcts"}, ("nim",)), "", 1, 1, {}, False, ())
    made = arena.ClusterArena(ray, setup, {"nim": None}, None, watcher)
    made._wanted = TABLES
    furnishing = asyncio.create_task(made.furnish())
    await until(lambda: made._free.qsize() == TABLES)
    return made, furnishing


async def test_free_tables_that_are_lost_with_their_node_cost_no_match():
    """The match that comes next did not run at them, so it is not given up."""
    ray, watcher = FakeRay({"there": TABLES}, ready=True, play=(PLAYED, "")), Watcher()
    made, furnishing = await furnished(ray, watcher)
    for actor in ray.actors[:-1]:
        actor.dead = True
    assert await made.play(PAIRING) is PLAYED
    assert watcher.lost_games == []
    furnishing.cancel()


async def test_a_match_that_is_lost_at_each_table_is_given_up(monkeypatch):
    """It may be the cause: each table ends after the match has begun there."""
    ray, watcher = FakeRay({"there": TABLES}, ready=True, play=(PLAYED, "")), Watcher()
    made, furnishing = await furnished(ray, watcher)
    monkeypatch.setattr(made, "_played", lambda table, _: lost_at(ray, table))
    with pytest.raises(PlayerError, match=f"lost {arena.LIVES} times"):
        await made.play(PAIRING)
    assert watcher.lost_games == arena.LIVES * ["nim"]
    furnishing.cancel()


async def lost_at(ray, table):
    ray.kill(table)
    await table.play.remote()
