"""A worker is kept ready, so that a match's first clock does not pay for a process."""

import asyncio
import errno
import json
import os
import signal
import socket
import sys

import pytest

from agent.errors import SpecError
from agent.serve import running
from agent.server.worker import Worker
from agent.server.workers import Workers
from agent.settings import load_settings
from agent.worker.worker_messages import End, Ready, encode
from bench.processes import process
from tests.agent.players.odd import MARKER
from tests.agent.rules import STONES
from tests.agent.server.client import Agent, agent
from tests.waiting import until

ODD = "tests.agent.players.odd:"
pytestmark = [pytest.mark.own_fork_server, pytest.mark.long]  # real starts


async def spare(workers):
    """The worker that is kept ready, once it has been born."""
    await until(lambda: workers.spare is not None and workers.spare.pid is not None)
    return workers.spare


async def test_a_match_takes_the_worker_that_is_ready_and_the_next_is_made_after_its_first_answer():
    async with agent() as a:
        ready = await spare(a.workers)
        assert ready not in a.workers.alive
        assert await a.start(STONES, "first") == "ready"
        assert ready in a.workers.alive
        assert await spare(a.workers) is not ready
        assert len(a.workers.alive) == 1


async def test_a_match_gets_a_new_worker_if_the_spare_one_was_stopped():
    """A stopped process takes a match without a word, and its first moves would be guesses."""
    async with agent() as a:
        ready = await spare(a.workers)
        os.kill(ready.pid, signal.SIGSTOP)
        assert await a.start(STONES, "first", clocks="30 30") == "ready"
        assert await a.ask("(PLAY m NIL)") == "(take 1)"
        await ready.closed()


async def test_a_spare_worker_is_ended_if_the_match_ends_before_it_has_answered():
    async with agent() as a:
        ready = await spare(a.workers)
        os.kill(ready.pid, signal.SIGSTOP)
        start = asyncio.create_task(a.start(STONES, "first", clocks="30 30"))
        await until(lambda: a.workers.spare is None)
        assert await a.ask("(ABORT m)") == "aborted"
        await start
        await until(lambda: ready.ended)


@pytest.mark.parametrize("others", [(), ("spare",), ("fork server",), ("spare", "fork server")])
async def test_a_move_of_a_stopped_worker_s_match_comes_from_a_program_that_is_loaded_already(monkeypatch, others):
    """To load a program for it takes longer than a short clock where the machine is busy."""
    monkeypatch.setattr("agent.server.fallback.EARLY", 0.0)
    async with agent(worker__hang=600.0) as a:
        assert await a.start(STONES, "first", clocks="60 60") == "ready"
        (worker,), left = a.workers.alive, await spare(a.workers)
        monkeypatch.setattr(Workers, "_run", None)  # no program can be started
        os.kill(worker.pid, signal.SIGSTOP)
        for other in others:
            os.kill({"spare": left, "fork server": a.workers.process}[other].pid, signal.SIGSTOP)
        play = asyncio.create_task(a.ask("(PLAY m NIL)"))
        await until(lambda: a.matches._matches["m"]._question.offer)
        assert await a.ask("(ABORT m)") == "aborted"
        assert await play in ("(take 1)", "(take 2)")


async def health(one):
    answer = await one.raw(b"GET /healthz HTTP/1.0\r\n\r\n")
    return int(answer.split()[1]), json.loads(answer.partition(b"\r\n\r\n")[2])


async def test_a_fork_server_that_was_stopped_is_noticed_and_replaced(monkeypatch):
    """Meanwhile /healthz says so; matches that wait for a process get one of the next server."""
    monkeypatch.setattr("agent.server.workers.BEAT", 0.01)
    monkeypatch.setattr("agent.server.workers.SILENCE", 1.0)
    async with agent(server__matches=3) as a:
        await spare(a.workers)
        stopped = a.workers.process
        os.kill(stopped.pid, signal.SIGSTOP)
        starts = [asyncio.create_task(a.start(STONES, "first", clocks="60 60", match=name)) for name in "xyz"]
        await until(lambda: a.workers.trouble is not None)
        status, told = await health(a)
        assert (status, told["trouble"].startswith("there is no fork server")) == (503, True)
        assert await asyncio.gather(*starts) == ["ready"] * 3
        assert a.workers.process is not stopped
        assert await stopped.wait() == -signal.SIGKILL
        assert await asyncio.gather(*(a.ask(f"(PLAY {name} NIL)") for name in "xyz")) == ["(take 1)"] * 3


