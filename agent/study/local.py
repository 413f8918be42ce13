"""Self-play in local processes. A process that ends unexpectedly is replaced, and its job is lost."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
from collections import deque
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from multiprocessing.resource_tracker import ensure_running

from reasoner.errors import ReasonerError
from reasoner.platform_calls import end_with, sigint_blocked
from search.errors import StudyError
from search.study.games import Games
from search.study.selfplay import SelfPlayJob, play_games

MAX_DEATHS = 3
"""Maximum consecutive deaths of processes without a finished game."""


def _work(link: Connection, parent: int) -> None:
    """Main loop of a process: receive jobs, send games or error texts."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C
    end_with(parent)
    while True:
        try:
            job: SelfPlayJob = link.recv()
        except (EOFError, ConnectionError):
            return
        try:
            answer: Games | str = play_games(job)
        except ReasonerError as error:
            answer = str(error)
        with contextlib.suppress(ConnectionError):
            link.send(answer)


class _Worker:
    """One process with its job state."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.link, its_link = context.Pipe()
        self.process: BaseProcess = context.Process(target=_work, args=(its_link, os.getpid()), daemon=True)
        ensure_running()  # before the block: the first start of a process starts the tracker, which unblocks SIGINT
        with sigint_blocked():
            self.process.start()
        its_link.close()
        self.busy = False

    def end(self) -> None:
        """Kill the process."""
        self.process.kill()  # before the link is closed, because the process would raise an exception
        self.process.join()
        self.link.close()


class LocalActors:
    """The `Actors` of a study (`search.study.actors`): `count` processes on this machine."""

    shared = True

    def __init__(self, count: int) -> None:
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # each process uses one processor
        self._workers = [_Worker() for _ in range(count)]
        self._jobs: list[SelfPlayJob] = []
        self._answers: deque[Games | str] = deque()  # of finished jobs that were not taken
        self._deaths = 0

    @property
    def width(self) -> int:
        """See `Actors`."""
        return len(self._workers)

    @property
    def waiting(self) -> int:
        """See `Actors`."""
        self._receive(0.0)
        untaken = max(len(self._answers) - self.width, 0)  # so that a caller that takes games slowly submits less
        return len(self._jobs) + sum(worker.busy for worker in self._workers) + untaken

    def submit(self, job: SelfPlayJob) -> None:
        """See `Actors`."""
        self._jobs.append(job)
        self._give()

    def next_done(self, timeout: float) -> Games | None:
        """See `Actors`."""
        self._receive(0.0 if self._answers else timeout)
        if not self._answers:
            return None
        answer = self._answers.popleft()
        if isinstance(answer, str):
            raise StudyError(answer)
        return answer

    def close(self) -> None:
        """See `Actors`."""
        for worker in self._workers:
            worker.end()
        self._jobs.clear()

    def _receive(self, timeout: float) -> None:
        """Wait for an answer, take all answers that are there, and give their processes other jobs."""
        busy = {worker.link: worker for worker in self._workers if worker.busy}
        for link in wait(list(busy), timeout):
            assert isinstance(link, Connection)
            worker = busy[link]
            worker.busy = False
            try:
                self._answers.append(link.recv())
            except (EOFError, OSError):
                self._replace(worker)
                continue
            self._deaths = 0
            self._give()

    def _replace(self, worker: _Worker) -> None:
        self._deaths += 1
        worker.process.join()
        if self._deaths >= MAX_DEATHS:
            code = worker.process.exitcode
            raise StudyError(f"self-play processes keep dying (exit code {code}): the machine may be out of memory")
        worker.end()
        self._workers[self._workers.index(worker)] = _Worker()
        self._give()

    def _give(self) -> None:
        """Assign waiting jobs to idle processes."""
        for worker in self._workers:
            if self._jobs and not worker.busy:
                with contextlib.suppress(ConnectionError):  # the process has ended; `next_done` handles that
                    worker.link.send(self._jobs[0])
                del self._jobs[0]
                worker.busy = True
