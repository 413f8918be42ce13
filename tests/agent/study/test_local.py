"""Processes that play: games come home, and one that dies costs only its job."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys

import pytest

from agent.study.local import LocalActors
from search.errors import StudyError
from search.study.selfplay import SelfPlayJob
from tests.search.study.games import rules

PATIENCE = 500.0  # seconds for a process to start on a busy machine; a first one compiles kernels


def job(**given):
    return SelfPlayJob(rules("ticTacToe"), None, **{"games": 40, "simulations": 4, **given})


@pytest.fixture
def actors():
    with contextlib.closing(LocalActors(1)) as own:
        yield own


@pytest.mark.long  # processes that load all that is studied with
def test_games_come_home(actors):
    actors.submit(job())
    actors.submit(job(seed=1))
    assert actors.waiting == 2
    assert [actors.next_done(PATIENCE).count >= 40 for _ in range(2)] == [True, True]
    assert actors.waiting == 0
    assert actors.next_done(0) is None


@pytest.mark.long  # processes that load all that is studied with
def test_a_process_that_is_killed_costs_its_job_and_is_replaced(actors):
    actors.submit(job(games=10**6))
    actors.submit(job())
    os.kill(actors._workers[0].process.pid, signal.SIGKILL)
    assert actors.next_done(PATIENCE) is None
    assert actors.next_done(PATIENCE).count >= 40


@pytest.mark.long  # processes that load all that is studied with
def test_processes_that_die_one_after_the_other_end_the_study(actors):
    def submit_and_kill():
        actors.submit(job(games=10**6))
        os.kill(actors._workers[0].process.pid, signal.SIGKILL)

    for _ in range(2):
        submit_and_kill()
        assert actors.next_done(PATIENCE) is None
    submit_and_kill()
    with pytest.raises(StudyError, match="exit code -9"):
        actors.next_done(PATIENCE)


def test_a_job_for_a_process_that_has_just_died_is_no_error_but_lost(actors, monkeypatch):
    """Its socket may be reset, and not only closed."""

    def reset(_):
        raise ConnectionResetError

    monkeypatch.setattr(actors._workers[0].link, "send", reset, raising=False)
    actors.submit(job())
    assert actors.waiting == 1


def test_rules_that_no_process_can_play_are_reported(actors):
    actors.submit(SelfPlayJob("(role x)", None, 1))
    with pytest.raises(StudyError):
        actors.next_done(PATIENCE)


def test_even_the_first_process_hears_no_interrupt_while_it_begins():
    """In a program of its own: here multiprocessing has started its resource tracker already."""
    code = """
import signal
from agent.study.local import LocalActors
from bench.processes import blocked_signals

actors = LocalActors(1)
print(blocked_signals(actors._workers[0].process.pid), signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ()))
actors.close()
"""
    program = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    blocked, ours = program.stdout.split()
    if blocked == "None":
        pytest.skip("the masks of a process are read as Linux tells them")
    assert int(blocked) >> (signal.SIGINT - 1) & 1
    assert ours == "False"


@pytest.mark.long  # processes that load all that is studied with
def test_a_process_that_has_an_answer_when_it_is_ended_complains_of_nothing(capfd):
    with contextlib.closing(LocalActors(1)) as actors:
        actors.submit(job(games=1))
        assert actors._workers[0].link.poll(PATIENCE)
        actors.submit(job(games=400))
    assert capfd.readouterr().err == ""