async def test_the_spare_worker_of_a_killed_fork_server_is_replaced():
    """It would keep the build server of the killed one alive until a match takes it."""
    async with agent() as a:
        ready = await spare(a.workers)
        a.workers.process.kill()
        await ready.closed()
        assert await spare(a.workers) is not ready


async def test_a_match_gets_a_worker_after_a_kill_of_the_fork_server_while_another_match_goes_on():
    """By a descriptor that uvloop had left open, a worker kept the killed server's socket; requests to it were lost."""
    async with agent(server__matches=2) as a:
        await spare(a.workers)
        assert await a.start(STONES, "first", clocks="60 60", match="other") == "ready"
        await spare(a.workers)
        a.workers._drop_spare()
        a.workers.process.kill()
        start = asyncio.create_task(a.start(STONES, "first", clocks="60 60"))
        await until(lambda: "m" in a.matches._matches and a.matches._matches["m"].caught_up.is_set())
        assert await start == "ready"


async def test_a_match_whose_processes_were_all_killed_in_start_is_played_as_soon_as_there_is_one():
    async with agent(ODD + "Waits") as a:
        await spare(a.workers)
        start = asyncio.create_task(a.start(STONES, "first", clocks="2 60"))
        await until(lambda: a.workers.alive)
        a.workers.process.kill()
        for worker in [*a.workers.alive, *([a.workers.spare] if a.workers.spare else [])]:
            worker.kill()
        assert await start == "ready"
        play = asyncio.create_task(a.ask("(PLAY m NIL)"))
        await until(lambda: a.matches._matches["m"]._question.offer)
        assert await a.ask("(ABORT m)") == "aborted"
        assert await play in ("(take 1)", "(take 2)")


async def test_a_ready_worker_that_has_just_ended_is_taken_by_nobody():
    """Between its end and the word of it lies a step of the loop; who took it then would never hear that it is dead."""
    async with agent() as a:
        ready = await spare(a.workers)
        os.killpg(ready.pid, signal.SIGKILL)
        await until(lambda: ready.ended, look=0)
        assert await a.workers.take(None) is not ready


async def test_a_command_to_a_worker_that_died_is_lost_at_each_moment_before_its_death_is_reported():
    """Its socket is closed some steps of the loop before `died`; uvloop, which serves, raises at writes to it then."""

    class Nobody:
        dead = False

        def heard(self, _):
            pass

        def died(self):
            self.dead = True

    ours, theirs = socket.socketpair()
    listener = Nobody()
    worker = await Worker.at(ours, listener)
    worker.send(End(None))  # which nobody reads: the socket is reset, not ended
    theirs.close()
    while not listener.dead:
        await asyncio.sleep(0)
        worker.send(End(None))
    worker.send(End(None))


async def test_the_error_that_a_dead_worker_s_socket_ended_with_is_taken():
    """Where the garbage collector ends asyncio's future of the socket first, it reports an error nobody has taken."""
    ours, theirs = socket.socketpair()
    worker = await Worker.at(ours, None)
    end = worker._writer.transport.get_protocol()._closed
    worker.send(End(None))
    theirs.close()
    await worker.closed()
    assert not end._log_traceback
    assert isinstance(end.exception(), ConnectionResetError)


async def test_a_worker_that_nobody_can_hear_any_more_is_ended_and_its_death_told():
    """Else its match would wait for it at every message."""

    class Fails:
        dead = False

        def heard(self, _):
            raise RuntimeError("it cannot be taken in")

        def died(self):
            self.dead = True

    ours, theirs = socket.socketpair()
    listener = Fails()
    with theirs:
        worker = await Worker.at(ours, listener)
        theirs.sendall(encode(Ready()))
        await worker.closed()
        assert listener.dead
        assert theirs.recv(1) == b""


async def test_what_the_fork_server_compiles_is_told_until_it_is_warm(monkeypatch):
    """It says so in lines, which may come in pieces."""
    script = "import socket; s = socket.socket(fileno=0); [s.sendall(w) for w in {}]; s.recv(1)"
    words = [b"compiling 3 of at", b" most 9 kernels\ncompiling 8 of at most 9 kernels\nwa", b"rm\n"]

    async def spawn(_, control):
        return await asyncio.create_subprocess_exec(sys.executable, "-c", script.format(words), stdin=control.fileno())

    monkeypatch.setattr(Workers, "_spawn", spawn)
    monkeypatch.setattr(Workers, "_want_spare", lambda _: None)
    told = []
    workers = Workers(load_settings(environment={}), progress=lambda *numbers: told.append(numbers))
    try:
        await workers.wait_warm()
        assert told == [(3, 9), (8, 9)]
    finally:
        await workers.close()


