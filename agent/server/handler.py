"""aiohttp's protocol of one connection, with clear answers where it has plain ones: broken HTTP, our own faults."""

from __future__ import annotations

import structlog
from aiohttp import web
from aiohttp.typedefs import Handler
from aiohttp.web_protocol import RequestHandler

from agent.server.answers import answer

NOT_HTTP = "error: this is not an HTTP request that is understood; send POST / with the message as its body"
OURS = "error: the agent failed to answer this message; its log says why"


class ClearHandler(RequestHandler):
    """Says what is wrong in the form of all other answers, and repeats nothing of what was sent."""

    __slots__ = ()

    def handle_error(
        self, request: web.BaseRequest, status: int = 500, exc: BaseException | None = None, message: str | None = None
    ) -> web.StreamResponse:
        """The answer to what could not be read, or could not be answered."""
        if request.writer.output_size > 0:  # part of an answer has left, and no other can follow
            raise ConnectionError("an answer was broken off")
        if status >= 500:
            self.log_exception("a message could not be answered", exc_info=exc)
            return answer(OURS, status)
        reason = message.splitlines()[0] if message else type(exc).__name__
        structlog.get_logger().warning("bad http request", client=request.remote, reason=reason)
        return answer(NOT_HTTP, status)

    async def finish_response(
        self, request: web.BaseRequest, resp: web.StreamResponse, start_time: float | None
    ) -> tuple[web.StreamResponse, bool]:
        """Send an answer; one of aiohttp's own, as to an ``Expect`` that it does not know, is put in our form."""
        return await super().finish_response(request, _in_our_form(resp), start_time)


@web.middleware
async def clear_refusals(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Answers in our form where aiohttp's router refuses: a method that is none of ours."""
    try:
        return await handler(request)
    except web.HTTPException as error:
        return _in_our_form(error)


def _in_our_form(response: web.StreamResponse) -> web.StreamResponse:
    if not isinstance(response, web.HTTPException):
        return response
    status, reason = response.status, response.reason
    return answer(f"error: {status} {reason}; send POST / with the message as its body", status)
