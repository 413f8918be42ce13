"""Answers as bytes on the wire: exact length, never chunked, closed after, readable by pages from anywhere."""

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
    """An answer of the agent; a message's has the type that managers know."""
    headers = HEADERS if content_type is None else HEADERS | {"Content-Type": content_type}
    body = text if isinstance(text, bytes) else text.encode()
    response = web.Response(body=body, status=status, headers=headers)
    response.force_close()
    return response


def raw_answer(status: int, text: str) -> bytes:
    """The same where no request has been read that aiohttp could answer."""
    body = text.encode()
    fields = HEADERS | {"Content-Length": str(len(body))}
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return f"HTTP/1.0 {status} {HTTPStatus(status).phrase}\r\n{head}\r\n".encode() + body
