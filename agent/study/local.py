"""Self-play in processes of this machine; one that dies is replaced, and costs the job it was doing."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
from collections.abc import Iterator
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from reasoner.errors import ReasonerError
from reasoner.platform_calls import end_with
from search.errors import StudyError
from search.study.games import Games
from search.study.selfplay import SelfPlayJob, play_games

MOST_DEATHS = 3
"""Of processes one after the other, without a game between them."""


def _work(link: Connection, parent: int) -> None:
    """What a process does: jobs in, games or what went wrong out."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal tells all; who submits the jobs decides
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


@contextlib.contextmanager
def _deaf() -> Iterator[None]:
    """What is started in it hears no SIGINT, also while it begins; one that comes meanwhile is heard here after it."""
    if not hasattr(signal, "pthread_sigmask"):  # the system has no such thing
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Worker:
    """One process, and whether it has something to do."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.link, its_link = context.Pipe()
        self.process: BaseProcess = context.Process(target=_work, args=(its_link, os.getpid()), daemon=True)
        with _deaf():
            self.process.start()
        its_link.close()
        self.busy = False

    def end(self) -> None:
        """At once."""
        self.process.kill()  # before its link is closed, of which it would complain
        self.process.join()
        self.link.close()


class LocalActors:
    """`count` processes (see `search.study.actors`)."""

    shared = True

    def __init__(self, count: int) -> None:
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # for the processes: each is one processor's work
        self._workers = [_Worker() for _ in range(count)]
        self._jobs: list[SelfPlayJob] = []
        self._deaths = 0

    @property
    def width(self) -> int:
        """See `Actors`."""
        return len(self._workers)

    @property
    def waiting(self) -> int:
        """See `Actors`."""
        return len(self._jobs) + sum(worker.busy for worker in self._workers)

    def submit(self, job: SelfPlayJob) -> None:
        """See `Actors`."""
        self._jobs.append(job)
        self._give()

    def next_done(self, timeout: float) -> Games | None:
        """See `Actors`."""
        busy = {worker.link: worker for worker in self._workers if worker.busy}
        for link in wait(list(busy), timeout):
            assert isinstance(link, Connection)
            return self._answer(busy[link])
        return None

    def close(self) -> None:
        """See `Actors`."""
        for worker in self._workers:
            worker.end()
        self._jobs.clear()

    def _answer(self, worker: _Worker) -> Games | None:
        worker.busy = False
        try:
            answer: Games | str = worker.link.recv()
        except (EOFError, OSError):
            self._replace(worker)
            return None
        if isinstance(answer, str):
            raise StudyError(answer)
        self._deaths = 0
        self._give()
        return answer

    def _replace(self, worker: _Worker) -> None:
        self._deaths += 1
        worker.process.join()
        if self._deaths >= MOST_DEATHS:
            code = worker.process.exitcode
            raise StudyError(f"processes of self-play end one after the other (exit code {code}): is memory short?")
        worker.end()
        self._workers[self._workers.index(worker)] = _Worker()
        self._give()

    def _give(self) -> None:
        """Give waiting jobs to processes that have none."""
        for worker in self._workers:
            if self._jobs and not worker.busy:
                with contextlib.suppress(ConnectionError):  # it has died, which `next_done` will see
                    worker.link.send(self._jobs[0])
                del self._jobs[0]
                worker.busy = True
