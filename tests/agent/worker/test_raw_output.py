"""What a player and its programs write to descriptors 1 and 2 reaches the log up to a limit, and stops no match."""

import asyncio
import os
import re
import signal

import pytest

from agent.worker.raw_output import LAST_BYTES, MAX_BYTES
from bench.processes import descendants
from tests.agent.players.odd import MARKER
from tests.agent.rules import STONES
from tests.agent.server.client import agent
from tests.waiting import until

pytestmark = [pytest.mark.own_fork_server, pytest.mark.long]  # the output of a real fork server
FLOODS = "tests.agent.players.odd:Floods"


async def test_a_flood_is_cut_and_reported_and_the_last_words_of_a_killed_process_are_seen(
    capfd, tmp_path, monkeypatch
):
    monkeypatch.setenv(MARKER, str(tmp_path / "killed"))
    async with agent(FLOODS) as a:
        assert await a.start(STONES, "first", clocks="10 30") == "ready"
        assert await a.ask("(PLAY m NIL)") == "(take 2)"
        seen: list[str] = []

        def text() -> str:
            seen.append(capfd.readouterr().err)
            return "".join(seen)

        await until(lambda: "the last words" in text())  # of the killed process
    assert text().count("printed after the flood") == 2
    assert "further output of the player's programs is discarded" in text()
    assert len(text()) < 2 * (MAX_BYTES + LAST_BYTES) + 20_000


async def test_a_killed_collector_costs_the_output_only(capfd, tmp_path, monkeypatch):
    monkeypatch.setenv(MARKER, str(tmp_path / "killed"))
    async with agent("tests.agent.players.odd:Prints") as a:
        await until(lambda: a.workers.spare is not None and a.workers.spare.pid is not None)
        (collector,) = {*descendants(a.workers.process.pid)} - {a.workers.process.pid, a.workers.spare.pid}
        os.kill(collector, signal.SIGKILL)
        a.workers.spare.kill()
        await until(lambda: a.workers.spare is None)
        assert await a.start(STONES, "first", clocks="10 30") == "ready"
        assert await asyncio.wait_for(a.ask("(PLAY m NIL)"), 30) == "(take 2)"
    text = capfd.readouterr().err
    assert "the output of the player's programs is discarded" in text
    assert "this must not reach the server" in text


async def test_the_player_is_named_that_has_changed_the_agents_objects_and_its_log(capfd, tmp_path, monkeypatch):
    monkeypatch.setenv(MARKER, str(tmp_path / "meddled"))
    async with agent("tests.agent.players.odd:Meddles") as a:
        assert await a.start(STONES, "first", clocks="10 30") == "ready"
        assert await a.ask("(PLAY m NIL)") == "(take 2)"
        assert await a.ask("(PLAY m ((take 2) noop))") == "noop"
    failed = re.search(r"the worker failed.*", capfd.readouterr().err)
    assert failed
    assert "player=tests.agent.players.odd:Meddles" in failed[0]
