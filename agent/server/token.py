"""Access by a bearer token: ``Authorization: Bearer TOKEN``, or a cookie that the page sets after ``?token=TOKEN``.

The cookie contains a digest, so that it does not reveal the token. The name of the cookie depends on the token, too,
because agents on different ports of one host share one namespace of cookies.
"""

from __future__ import annotations

import hashlib
import hmac
import re

from aiohttp import web

from agent.errors import SettingsError
from agent.server.networks import prefix

MIN_CHARACTERS = 16
MAX_AGE = 30 * 24 * 3600
"""Seconds for which a browser keeps the cookie."""
REALM = {"WWW-Authenticate": 'Bearer realm="ggp-agent"'}
"""Header of a refusal with status 401."""
NEEDED = "this agent needs a token: send `Authorization: Bearer TOKEN`, or open the page with ?token=TOKEN"
_VISIBLE = re.compile(r"[A-Za-z0-9._~+/=-]+")


class Token:
    """The token of ``page.token``; an empty token admits every request. Raises SettingsError for an unsafe token."""

    def __init__(self, token: str) -> None:
        if token and (len(token) < MIN_CHARACTERS or not _VISIBLE.fullmatch(token)):
            raise SettingsError(
                f"page.token: a token needs at least {MIN_CHARACTERS} characters out of A-Z a-z 0-9 . _ ~ + / = -; "
                "make one with `openssl rand -hex 32`"
            )
        self.needed = bool(token)
        self._token = token.encode()
        digest = hmac.new(self._token, b"ggp-agent cookie", hashlib.sha256).hexdigest()
        self._name, self._value = f"ggp-agent-{digest[:8]}", digest[8:]

    def admits(self, request: web.Request) -> bool:
        """Whether a request has the token or its cookie. Takes the same time for all wrong tokens of one length."""
        scheme, _, given = request.headers.get("Authorization", "").partition(" ")
        cookie = request.cookies.get(self._name, "").encode(errors="replace")
        by_header = scheme.casefold() == "bearer" and self.equals(given.strip())
        return not self.needed or by_header or hmac.compare_digest(cookie, self._value.encode())

    def equals(self, given: str) -> bool:
        """Compare a text with the token in constant time: the time does not depend on which characters match."""
        return hmac.compare_digest(given.encode(errors="replace"), self._token)

    def remember(self, request: web.Request, response: web.StreamResponse) -> None:
        """Set the cookie for the page of `request`, which must be at the agent's root.

        If no reverse proxy reports its path prefix, the cookie's path is the folder of the page's address.
        """
        response.set_cookie(
            self._name,
            self._value,
            path=prefix.get(),
            max_age=MAX_AGE,
            secure=request.scheme == "https",
            httponly=True,
            samesite="Lax",
        )
