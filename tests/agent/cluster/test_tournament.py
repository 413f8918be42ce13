import asyncio
import io
import json
import sys
from contextlib import closing

import pytest

from agent.cluster.arena import cluster_arena
from agent.cluster.errors import ClusterError
from agent.gamemaster.games import find_game
from agent.tournament.arena import JudgedGame
from agent.tournament.plan import TournamentPlan
from agent.tournament.play import Tournament, TournamentObserver
from agent.tournament.store import ResultStore
from bench.processes import lives
from reasoner import load
from tests.waiting import until

pytestmark = pytest.mark.long  # nodes of a real cluster

WAITING = (sys.executable, "-m", "tests.agent.cluster.waiting_stub")


class Watcher(TournamentObserver):
    def __init__(self):
        self.told, self.lost_games = [], []

    def nodes(self, count, tables):
        self.told.append((count, tables))

    def lost(self, game):
        self.lost_games.append(game)


def waiting_players(folder):
    return {"a": str(folder), "b": str(folder)}


def tournament(store, players, watcher, trace=None, **plan):
    sheet = find_game("nim")
    board = {"nim": JudgedGame(sheet, load(sheet.text, engine="relational"))}
    made = TournamentPlan(players, ("nim",), start_clock=60.0, play_clock=60.0, **plan)
    return Tournament(made, board, store, watcher, trace, serve=WAITING)


async def in_a_match(folder, agents):
    """Waits until so many agents were asked for a move; their numbers."""

    def numbers():
        return [path.name for path in folder.iterdir() if path.name.isdigit()]

    await until(lambda: len(numbers()) >= agents)
    return numbers()


async def ended(processes):
    """Waits until none of these lives."""
    await until(lambda: not any(lives(int(number)) for number in processes))


async def test_a_node_that_dies_costs_only_its_match_which_is_played_again(cluster, tmp_path):
    cluster.needed(2)
    watcher, trace = Watcher(), io.StringIO()
    with closing(ResultStore(tmp_path / "r.sqlite", "plan")) as store:
        session = tournament(store, waiting_players(tmp_path), watcher, trace, rounds=3, records=str(tmp_path / "r"))
        running = asyncio.create_task(session.run(cluster_arena(cluster.address, 1)))
        agents = await in_a_match(tmp_path, 4)
        assert (watcher.told[-1], store.outcomes()) == ((3, 2), ())
        cluster.kill()
        (tmp_path / "go").touch()
        await running
        outcomes = store.outcomes()
        assert session.left() == ()
    assert len(outcomes) == 6
    assert all(outcome.completed and outcome.errors == ("", "") for outcome in outcomes)
    assert watcher.lost_games == ["nim"]
    assert len(list((tmp_path / "r").glob("*.json"))) == 6
    assert {json.loads(line)["player"] for line in trace.getvalue().splitlines()} == {"a", "b"}
    await ended(agents)  # those of the lost node, too


async def test_called_off_it_leaves_no_players_and_continues_later(cluster, tmp_path):
    cluster.needed(1)
    with closing(ResultStore(tmp_path / "r.sqlite", "plan")) as store:
        session = tournament(store, waiting_players(tmp_path), Watcher())
        running = asyncio.create_task(session.run(cluster_arena(cluster.address, 1)))
        agents = await in_a_match(tmp_path, 2)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        assert store.outcomes() == ()
        await ended(agents)
        (tmp_path / "go").touch()
        await session.run(cluster_arena(cluster.address, 1))
        assert len(store.outcomes()) == 2


async def test_a_node_with_another_agent_is_named(cluster, tmp_path, monkeypatch):
    cluster.needed(1)
    monkeypatch.setattr("agent.cluster.arena.own_source", lambda: "0.0.1 (abc)")
    with closing(ResultStore(tmp_path / "r.sqlite", "plan")) as store:
        session = tournament(store, waiting_players(tmp_path), Watcher())
        with pytest.raises(ClusterError, match=r"has ggp-agent .*, this machine 0\.0\.1 \(abc\): install the same"):
            await session.run(cluster_arena(cluster.address, 1))
