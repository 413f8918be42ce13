"""A build in a child process ends: with a circuit, or with the limit it went past."""

import errno
import os
import signal
import subprocess
import sys
import threading

import pytest

from bench.processes import lives
from reasoner.compilation import BuildLimits, CircuitBuild
from reasoner.compilation.build_messages import BASELINE_CODE
from reasoner.compilation.handle import PROCESSES
from reasoner.compilation.stages import STAGES
from reasoner.errors import LimitError, RulesError
from reasoner.fork_server import ForkServer
from reasoner.rules.read import read_program
from tests.waiting import wait_until

FRAME = "(role r) (init (p 0)) (legal r go) (goal r 100) (<= terminal (true (p 5)))"
COUNTING = (
    FRAME + "(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (<= (next (p ?y)) (true (p ?x)) (succ ?x ?y))"
)
ENDLESS = FRAME + "(<= (next (p (s ?x))) (true (p ?x)))"
DIGITS = " ".join(f"(d {i})" for i in range(40))
BOMB = FRAME + DIGITS + "(<= (next (p (t ?a ?b ?c ?d ?e))) (d ?a) (d ?b) (d ?c) (d ?d) (d ?e))"
UNSTRATIFIED = f"""{FRAME} (n 1) (<= (next (p ?x)) (q ?x)) (<= (q ?x) (n ?x) (not (h ?x ?x)))
(<= (h ?x ?y) (n ?x) (n ?y) (q ?y))"""


def build(text, **limits):
    return CircuitBuild(read_program(text)[0], BuildLimits(**limits))


def test_a_small_game_becomes_a_circuit():
    circuit = build(COUNTING).result().circuit
    assert sorted(map(str, circuit.bases)) == [f"(p {i})" for i in range(6)]


def test_builds_are_forks_of_one_process_that_is_replaced_when_it_has_ended():
    build(COUNTING).result()
    first = PROCESSES.server
    build(COUNTING).result()
    assert PROCESSES.server is first
    first.kill()
    first.wait()
    assert len(build(COUNTING).result().circuit.bases) == 6
    assert PROCESSES.server is not first


def test_an_exception_of_the_progress_function_reaches_the_caller():
    def progress(_):
        raise BrokenPipeError("the reader is gone")

    handle = CircuitBuild(read_program(COUNTING)[0], BuildLimits(), progress)
    with pytest.raises(BrokenPipeError, match="the reader is gone"):
        handle.result()


def test_other_processes_go_before_a_build_that_is_nice():
    handle = build(ENDLESS, niceness=7)
    niceness = os.getpriority(os.PRIO_PROCESS, handle.born())
    handle.cancel()
    assert niceness == os.getpriority(os.PRIO_PROCESS, 0) + 7


def test_a_build_that_is_buried_is_not_killed_again():
    server = ForkServer.__new__(ForkServer)  # without its signal handlers
    server._lives = {}
    server._kill_abandoned(os.getpid())  # its number may be another's by now


