"""Matches of managers are drawn as those on the page are, once somebody looks."""

import asyncio
import errno
import json

import pytest

from agent.page import looks
from tests.agent.boards.test_net_board import ROOMS
from tests.agent.page.test_site import got
from tests.agent.server.client import agent
from tests.agent.worker.test_cause import CAPTURE

pytestmark = pytest.mark.asyncio


async def grids_of(a, wanted):
    """The boards of the match at hand as events tell them, as soon as they are as wanted."""
    reader, writer = await asyncio.open_connection(a.host, a.port)
    try:
        writer.write(f"GET /api/events HTTP/1.1\r\nHost: {a.host}\r\n\r\n".encode())
        while line := await asyncio.wait_for(reader.readline(), 60):
            if line.startswith(b"data: {") and b'"position"' in line:
                picture = json.loads(line[6:])["position"]["picture"]
                if picture and wanted(picture["grids"]):
                    return picture["grids"]
    finally:
        writer.close()
    raise AssertionError("never drawn so")


async def test_watched_and_finished_matches_have_the_board_of_the_rules():
    async with agent(server__matches=2) as a:
        assert await a.start(ROOMS, "me", "1 30") == "ready"
        (grid,) = await grids_of(a, lambda grids: len(grids) == 1 and grids[0]["spots"])
        assert len(grid["ways"]) == 6
        assert await a.start(ROOMS, "me", "1 30", "unseen") == "ready"
        for match in ("m", "unseen"):
            await a.ask(f"(STOP {match} ((go hall porch)))")
        for log in a.gallery.history.all():
            match = json.loads((await got(a, f"/api/matches/{log.key}"))[1])
            assert match["steps"][0]["picture"]["grids"][0]["spots"]


async def test_what_decided_a_match_of_a_manager_is_marked_in_the_history():
    async with agent() as a:
        assert await a.start(CAPTURE, "red", "1 30") == "ready"
        await a.ask("(STOP m ((take 1 1 1 2) noop))")
        match, (log,) = {"goals": None}, a.gallery.history.all()
        while match["goals"] is None:  # the match's process tells its end after the answer to STOP
            match = json.loads((await got(a, f"/api/matches/{log.key}"))[1])
        assert match["goals"] == [100, 0]
        assert match["steps"][-1]["picture"]["cause"] == [[0, 0, 0]]
        final = json.loads((await got(a, f"/api/matches/{log.key}/final"))[1])
        assert final["picture"]["cause"] == [[0, 0, 0]]


async def test_a_process_that_cannot_start_once_leaves_no_match_without_its_board(monkeypatch):
    async def refuse(_):
        raise OSError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr(looks, "REST_SECONDS", 0.0)
    async with agent() as a:
        assert await a.start(ROOMS, "me", "1 30") == "ready"
        await a.ask("(STOP m ((go hall porch)))")
        (log,) = a.gallery.history.all()
        spots = []
        for take in (refuse, a.workers.take):
            monkeypatch.setattr(a.workers, "take", take)
            match = json.loads((await got(a, f"/api/matches/{log.key}"))[1])
            spots.append([bool(grid["spots"]) for grid in match["steps"][0]["picture"]["grids"]])
        assert (spots[0] != [True], spots[1]) == (True, [True])
