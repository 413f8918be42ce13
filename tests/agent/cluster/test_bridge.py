"""The bridge uses each node once, however long the node has no room and whatever becomes of its searcher."""

import asyncio

from agent.cluster import bridge
from agent.settings import load_settings
from tests.agent.cluster.fake_ray import FakeRay
from tests.waiting import until


async def test_a_node_whose_processors_are_taken_gets_one_searcher_that_waits(monkeypatch):
    """Others would wait there for ever, more of them every half minute; only a lost one is replaced."""
    monkeypatch.setattr(bridge, "PAUSE", 0.0)
    monkeypatch.setattr(bridge, "LOOK", 0.0)
    ray = FakeRay({"ab" * 28: 4}, found="")  # a number as Ray gives it
    ray.room = False
    own = bridge.Bridge(ray, load_settings())
    finding = asyncio.create_task(own.find_nodes())
    for _ in range(20):
        await asyncio.sleep(0)
    assert len(ray.actors) == 1
    ray.actors[0].placed = True
    await until(lambda: own._helpers)
    ray.actors[0].dead = True
    await until(lambda: len(ray.actors) == 2)
    tasks = [finding, *own._tasks]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
