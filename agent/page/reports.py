"""Reports on rulesheets (`agent.report`), each measured in a process of its own, one after the other.

A report that no page asks for is stopped. The last finished ones are kept in memory.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import secrets
import signal
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypedDict

import structlog

from agent.page.errors import PageError
from agent.page.host import KEY_BYTES, Host
from agent.page.requests import asker
from agent.page.sources import Source
from reasoner.fork_server import command, search_path
from reasoner.platform_calls import signal_group

MODULE = "agent.report"
WAITING, FOR_ONE = 6, 2
"""Maximum unfinished reports: of all clients, and of one client address."""
KEPT = 16
"""Maximum finished reports that are kept."""
ABANDONED = 60.0
"""Seconds without a request for a report after which it is stopped."""
GRACE = 20.0
"""Seconds for a stopped process to report what it knows."""
BUILD = 180.0
"""Seconds for starting and building, in addition to twice the time of the measurements."""
LONGEST = 8 << 20
"""Maximum bytes of a line of the process."""


class ReportKey(TypedDict):
    """The key of a report."""

    key: str


class ReportView(TypedDict):
    """A report; `phase`: waiting, running, stopping, done or failed.

    `ahead`: number of unfinished reports before it in the queue.
    `found`: tables (`sections`), all figures (`report`, as of `ggp-agent report --json`), and a page (`html`).
    """

    title: str
    minutes: float
    phase: str
    step: str
    seconds: int
    ahead: int
    error: str
    found: Mapping[str, Any] | None


@dataclass(eq=False)
class Measured:
    """A report, finished or not."""

    key: str
    title: str
    rules: str
    minutes: float
    asker: str
    touched: float
    phase: str = "waiting"  # then running, stopping, done or failed
    step: str = ""
    began: float | None = None
    seconds: float = 0.0  # measured so far
    error: str = ""
    found: Mapping[str, Any] = field(default_factory=dict)

    @property
    def over(self) -> bool:
        """Whether the report is done or has failed."""
        return self.phase in ("done", "failed")


class Reports:
    """The reports of the page."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._all: dict[str, Measured] = {}
        self._turn = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()

    def begin(self, source: Source, minutes: float) -> Measured:
        """Queue a report on rules that have been checked. Raises PageError if too many wait."""
        if self._host.settings.page.analyses < 1:
            raise PageError("reports are disabled on this agent; set page.analyses to 1 or more")
        who = asker.get()
        going = [one for one in self._all.values() if not one.over]
        if len(going) >= WAITING or sum(one.asker == who for one in going) >= FOR_ONE:
            raise PageError("too many reports are being measured on this agent; stop one, or try again later")
        key, now = secrets.token_urlsafe(KEY_BYTES), self._host.clock.now()
        report = self._all[key] = Measured(key, source.title, source.rules, minutes, who, now)
        task = asyncio.create_task(self._measure(report))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        self._forget()
        return report

    def get(self, key: str) -> Measured:
        """Return a report. Raises PageError if it is not kept."""
        if key not in self._all:
            raise PageError("this report is no longer kept; measure the game again")
        self._all[key].touched = self._host.clock.now()
        return self._all[key]

    def view(self, report: Measured) -> ReportView:
        """Return a report as JSON."""
        ahead = [one for one in self._all.values() if not one.over]
        if report.began is not None and not report.over:
            report.seconds = self._host.clock.now() - report.began
        return {
            "title": report.title,
            "minutes": report.minutes,
            "phase": report.phase,
            "step": report.step,
            "seconds": round(report.seconds),
            "ahead": ahead.index(report) if report in ahead else 0,
            "error": report.error,
            "found": report.found or None,
        }

    def stop(self, report: Measured) -> None:
        """End the measurements; the report then has the results so far."""
        if report.phase == "waiting":
            report.phase, report.error = "failed", "stopped before it began"
        elif report.phase == "running":
            report.phase = "stopping"

    def close(self) -> None:
        """Stop everything."""
        for task in self._tasks:
            task.cancel()

    def _forget(self) -> None:
        over = [key for key, one in self._all.items() if one.over]
        for key in over[:-KEPT]:
            del self._all[key]

    async def _measure(self, report: Measured) -> None:
        async with self._turn:
            if self._alone(report):
                self.stop(report)
            if report.over:
                return
            report.phase, report.began = "running", self._host.clock.now()
            try:
                await self._run(report)
            except OSError as error:
                report.error = f"no process can be started for the report ({error.strerror})"
            except ValueError:  # a line beyond LONGEST, or no JSON
                report.error = "the report is too long"
            finally:
                report.phase = "done" if report.found else "failed"
                report.error = report.error or ("" if report.found else "the measurements ended without a report")
                report.seconds = self._host.clock.now() - report.began

    async def _run(self, report: Measured) -> None:
        process = await asyncio.create_subprocess_exec(
            *command(MODULE),
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            limit=LONGEST,
            start_new_session=True,
            env={**os.environ, **search_path()},
        )
        watching = asyncio.create_task(self._watch(report, process))
        try:
            await self._talk(report, process)
            await process.wait()
        finally:
            watching.cancel()
            signal_group(process.pid, signal.SIGKILL)

    async def _talk(self, report: Measured, process: Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        asked = {"game": report.title, "rules": report.rules, "seconds": 60 * report.minutes, "seed": 0}
        text = json.dumps(asked | {"memory_mib": self._host.settings.worker.memory_mib})
        with contextlib.suppress(ConnectionError):
            process.stdin.write(text.encode("ascii") + b"\n")
            await process.stdin.drain()
        while line := await process.stdout.readline():
            told = await asyncio.to_thread(json.loads, line) if len(line) > LONGEST >> 7 else json.loads(line)
            report.step, report.error = told.get("step", report.step), told.get("error", "")
            if "report" in told:
                report.found = told

    async def _watch(self, report: Measured, process: Process) -> None:
        """End the process if it was stopped, if nobody asks for its report, or if it takes too long."""
        assert report.began is not None
        end = report.began + 120 * report.minutes + BUILD
        while report.phase == "running" and not self._alone(report) and self._host.clock.now() < end:
            await asyncio.sleep(0.5)
        report.phase = "stopping"
        structlog.get_logger().info("a report is stopped", title=report.title[:100])
        signal_group(process.pid, signal.SIGINT)
        await asyncio.sleep(GRACE)
        signal_group(process.pid, signal.SIGKILL)

    def _alone(self, report: Measured) -> bool:
        return self._host.clock.now() - report.touched > ABANDONED