def test_a_build_that_nobody_waits_for_ends_without_a_word():
    code = f"""
import pickle, socket
from reasoner.compilation import BuildLimits
from reasoner.compilation.child import serve
from reasoner.compilation.build_messages import Request
from reasoner.rules.read import read_program
asks, builds = socket.socketpair()
asks.sendall(pickle.dumps(Request(read_program({COUNTING!r})[0], BuildLimits())))
asks.close()
serve(builds)
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert (ended.returncode, ended.stderr) == (1, "")


def test_a_sudden_end_of_the_process_is_reported():
    for number, limit, words in ((signal.SIGKILL, "memory", "out of memory"), (signal.SIGSEGV, "crash", "SIGSEGV")):
        handle = build(ENDLESS)
        os.kill(handle.born(), number)
        with pytest.raises(LimitError, match=words) as caught:
            handle.result()
        assert caught.value.limit == limit


def test_a_process_or_a_thread_that_the_system_does_not_grant_is_a_limit(monkeypatch):
    def refuse(*_):
        raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")

    def full(_):
        raise RuntimeError("can't start new thread")

    for place, name, refusal in ((PROCESSES, "fork", refuse), (threading.Thread, "start", full)):
        with monkeypatch.context() as scarce:
            scarce.setattr(place, name, refusal)
            with pytest.raises(LimitError, match="no process can be started to build the circuit") as caught:
                build(COUNTING)
        assert caught.value.limit == "process"


def test_a_result_for_which_there_is_no_memory_is_reported_as_such(monkeypatch):
    def too_large(_):
        raise MemoryError

    monkeypatch.setattr("reasoner.compilation.handle.pickle.load", too_large)
    with pytest.raises(LimitError, match="not enough memory to receive"):
        build(COUNTING).result()


def test_the_stage_is_reported():
    handle = build(COUNTING)
    handle.result()
    assert handle.ready()
    assert handle.stage == "send"
    assert list(handle.seconds) == list(STAGES)
    assert 10 < handle.memory < 4_000  # MiB


def test_a_large_game_has_a_first_program_before_the_better_one():
    handle = build(COUNTING, baseline_from_gates=0)
    baseline = handle.baseline_code(wait=60.0)
    better = handle.result()
    assert baseline is not None
    assert set(baseline.circuit.bases) == set(better.circuit.bases)
    assert set(handle.seconds) == {*STAGES, BASELINE_CODE}


def test_without_a_first_program_one_waits_for_none():
    handle = build(COUNTING, baseline_from_gates=1_000)
    assert handle.baseline_code(wait=60.0) is None
    assert handle.ready()  # it was waited for until the build was over
    assert build(COUNTING).baseline_code() is None


def test_whoever_asks_hears_of_each_stage_as_it_begins():
    heard: list[str] = []
    CircuitBuild(read_program(COUNTING)[0], BuildLimits(), heard.append).result()
    assert heard == [*STAGES, "send"]


@pytest.mark.parametrize(
    ("rules", "limits", "name"),
    [
        (ENDLESS, {"seconds": 0.5}, "time"),
        (BOMB, {"memory_mb": 100}, "memory"),
        (BOMB, {"ground_rules": 1000}, "rules"),
        (COUNTING + "(<= (goal r 50) (not (true (p 1))) (not (true (p 2))) (true (p 3)))", {"gates": 1}, "gates"),
    ],
)
def test_a_build_ends_at_each_limit_and_names_it(rules, limits, name):
    with pytest.raises(LimitError) as caught:
        build(rules, **limits).result()
    assert caught.value.limit == name


def test_rules_unstratified_when_grounded_are_an_error():
    with pytest.raises(RulesError) as caught:
        build(UNSTRATIFIED).result()
    assert caught.value.diagnostics[0].code == "unstratified"


def test_a_cancelled_build_is_over_at_once():
    handle = build(ENDLESS)
    handle.cancel()
    assert handle.ready()
    with pytest.raises(LimitError):
        handle.result()


def test_waiting_for_a_result_can_be_bounded():
    handle = build(ENDLESS)
    with pytest.raises(LimitError):
        handle.result(timeout=0.0)
    handle.cancel()


def test_the_child_ends_when_its_parent_dies():
    """A parent is killed while its build grounds without end."""
    script = (
        "import os, signal, sys; from reasoner.compilation import *; from reasoner.rules.read import read_program;"
        f"b = CircuitBuild(read_program({ENDLESS!r})[0], BuildLimits());"
        "print(b.born(), flush=True); os.kill(os.getpid(), signal.SIGKILL)"
    )
    parent = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    wait_until(lambda: not lives(int(parent.stdout)))


def test_a_build_that_is_cancelled_before_its_request_says_nothing():
    code = "import socket; from reasoner.compilation.child import serve; own, end = socket.socketpair(); "
    code += "own.close(); serve(end)"
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert process.stderr == ""
