"""Ask for a process to build in: a fork of the nursery, `reasoner.compilation.fork_server`.

Importing numba and loading compiled kernels takes most of a second, a fork some milliseconds. The nursery is started by
the first build of a process, or ahead by `reasoner.warm_up`; processes forked afterwards share it.

A request is one byte with two sockets: the build's own, whose language `reasoner.compilation.child` describes, and one
whose closing ends the build, and on which the nursery tells its exit code.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from pathlib import Path

ROOT = Path(__file__).parents[2]
"""Where the nursery finds the packages, installed or not."""

REQUEST = b"b"

_lock = threading.Lock()
_control: socket.socket | None = None  # to the nursery, once it is started
_process: subprocess.Popen[bytes] | None = None  # the nursery, kept because nobody waits for it


def request() -> tuple[socket.socket, socket.socket]:
    """Ask for a process: this end of its socket, and of the one about its life."""
    talk, its_talk = socket.socketpair()
    life, its_life = socket.socketpair()
    with its_talk, its_life, _lock:
        descriptors = [its_talk.fileno(), its_life.fileno()]
        try:
            socket.send_fds(_nursery(), [REQUEST], descriptors)
        except OSError:  # it has ended: another one
            close()
            socket.send_fds(_nursery(), [REQUEST], descriptors)
    return talk, life


def close() -> None:
    """Let go of the nursery; the next request starts another."""
    global _control
    if _control is not None:
        _control.close()
    _control = None


def _nursery() -> socket.socket:
    """Our end of the nursery's socket; it is started if there is none."""
    global _control, _process
    if _control is None:
        ours, theirs = socket.socketpair()
        with theirs:
            _process = subprocess.Popen(
                [sys.executable, "-m", "reasoner.compilation.fork_server"],
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                env={
                    **os.environ,
                    "PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, sys.path)]),
                    "OPENBLAS_NUM_THREADS": "1",  # one thread: a process with several is not safe to fork
                },
            )
        _control = ours
    return _control
