import contextlib

import pytest

from agent.cluster.self_play import ClusterActors
from search.errors import StudyError
from search.study.selfplay import SelfPlayJob
from tests.search.study.games import InlineActors, rules
from tests.waiting import wait_until

pytestmark = pytest.mark.long  # nodes of a real cluster

PATIENCE = 200  # looks of a second at most


def job(**given):
    return SelfPlayJob(rules("ticTacToe"), None, **{"games": 40, "simulations": 4, **given})


@pytest.fixture(params=[1])
def actors(cluster, request):
    """On so many nodes; each actor loads for seconds what it plays with."""
    cluster.needed(request.param)
    with contextlib.closing(ClusterActors(cluster.address)) as made:
        yield made


def done(actors):
    return next(games for _ in range(PATIENCE) if (games := actors.next_done(1.0)) is not None)


def nothing_done(actors):
    return actors.next_done(0.1) is None


@pytest.mark.parametrize("actors", [2], indirect=True)
def test_games_come_home_and_a_node_that_dies_costs_only_its_job(actors, cluster):
    assert (actors.width, actors.shared) == (2, False)
    for seed in (1, 2):
        actors.submit(job(seed=seed))
    alone = InlineActors()
    alone.submit(job(seed=1))
    assert {done(actors).count for _ in range(2)} >= {alone.next_done(0.0).count}
    for seed in (3, 4):
        actors.submit(job(games=10**6, seed=seed))
    wait_until(lambda: nothing_done(actors) and len(actors._playing) == 2)
    cluster.kill()
    wait_until(lambda: nothing_done(actors) and actors.waiting < 2)
    wait_until(lambda: nothing_done(actors) and actors.width < 2)
    assert actors.waiting == 1
    cluster.needed(2)
    actors.submit(job(seed=5))
    assert done(actors).count >= 40


def test_rules_that_no_node_can_play_are_told_of(actors):
    actors.submit(SelfPlayJob("(role x)", None, 1))
    with pytest.raises(StudyError):
        done(actors)


def test_a_node_with_another_agent_is_named(cluster, monkeypatch):
    cluster.needed(1)
    monkeypatch.setattr("agent.cluster.self_play.own_source", lambda: "0.0.1 (abc)")
    actors = ClusterActors(cluster.address)
    with contextlib.closing(actors), pytest.raises(StudyError, match="install the same"):
        done(actors)
