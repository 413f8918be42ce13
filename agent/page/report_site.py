"""HTTP handlers of reports on rulesheets."""

from __future__ import annotations

import asyncio
import json
from typing import Annotated

from aiohttp import web

from agent.page.host import Host
from agent.page.readers import Readers
from agent.page.reports import ReportKey, Reports, ReportView
from agent.page.requested import Nothing, ReportRequest
from agent.page.requests import long_answer
from agent.page.schema import Endpoint
from agent.page.sources import Sources


class ReportSite:
    """The endpoints of reports."""

    def __init__(self, host: Host, sources: Sources, readers: Readers) -> None:
        self._sources = sources
        self._readers = readers
        self.reports = Reports(host)

    def endpoints(self) -> list[Endpoint]:
        """Return the endpoints below /api/reports."""
        return [
            Endpoint("POST", "/api/reports", self._begin),
            Endpoint("GET", "/api/reports/{key}", self._view),
            Endpoint("POST", "/api/reports/{key}/stop", self._stop),
        ]

    async def _begin(self, asked: ReportRequest, _: web.Request) -> ReportKey:
        """Measure rules for a report, and return its key."""
        source = await self._sources.of(asked)
        await self._readers.read(source.rules, kept=False)
        return {"key": self.reports.begin(source, asked["minutes"]).key}

    async def _view(self, request: web.Request) -> Annotated[web.StreamResponse, ReportView]:
        """A report: how far its measurements are, and what was found at their end."""
        view = self.reports.view(self.reports.get(request.match_info["key"]))
        return await long_answer(request, await asyncio.to_thread(lambda: json.dumps(view, allow_nan=False)))

    async def _stop(self, _asked: Nothing, request: web.Request) -> Nothing:
        """End the measurements of a report early."""
        self.reports.stop(self.reports.get(request.match_info["key"]))
        return {}
