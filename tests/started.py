"""The program that tests run in place of `ggp-agent` or Python: it asks the starter (tests/starter.py) for a fork.

What it gets, standard streams, environment, folder, arguments, signals, the fork gets; it ends as that ends, and the
fork ends with it. It imports little and nothing of ours, and so is fast. What the starter cannot run, Python runs.
"""

import json
import os
import signal
import socket
import sys

MODULES = ("agent", "agent.worker")
"""What the starter runs of `python -m`; else it runs the command as it was installed."""


def main() -> None:
    arguments = sys.argv[1:]
    apart = arguments[:1] == ["-P"]  # the current folder has no modules
    if sys.argv[0].endswith("ggp-agent"):
        arguments = ["ggp-agent", *arguments]
    elif arguments[apart : apart + 1] == ["-m"] and arguments[apart + 1] in MODULES:
        arguments = arguments[apart + 1 :]
    else:
        python = os.environ["STARTER_PYTHON"]
        os.execv(python, [python, *arguments])
    here = os.path.realpath(".")
    end(answered({"arguments": arguments, "environment": dict(os.environ), "folder": here, "apart": apart}))


def answered(wanted: dict) -> int:
    """How the fork ended."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as talk:
        talk.connect(os.environ["STARTER_SOCKET"])
        socket.send_fds(talk, [json.dumps(wanted).encode()], [0, 1, 2])
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda number, _: talk.send(str(number).encode()))
        talk.recv(64)  # the fork's id
        return int(talk.recv(64) or -signal.SIGKILL)


def end(code: int) -> None:
    """As the fork did, by itself or by a signal."""
    if code < 0:
        if -code != signal.SIGKILL:
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)


main()
