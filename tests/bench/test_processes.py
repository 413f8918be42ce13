"""Facts about other processes are the same from /proc and from ps."""

import os
import shutil
import subprocess
import sys

import pytest

from bench import processes
from reasoner import platform_calls
from tests.waiting import wait_until

SYSTEMS = pytest.mark.parametrize(
    "system",
    [
        pytest.param("linux", marks=pytest.mark.skipif(platform_calls.SYSTEM != "linux", reason="reads /proc")),
        pytest.param("darwin", marks=pytest.mark.skipif(not shutil.which("ps"), reason="there is no ps here")),
    ],
)
TREE = """
import os, signal, sys, time
if os.fork() == 0:
    if os.fork() == 0:
        while time.process_time() < 1.1:
            pass
        print("busy", flush=True)
    signal.pause()
if (dead := os.fork()) == 0:
    os._exit(0)
print(dead, flush=True)
signal.pause()
"""


@SYSTEMS
def test_the_living_below_a_process_are_listed_with_their_time_and_memory(system, monkeypatch):
    """Processes that have ended but were not waited for are not counted."""
    monkeypatch.setattr(platform_calls, "SYSTEM", system)
    with subprocess.Popen([sys.executable, "-c", TREE], stdout=subprocess.PIPE, process_group=0) as process:
        (dead,) = {process.stdout.readline(), process.stdout.readline()} - {b"busy\n"}
        try:
            wait_until(lambda: len(processes.descendants(process.pid)) == 2)
            below = processes.descendants(process.pid)
            found = [processes.process(pid) for pid in below]
            assert found[0].parent == process.pid
            assert found[1].parent == found[0].pid
            assert found[1].seconds >= 1.0
            assert all(each.resident_kib > 1000 and "signal.pause" in each.command for each in found)
            assert all(processes.proportional_kib(pid) > 0 for pid in below)
            assert all(processes.lives(pid) for pid in below)
            wait_until(lambda: not processes.lives(int(dead)))  # for which nobody waits
        finally:
            os.killpg(process.pid, 9)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("0:01.23", 1.23), ("00:00:01", 1), ("12:34.50", 754.5), ("1:00:00", 3600), ("2-01:00:00", 176_400)],
)
def test_the_times_of_ps_are_read_as_macos_and_linux_write_them(text, seconds):
    assert processes.seconds_of(text) == seconds


def test_what_ps_does_not_tell_is_nothing(monkeypatch):
    monkeypatch.setattr(platform_calls, "SYSTEM", "darwin")
    own = os.getpid()
    assert (processes.threads(own), processes.open_files(own), processes.schedule(own)) == (0, 0, (0.0, 0.0))
    assert processes.blocked_signals(own) is None
    assert list(processes.own_descriptors()) == []
