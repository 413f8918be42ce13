"""The command ``python -m agent.cluster.tethered PID MODULE ...``: a program as the child of a process, ended with it.

Ray kills what it ends, and what that has started would live on.
"""

from __future__ import annotations

import os
import runpy
import sys

from reasoner.fork_server import end_with


def tethered(module: str, *arguments: str) -> tuple[str, ...]:
    """The command of a child of this process that is ``python -m MODULE`` with these arguments."""
    return (sys.executable, "-m", "agent.cluster.tethered", str(os.getpid()), module, *arguments)


if __name__ == "__main__":
    end_with(int(sys.argv[1]))
    module = sys.argv[2]
    sys.argv[1:] = sys.argv[3:]
    runpy.run_module(module, run_name="__main__", alter_sys=True)
