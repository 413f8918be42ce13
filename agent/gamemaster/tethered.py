"""The program ``tethered.py PID COMMAND...``: a command as the child of a process, ended with it, however that ends.

It imports nothing of ours, as the command may be of another version of the agent; Linux alone can do it.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Sequence

PR_SET_PDEATHSIG = 1
"""See prctl(2): kept where a process becomes another program."""


def tethered(command: Sequence[str]) -> Sequence[str]:
    """The command of a child of this process that is ended with it; where the system cannot do that, as it is."""
    if sys.platform != "linux":
        return command
    return (sys.executable, "-I", "-S", __file__, str(os.getpid()), *command)


def _become(parent: int, command: list[str]) -> None:
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() == parent:  # else it has ended before
        os.execvp(command[0], command)


if __name__ == "__main__":
    _become(int(sys.argv[1]), sys.argv[2:])
