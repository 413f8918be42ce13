"""Static files for browsers, with security headers.

All files are in the package: browsers load nothing from other sites, and pages have no inline scripts or styles. The
only exception is gamemaster.html, which must be a single file; its policy allows its script and style by hash.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path

from agent.boards.pieces import drawings

FOLDER = Path(__file__).parent / "static"
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
GAMEMASTER = "gamemaster.html"
ADDRESS = "{{agent}}"
"""Placeholder in gamemaster.html for the address of the agent."""

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-cache",
    "Server": "ggp-agent",
}


@dataclass(frozen=True, slots=True)
class Asset:
    """A file with its headers."""

    body: bytes
    headers: Mapping[str, str]


def assets() -> dict[str, Asset]:
    """Return every file by name, except gamemaster.html, for which `gamemaster` fills in an address."""
    files = sorted(path for path in FOLDER.iterdir() if path.suffix in TYPES and path.name != GAMEMASTER)
    found = {path.name: Asset(path.read_bytes(), HEADERS | {"Content-Type": TYPES[path.suffix]}) for path in files}
    return found | {"pieces.js": Asset(drawings().encode(), HEADERS | {"Content-Type": TYPES[".js"]})}


def gamemaster(address: str) -> Asset:
    """Return the bridge page for Stanford's Gamemaster, with the address of the agent."""
    text = (FOLDER / GAMEMASTER).read_text(encoding="utf-8").replace(ADDRESS, escape(address, quote=True))
    policy = (
        f"default-src 'none'; script-src {_hash(text, 'script')}; style-src {_hash(text, 'style')}; "
        "connect-src http: https:; base-uri 'none'; form-action 'none'"
    )
    headers = HEADERS | {"Content-Type": TYPES[".html"], "Content-Security-Policy": policy}
    return Asset(text.encode(errors="replace"), {**headers, "Cross-Origin-Opener-Policy": "unsafe-none"})


def _hash(text: str, element: str) -> str:
    inside = re.search(rf"<{element}>(.*?)</{element}>", text, re.DOTALL)
    assert inside is not None, f"{GAMEMASTER} has one <{element}>"
    return f"'sha256-{base64.b64encode(hashlib.sha256(inside[1].encode()).digest()).decode()}'"
