"""HTTP responses: exact Content-Length, not chunked, connection closed, readable across origins (CORS)."""

from __future__ import annotations

from http import HTTPStatus

from aiohttp import web

HEADERS = {
    "Content-Type": "text/acl",
    "Connection": "close",
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": "POST, GET, OPTIONS",
    "Access-Control-Allow-Headers": "Content-Type, Sender, Receiver, Accept",
    "Access-Control-Allow-Private-Network": "true",
    "Access-Control-Max-Age": "86400",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Server": "ggp-agent",
}


def answer(text: str | bytes, status: int = 200, content_type: str | None = None) -> web.Response:
    """Build a response; the default content type is that of match messages."""
    headers = HEADERS if content_type is None else HEADERS | {"Content-Type": content_type}
    body = text if isinstance(text, bytes) else text.encode()
    response = web.Response(body=body, status=status, headers=headers)
    response.force_close()
    return response


def raw_answer(status: int, text: str) -> bytes:
    """Build a response as bytes, for connections whose request aiohttp has not parsed."""
    body = text.encode()
    fields = HEADERS | {"Content-Length": str(len(body))}
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return f"HTTP/1.0 {status} {HTTPStatus(status).phrase}\r\n{head}\r\n".encode() + body
