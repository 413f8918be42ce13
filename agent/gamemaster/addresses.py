"""Addresses of running players."""

from __future__ import annotations

from urllib.parse import urlsplit


def is_url(spec: str) -> bool:
    """Whether a SPEC is the URL of a running player."""
    return spec.startswith(("http://", "https://"))


def has_host(url: str) -> bool:
    """Whether a URL names a host, and a port that exists if it names one."""
    try:
        parts = urlsplit(url)
        (parts.hostname or "").encode("idna")
        return bool(parts.hostname) and not any(map(str.isspace, url)) and parts.port != 0
    except ValueError:  # a wrong port, half an IPv6 address, or no host name (a..b)
        return False
