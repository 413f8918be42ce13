"""aiohttp's request handler with clear error responses for malformed HTTP and internal errors."""

from __future__ import annotations

import structlog
from aiohttp import web
from aiohttp.typedefs import Handler
from aiohttp.web_protocol import RequestHandler

from agent.server.answers import answer

NOT_HTTP = "error: malformed HTTP request; send POST / with the message as its body"
OURS = "error: the agent failed to answer this message; its log says why"


class ClearHandler(RequestHandler):
    """Formats errors like all other answers, and does not echo the request."""

    __slots__ = ()

    def handle_error(
        self, request: web.BaseRequest, status: int = 500, exc: BaseException | None = None, message: str | None = None
    ) -> web.StreamResponse:
        """Return the response for a malformed request or an internal error."""
        if request.writer.output_size > 0:  # part of an answer was sent already
            raise ConnectionError("the answer was interrupted")
        if status >= 500:
            self.log_exception("a message could not be answered", exc_info=exc)
            return answer(OURS, status)
        reason = message.splitlines()[0] if message else type(exc).__name__
        structlog.get_logger().warning("bad http request", client=request.remote, reason=reason)
        return answer(NOT_HTTP, status)

    async def finish_response(
        self, request: web.BaseRequest, resp: web.StreamResponse, start_time: float | None
    ) -> tuple[web.StreamResponse, bool]:
        """Send a response; aiohttp's own errors (unknown ``Expect``) get the agent's form."""
        return await super().finish_response(request, _in_our_form(resp), start_time)


@web.middleware
async def clear_refusals(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Convert errors of aiohttp's router (unknown methods) to the agent's form."""
    try:
        return await handler(request)
    except web.HTTPException as error:
        return _in_our_form(error)


def _in_our_form(response: web.StreamResponse) -> web.StreamResponse:
    if not isinstance(response, web.HTTPException):
        return response
    status, reason = response.status, response.reason
    return answer(f"error: {status} {reason}; send POST / with the message as its body", status)