async def test_a_player_that_cannot_be_created_for_a_time_is_tried_again(monkeypatch):
    """Its file may have been saved by half; the agent was busy until it was restarted, and did not say why."""
    script = "import socket; s = socket.socket(fileno=0); s.sendall({!r}); s.recv({})"
    lives = iter([script.format(b"warm\n", 1), script.format(b"no class Mine\n", 0), script.format(b"warm\n", 1)])

    async def spawn(_, control):
        return await asyncio.create_subprocess_exec(sys.executable, "-c", next(lives), stdin=control.fileno())

    monkeypatch.setattr(Workers, "_spawn", spawn)
    monkeypatch.setattr(Workers, "_want_spare", lambda _: None)
    for pause in ("PAUSE", "LONG_PAUSE"):
        monkeypatch.setattr(f"agent.server.workers.{pause}", 0.0)
    workers, said = Workers(load_settings(environment={})), []
    monkeypatch.setattr(workers, "_complain", said.append)
    try:
        await workers.wait_warm()
        workers.process.kill()
        await until(lambda: len(said) == 2)
        await workers.wait_warm()
        assert said == ["it ended with code -9; memory may have run out", "no class Mine"]
    finally:
        await workers.close()


async def test_too_little_memory_for_a_match_is_refused_with_the_name_of_the_setting():
    """Else each match would be taken, and answered with guesses."""
    workers = Workers(load_settings(environment={}, flags={"worker.engine": "relational", "worker.memory_mib": 20}))
    try:
        with pytest.raises(SpecError, match="memory_mib: 20 is too little for a match; set at least"):
            await workers.wait_warm()
    finally:
        await workers.close()


async def test_no_worker_is_left_when_the_agent_stops():
    async with agent() as a:
        ready = await spare(a.workers)
    await ready.closed()
    assert a.workers.process.returncode is not None


async def test_a_fork_server_for_which_there_is_no_room_is_started_again_and_again(monkeypatch):
    """Meanwhile /healthz says what is wrong; once there is room, matches begin."""
    room, spawn = asyncio.Event(), asyncio.create_subprocess_exec

    async def exec_where_there_is_room(*arguments, **options):
        if not room.is_set():
            raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")
        return await spawn(*arguments, **options)

    monkeypatch.setattr("asyncio.create_subprocess_exec", exec_where_there_is_room)
    monkeypatch.setattr("agent.server.workers.PAUSE", 0.01)
    flags = {"server.port": 0, "player.spec": "legal", "worker.engine": "relational"}
    async with running(load_settings(environment={}, flags=flags)) as (url, workers, matches, gallery, *_):
        one = Agent(url, workers, matches, gallery)
        await until(lambda: workers.trouble is not None)
        status, told = await health(one)
        assert (status, told["status"]) == (503, "warming up")
        assert "Resource temporarily unavailable" in told["trouble"]
        room.set()
        assert await one.start(STONES, "first", clocks="60 60") == "ready"
        assert await health(one) == (200, {"status": "busy", "matches": 1})


def alive(pids):
    return [pid for pid in pids if process(pid) is not None]


async def test_matches_do_not_share_their_random_numbers(tmp_path, monkeypatch):
    """Workers are forks of one process; players of the same class would play the same moves in every match."""
    monkeypatch.setenv(MARKER, str(drawn := tmp_path / "drawn"))
    async with agent(ODD + "Draws") as a:
        for match in ("m", "n"):
            assert await a.start(STONES, "first", clocks="60 60", match=match) == "ready"
            assert await a.ask(f"(ABORT {match})") == "aborted"
    first, second = (line.split() for line in drawn.read_text().splitlines())
    assert first[0] != second[0]
    assert first[1] != second[1]


@pytest.mark.parametrize("over", ["aborted", "killed", "agent stops"])
async def test_what_a_player_has_started_ends_with_its_match(over, tmp_path, monkeypatch):
    """Also what has made a session of its own, and what has lost its parent long ago."""
    monkeypatch.setenv(MARKER, str(tmp_path / "born"))
    async with agent(ODD + "Breeds") as a:
        assert await a.start(STONES, "first", clocks="60 60") == "ready"
        born = list(map(int, (tmp_path / "born").read_text().split()))
        assert len(alive(born)) == 4
        if over == "aborted":
            assert await a.ask("(ABORT m)") == "aborted"
        elif over == "killed":
            (worker,) = a.workers.alive
            os.kill(worker.pid, signal.SIGKILL)
        if over != "agent stops":
            await until(lambda: not alive(born))
    assert alive(born) == []
