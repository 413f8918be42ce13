"""Actors of a pool end with their nodes, or one after the other."""

import itertools
from contextlib import nullcontext

import pytest

from agent.cluster import pool
from agent.cluster.self_play import ClusterActors
from search.errors import StudyError
from search.study.selfplay import SelfPlayJob
from tests.agent.cluster.fake_ray import FakeRay

SMALL, LARGE = 2, 3 * pool.MAX_DEATHS


@pytest.fixture
def ray(monkeypatch):
    fake = FakeRay({"small": SMALL, "large": LARGE}, play=("games",))
    monkeypatch.setattr(pool, "connected", lambda _: nullcontext(fake))
    monkeypatch.setattr(pool, "own_source", lambda: "the same")
    return fake


def made():
    """A pool that looks for nodes at each call."""
    times = itertools.count()
    return ClusterActors("local", lambda: pool.LOOK * next(times))


def busy(actors):
    """See that each actor has begun, and has a job."""
    while actors.waiting < actors.width:
        actors.submit(SelfPlayJob("(role x)", None, 1))
    while len(actors._working) < actors.width:
        actors.next_done(0.0)


def test_a_node_of_many_processors_that_dies_costs_only_its_jobs(ray):
    """A study goes on with the nodes that are left."""
    actors = made()
    busy(actors)
    del ray.processors["large"]
    for actor in ray.actors[SMALL:]:
        actor.dead = True
    for _ in range(LARGE):
        assert actors.next_done(0.0) is None
    assert actors.waiting == SMALL
    next(iter(actors._working)).done = True
    assert actors.next_done(0.0) == ("games",)


@pytest.mark.usefixtures("ray")
def test_actors_that_die_again_and_again_end_the_pool():
    """Each new actor dies with its first job."""
    actors = made()

    def die():
        for _ in range(10 * LARGE):
            busy(actors)
            for actor, _ in actors._working.values():
                actor.dead = True
            actors.next_done(0.0)

    with pytest.raises(StudyError, match="keep dying"):
        die()
