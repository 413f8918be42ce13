"""What those ask who run the agent: `GET /healthz` and `GET /metrics`."""

from __future__ import annotations

import json

from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST

from agent.server.answers import answer
from agent.server.matches import Matches


class Operations:
    """The request handlers."""

    def __init__(self, matches: Matches) -> None:
        self._matches = matches

    async def health(self, _: web.Request) -> web.Response:
        """200 when a match could be played now or is being played, else 503, with the reason as JSON."""
        state = self._matches.state
        healthy = state in ("available", "busy")
        told = {"status": state, "matches": len(self._matches)}
        if self._matches.trouble:
            told["trouble"] = self._matches.trouble
        body = json.dumps(told)
        return answer(body + "\n", 200 if healthy else 503, "application/json")

    async def metrics(self, _: web.Request) -> web.Response:
        """The figures in Prometheus' text form."""
        return answer(self._matches.metrics.text(), content_type=CONTENT_TYPE_LATEST)


def add_operations(app: web.Application, matches: Matches) -> None:
    """Serve both; to be called before the routes that take any path."""
    operations = Operations(matches)
    app.router.add_get("/healthz", operations.health)
    app.router.add_get("/metrics", operations.metrics)
