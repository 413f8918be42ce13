"""What systems and strangers do to an agent in the middle of a match: it ends all the same, with legal moves."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys

import pytest

from agent.gamemaster.games import find_game
from bench.processes import descendants
from bench.soak import AgentProcess, Bout, Tally
from tests.agent.rules import GROWING
from tests.waiting import until

pytestmark = pytest.mark.long  # real agents in trouble, and bombs that are ended by real limits

CLOCKS = (2.0, 2.0)
BOMB = "(role bomb) (init (p 0)) (<= (next (p (s ?x))) (true (p ?x))) (<= (q ?x) (true (p ?x))) " + " ".join(
    f"(<= (r{n} ?a ?b ?c ?d) (r{n - 1} ?a ?b ?c ?e) (r{n - 1} ?d ?e ?a ?b))" for n in range(1, 60)
)


HOG = """
import threading, time
while True:
    try:
        threading.Thread(target=time.sleep, args=(60,)).start()
    except RuntimeError:
        print("full", flush=True)
        time.sleep(0.001)  # takes each place that is freed before the agent does
"""


def limited(*limits: str) -> tuple[str, ...]:
    """A command before the agent's: the shell's limits."""
    return ("sh", "-c", f'{"; ".join(limits)}; exec "$@"', "sh")


def another_user(processes: int) -> tuple[str, ...]:
    """A command before the agent's: a user who may have so many processes, though he reads what root may read."""
    code = (
        "import ctypes, os, resource, sys\n"
        "for capability in (21, 24): ctypes.CDLL(None).prctl(24, capability, 0, 0, 0)  # SYS_ADMIN, SYS_RESOURCE\n"
        f"resource.setrlimit(resource.RLIMIT_NPROC, ({processes}, {processes}))\n"
        f"os.setresuid({os.getpid() + 100_000}, 0, 0)\n"
        "os.execvp(sys.argv[1], sys.argv[1:])"
    )
    return (sys.executable, "-c", code)


@contextlib.contextmanager
def agent(tmp_path, player="mcts", **given):
    with AgentProcess(tmp_path / "agent.log", player, **{"worker_engine": "relational", **given}) as one:
        yield one


async def whole_match(one, hardship=None, clocks=CLOCKS):
    """Play a match; `hardship` happens before every PLAY but the first. Every answer must be legal."""

    async def before(turn):
        if turn and hardship is not None:
            await hardship(turn)

    await one.until("available")
    bout, tally = Bout(one, "m", find_game("nim"), clocks, "1"), Tally()
    await bout.begin(tally)
    await bout.turns(tally, before=before)
    assert await bout.finish() == "done"
    assert tally.illegal == []
    assert one.tracebacks() == 0, one.log.read_text()[-4000:]
    return tally.moves


async def test_a_worker_that_is_stopped_for_three_seconds(tmp_path):
    """The best move offered is the answer, and the match continues when the worker runs again."""
    stopped: list[int] = []

    async def stop_for_a_while(turn):
        if turn == 2:
            stopped.extend(descendants(one.pid))
            for pid in stopped:
                os.kill(pid, signal.SIGSTOP)
            asyncio.get_running_loop().call_later(3.0, wake)

    def wake():
        for pid in stopped:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)

    with agent(tmp_path) as one:
        await whole_match(one, stop_for_a_while, clocks=(2.0, 4.0))
        wake()


async def test_bombs_of_rulesheets_beside_a_match(tmp_path):
    """They are refused, or end the process that reads them; the match in progress is not affected."""

    async def throw(turn):
        for rules in (GROWING, BOMB, "(" * 9_000 + ")" * 9_000):
            message = f"(START bomb{turn} bomb ({rules}) 1 1)"
            assert await one.ask(message) in ("ready", "busy")
            await one.ask(f"(ABORT bomb{turn})")

    with agent(tmp_path, server_matches=2, worker_memory_mib=700, build_memory_mib=700) as one:
        assert await whole_match(one, throw) > 2


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become a user who has no other processes")
async def test_a_user_who_may_have_no_more_processes(tmp_path):
    """Another program takes all of them in the middle of the match, whose worker is killed; it goes on when it ends."""
    with (
        agent(tmp_path, wrap=another_user(100), journal_folder=tmp_path / "journal") as one,
        contextlib.ExitStack() as ending,
    ):

        async def take_all_away(turn):
            if turn == 1:
                taken = ending.enter_context(
                    subprocess.Popen([*another_user(100), sys.executable, "-c", HOG], stdout=subprocess.PIPE)
                )
                ending.callback(taken.kill)  # should the match be over before that
                # Below the fork server are the match's process and the spare one; beside it something may compile.
                forks = next(pid for pid in descendants(one.pid) if descendants(pid))
                os.kill(forks, signal.SIGSTOP)
                for pid in descendants(forks):
                    os.kill(pid, signal.SIGKILL)
                await until(lambda: "the worker died" in one.log.read_text())  # and another one is asked for
                for _ in range(20):
                    assert taken.stdout.readline() == b"full\n"
                os.kill(forks, signal.SIGCONT)
                asyncio.get_running_loop().call_later(1.0, taken.kill)

        await whole_match(one, take_all_away, clocks=(2.0, 4.0))
    log = one.log.read_text()  # refused was who asked first, before the dead were buried: the match, or its spare
    assert "no process can be had" in log or "no process for a worker" in log


async def test_a_system_that_grants_sixty_four_files(tmp_path):
    """The agent keeps some for its workers and journals, however many connections come."""
    with agent(tmp_path, wrap=limited("ulimit -n 64"), journal_folder=tmp_path / "journal") as one:
        open_ones: list[asyncio.StreamWriter] = []

        async def crowd(_turn):
            for _ in range(30):
                with contextlib.suppress(OSError):
                    open_ones.append((await asyncio.open_connection("127.0.0.1", one.port))[1])

        await whole_match(one, crowd)
        for writer in open_ones:
            writer.close()


async def test_a_journal_that_cannot_be_written_any_more(tmp_path):
    """The match goes on without it, and the log says so once."""
    folder = tmp_path / "journal"
    # The limit counts for the log, too: only errors are logged, so that the message has room.
    with agent(tmp_path, wrap=limited("ulimit -f 4"), journal_folder=folder, log_level="error") as one:
        await whole_match(one)
    assert one.log.read_text().count("cannot write the journal") == 1
