import contextlib

import pytest

from agent.cluster.self_play import ClusterActors
from search.clock import MonotonicClock
from search.errors import StudyError
from search.study.folder import StudyFolder
from search.study.loop import Study, Task
from search.study.observer import StudyObserver
from search.study.options import StudyOptions
from search.study.selfplay import SelfPlayJob
from search.study.window import MAX_POSITIONS, Window
from tests.extras import needs_torch
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
    wait_until(lambda: nothing_done(actors) and len(actors._working) == 2)
    cluster.kill()
    wait_until(lambda: nothing_done(actors) and actors.waiting < 2)
    wait_until(lambda: nothing_done(actors) and actors.width < 2)
    assert actors.waiting == 1
    cluster.needed(2)
    actors.submit(job(seed=5))
    assert done(actors).count >= 40


def test_rules_that_no_node_can_play_are_reported(actors):
    actors.submit(SelfPlayJob("(role x)", None, 1))
    with pytest.raises(StudyError):
        done(actors)


@needs_torch
@pytest.mark.parametrize("actors", [2], indirect=True)
def test_a_study_continues_when_a_node_dies_and_waits_for_others_when_all_have(actors, cluster, tmp_path):
    """Each thing happens when the one before was seen to matter; the study ends after the last."""

    def record():
        return own._record

    def games_since(count):
        return lambda: record().games >= begun[-1] + count

    def then(act):
        begun.append(record().games)
        act()

    begun = [0]
    plan = [
        (games_since(20), cluster.kill),
        (lambda: actors.width == 1 and games_since(20)(), cluster.kill),
        (lambda: actors.width == 0, lambda: cluster.needed(1)),
        (lambda: actors.width == 1 and games_since(20)() and own._trainer.steps > 0, lambda: None),
    ]

    def stopped():
        if plan and plan[0][0]():
            then(plan.pop(0)[1])
        return not plan

    options = StudyOptions(seconds=PATIENCE, simulations=4, least=100, minibatch=32, gates=(), tuning=0.0)
    task = Task(rules("ticTacToe"), "ticTacToe")
    own = Study(task, StudyFolder(tmp_path / "s"), actors, MonotonicClock(), options, StudyObserver(), stopped)
    own._window = Window(least=MAX_POSITIONS)  # forgets no games, however many come while nodes start
    found = own.run()
    assert not plan
    assert found.games == sum(games.count for _, games in StudyFolder(tmp_path / "s").load_games())
    assert own.seconds_left > 0
