"""What a player and its programs write to descriptors 1 and 2 reaches the log up to a limit, and stops no match."""

import os
import re
import signal

import pytest

from agent.worker.raw_output import CHUNK, LAST_BYTES, MAX_BYTES, _Pipe
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


@pytest.mark.parametrize("first", [MAX_BYTES, MAX_BYTES - 1])
def test_output_is_reported_as_discarded_wherever_a_read_ends(first: int, capfd):
    """A read may end exactly at the limit."""
    reading, writing = os.pipe()
    pipe = _Pipe(reading)
    for size in (first, 2, 2):
        for begin in range(0, size, CHUNK):
            os.write(writing, b"x" * min(CHUNK, size - begin))
            assert pipe.copy()
    os.close(writing)
    assert not pipe.copy()
    told = capfd.readouterr()
    assert (told.out + told.err).count("further output of the player's programs is discarded") == 1


async def test_a_collector_killed_in_a_match_is_replaced_and_the_match_goes_on(capfd):
    """No write of the player fails, and what it writes later reaches the log again."""
    seen: list[str] = []

    def text() -> str:
        seen.append(capfd.readouterr().err)
        return "".join(seen)

    async with agent("tests.agent.players.odd:Prints") as a:
        await until(lambda: a.workers.spare is not None and a.workers.spare.pid is not None)
        (collector,) = {*descendants(a.workers.process.pid)} - {a.workers.process.pid, a.workers.spare.pid}
        assert await a.start(STONES, "first", clocks="10 30") == "ready"
        assert await a.ask("(PLAY m NIL)") == "(take 2)"
        await until(lambda: text().count("nor this") == 1)
        os.kill(collector, signal.SIGKILL)
        await until(lambda: "the collector of the players' output ended and is started again" in text())
        assert await a.ask("(PLAY m ((take 2) noop))") == "noop"
        await until(lambda: text().count("nor this") == 2)
        assert await a.ask("(PLAY m (noop (take 1)))") == "(take 2)"
        await until(lambda: text().count("nor this") == 3)
        assert await a.ask("(ABORT m)") == "aborted"
        assert await a.start(STONES, "first", clocks="10 30", match="n") == "ready"
        assert await a.ask("(PLAY n NIL)") == "(take 2)"
        await until(lambda: text().count("nor this") == 4)
    assert "the player failed" not in text()
    assert "is discarded" not in text()


async def test_the_player_is_named_that_has_changed_the_agents_objects_and_its_log(capfd, tmp_path, monkeypatch):
    monkeypatch.setenv(MARKER, str(tmp_path / "meddled"))
    async with agent("tests.agent.players.odd:Meddles") as a:
        assert await a.start(STONES, "first", clocks="10 30") == "ready"
        assert await a.ask("(PLAY m NIL)") == "(take 2)"
        assert await a.ask("(PLAY m ((take 2) noop))") == "noop"
    failed = re.search(r"the worker failed.*", capfd.readouterr().err)
    assert failed
    assert "player=tests.agent.players.odd:Meddles" in failed[0]
