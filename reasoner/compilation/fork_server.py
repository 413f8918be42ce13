"""The process that builds are forked from: it has imported and compiled everything once.

It has one thread, so that forking is safe, and ends with the last process that could ask it for something; see
`reasoner.compilation.request`.
"""

from __future__ import annotations

import contextlib
import gc
import os
import selectors
import signal
import socket

from reasoner.compilation.child import serve
from reasoner.compilation.request import REQUEST
from reasoner.compilation.warm import warm_up


class _Nursery:
    """The loop of the nursery's process."""

    def __init__(self, control: socket.socket) -> None:
        self.control = control
        self.selector = selectors.DefaultSelector()
        self.lives: dict[int, socket.socket] = {}  # by process
        self.wake, waker = os.pipe()
        self.waker = waker
        os.set_blocking(self.wake, False)
        os.set_blocking(waker, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(waker)
        self.selector.register(control, selectors.EVENT_READ, self._heard)
        self.selector.register(self.wake, selectors.EVENT_READ, self._bury)

    def run(self) -> None:
        """Serve until nobody is left who could ask."""
        while self.control.fileno() >= 0:
            for key, _ in self.selector.select():
                key.data()
        for process in self.lives:
            os.kill(process, signal.SIGKILL)

    def _heard(self) -> None:
        data, descriptors, _, _ = socket.recv_fds(self.control, len(REQUEST), 2)
        if not data:
            self.control.close()
            return
        talk, life = (socket.socket(fileno=descriptor) for descriptor in descriptors)
        try:
            process = os.fork()
        except OSError:  # no process to be had: both ends close, and who asked sees that
            life.close()
        else:
            if process == 0:
                self._become_child(talk, life)
            self.lives[process] = life
            self.selector.register(life, selectors.EVENT_READ, lambda: self._forsaken(process))
        talk.close()

    def _become_child(self, talk: socket.socket, life: socket.socket) -> None:
        """In the child: let go of all that is the nursery's, and build."""
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        self.selector.close()
        for end in (self.control, life, *self.lives.values()):
            end.close()
        serve(talk)

    def _forsaken(self, process: int) -> None:
        """Nobody waits for a build any more."""
        if process in self.lives:  # else it was buried in this round, and the number may be another's by now
            os.kill(process, signal.SIGKILL)
            self.selector.unregister(self.lives[process])

    def _bury(self) -> None:
        with contextlib.suppress(BlockingIOError):
            while os.read(self.wake, 1024):
                pass
        with contextlib.suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                life = self.lives.pop(ended[0])
                with contextlib.suppress(OSError, KeyError):
                    self.selector.unregister(life)
                with contextlib.suppress(OSError):
                    life.sendall(str(os.waitstatus_to_exitcode(ended[1])).encode())
                life.close()


def main() -> None:
    """Compile everything, then fork whenever asked; standard input is the socket that requests come from."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who asked decides when to stop
    control = socket.socket(fileno=os.dup(0))
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    gc.disable()  # builds make many objects that live to the end and hold no cycles
    warm_up()
    gc.collect()
    gc.freeze()  # what is loaded stays shared with the builds
    _Nursery(control).run()


if __name__ == "__main__":
    main()
