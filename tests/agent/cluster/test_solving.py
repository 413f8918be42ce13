"""A position is solved on all nodes of a cluster, and a node that dies costs only time."""

import contextlib
import json

import pytest
from click.testing import CliRunner

from agent.cli import main
from agent.cluster.solving import ClusterSolvers, PositionSolver
from agent.cluster.source import own_source
from agent.gamemaster.games import bundled_game
from search.solver.job_tree import Job
from tests.machines import built
from tests.waiting import wait_until

pytestmark = pytest.mark.long  # nodes of a real cluster

RULES = bundled_game("connectFour").text
ENDGAME = [f"(drop {column})" for column in "726121347245152162"]


def nothing_done(workers):
    return workers.next_done(0.1) is None


def test_the_job_of_a_node_that_dies_is_repeated(cluster):
    machine = built(RULES)
    facts = tuple(map(str, machine.facts(machine.initial())))
    cluster.needed(2)
    with contextlib.closing(ClusterSolvers(cluster.address, RULES, 8)) as workers:
        for number in (1, 2):
            workers.submit(Job(number, facts, 100, 1e6))
        wait_until(lambda: nothing_done(workers) and len(workers._working) == 2)
        cluster.kill()
        wait_until(lambda: nothing_done(workers) and len(workers._working) == 1)
        assert {job.number for job in [*workers._jobs, *(job for _, job in workers._working.values())]} == {1, 2}
        cluster.needed(2)
        wait_until(lambda: nothing_done(workers) and len(workers._working) == 2)
        assert {job.number for _, job in workers._working.values()} == {1, 2}


def test_the_command_solves_on_a_cluster(cluster, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("agent.cli.solve.FIRST_SECONDS", 0.0)
    monkeypatch.setattr("search.solve.distance_seconds", lambda *_: 0.0)
    cluster.needed(1)
    after = [word for move in ENDGAME for word in ("--after", move)]
    words = ["solve", "connectFour", *after, "--json", "--memory", "8"]
    here, there = (CliRunner().invoke(main, words + more) for more in ([], ["--cluster", cluster.address]))
    assert there.exit_code == 0, there.output
    assert json.loads(there.stdout)["goals"] == json.loads(here.stdout)["goals"]
    assert json.loads(there.stdout)["positions"] > 0


def test_a_job_that_cannot_be_done_returns_the_reason():
    solver = PositionSolver(own_source(), "(role a) (role b)", 8)
    assert isinstance(solver.work(Job(1, (), 100, 0.1)), str)
